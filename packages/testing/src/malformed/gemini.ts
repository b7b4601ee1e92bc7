import { everyKind, snakeCase } from '../bodies/gemini.ts';
import type { Good, Row } from './row.ts';

const says = (text: string) => ({ role: 'user', parts: [{ text }] });
const model = (...parts: readonly object[]) => ({ role: 'model', parts });
const asksFor = (name: string, more: object = {}) => ({ functionCall: { name, args: {} }, ...more });
const gives = (name: string, id?: string) => ({
  functionResponse: { name, response: { output: 'x' }, ...(id === undefined ? {} : { id }) },
});
const answers = (...parts: readonly object[]) => ({ role: 'user', parts });
const contents = (...list: readonly unknown[]) => ({ contents: list });

export const rows: readonly Row[] = [
  ['contents-empty', 'contents', {}],
  ['contents-empty', 'contents', contents()],
  ['too-many-bytes', '', contents(says('x'.repeat(101 * 1024 * 1024)))],
  ['not-a-content', 'contents.0', contents('words')],
  ['unknown-role', 'contents.0', contents({ role: 'assistant', parts: [{ text: 'x' }] })],
  ['empty-content', 'contents.0', contents({ role: 'user', parts: [] })],
  ['part-data', 'contents.0.parts.0', contents({ parts: [{ thought: true }] })],
  ['part-data', 'contents.0.parts.0', contents({ parts: [{ text: 'x', inlineData: {} }] })],
  ['empty-text', 'contents.0.parts.0', contents(says(''))],
  ['misplaced-block', 'contents.0.parts.0', contents(answers(asksFor('f')))],
  ['misplaced-block', 'contents.1.parts.0', contents(says('x'), model(gives('f')))],
  ['call-name', 'contents.1.parts.0', contents(says('x'), model(asksFor('')), answers(gives('')))],
  ...['3d', 'read file', '-x', 'x'.repeat(65)].flatMap((name): readonly Row[] => [
    ['call-name', 'contents.1.parts.0', contents(says('x'), model(asksFor(name)), answers(gives(name)))],
    [
      'tool-name',
      'tools.0.function_declarations.0.name',
      { ...contents(says('x')), tools: [{ functionDeclarations: [{ name }] }] },
    ],
  ]),
  ['lone-surrogate', 'contents.0.parts.0.text', contents(says('half a pair: \ud83d'))],
  ['first-role', 'contents.0', contents(model({ text: 'x' }), says('y'))],
  ['call-order', 'contents.2', contents(says('x'), model({ text: 'a' }), model(asksFor('f')), answers(gives('f')))],
  ['call-without-result', 'contents.1', contents(says('x'), model(asksFor('f'), asksFor('g')), answers(gives('f')))],
  ['call-without-result', 'contents.1', contents(says('x'), model(asksFor('f')), says('y'))],
  ['result-without-call', 'contents.0', contents(answers(gives('f')))],
  ['result-without-call', 'contents.2.parts.0', contents(says('x'), model(asksFor('f')), answers(gives('g')))],
  [
    'result-without-call',
    'contents.2.parts.0',
    contents(says('x'), model({ functionCall: { id: '1', name: 'f' } }), answers(gives('f', '2'))),
  ],
  [
    'signature-missing',
    'contents.1.parts.0',
    contents(says('x'), model(asksFor('f')), answers(gives('f'))),
    contents(says('x'), model(asksFor('f', { thoughtSignature: 's' })), answers(gives('f'))),
  ],
];

export const good: readonly Good[] = [
  ['every kind of part', everyKind],
  ['the other spelling', snakeCase],
  [
    'names with dots and colons',
    contents(says('x'), model(asksFor('default_api:fs.read')), answers(gives('default_api:fs.read'))),
  ],
  [
    'a signature on an empty text',
    contents(says('x'), model({ text: '', thoughtSignature: 's' }, { text: 'y' }), says('z')),
  ],
  [
    'responses and words in one content',
    contents(says('x'), model(asksFor('f')), answers(gives('f'), { text: 'and' })),
  ],
  [
    'a signature gone from an earlier turn',
    contents(says('x'), model(asksFor('f')), answers(gives('f')), says('y')),
    contents(says('x'), model(asksFor('f', { thoughtSignature: 's' })), answers(gives('f'))),
  ],
  ['a response whose call is cached', { ...contents(answers(gives('f'))), cachedContent: 'c' }],
];
