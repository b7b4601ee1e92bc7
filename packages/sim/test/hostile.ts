import {
  assistant,
  type CallPart,
  type ContentPart,
  call,
  type NewMessage,
  type Part,
  result,
  results,
  text,
  user,
} from '@palimpsest/core';
import {
  anthropicMessages,
  gemini,
  openaiChat,
  openaiChatAlternating,
  openaiResponses,
  type Wire,
} from '@palimpsest/wire';
import fc from 'fast-check';

export interface Target {
  readonly label: string;
  readonly wire: Wire<never>;
  readonly path: string;
  readonly model: string;
  /** A body with nothing said in it. */
  readonly template: object;
}

const target = <B extends object>(label: string, wire: Wire<B>, path: string, model: string, template: B): Target => ({
  label,
  wire: wire as unknown as Wire<never>,
  path,
  model,
  template,
});

const claude = { model: 'claude-haiku-4-5', max_tokens: 10, messages: [] };
const gemini3 = 'gemini-3-pro-preview';

export const targets: readonly Target[] = [
  target('Anthropic', anthropicMessages, '/v1/messages', claude.model, claude),
  target('Anthropic, thinking bound', anthropicMessages, '/v1/messages', 'claude-opus-5-5', {
    ...claude,
    model: 'claude-opus-5-5',
  }),
  target('chat', openaiChat, '/v1/chat/completions', 'gpt-5.5', { model: 'gpt-5.5', messages: [] }),
  target('chat in turns', openaiChatAlternating, '/v1/chat/completions', 'strict', { model: 'strict', messages: [] }),
  target('responses', openaiResponses, '/v1/responses', 'gpt-5.5', { model: 'gpt-5.5', input: [] }),
  target('Gemini', gemini, '/v1beta/models/gemini-2.5-pro:generateContent', 'gemini-2.5-pro', { contents: [] }),
  target('Gemini, signed', gemini, `/v1beta/models/${gemini3}:generateContent`, gemini3, { contents: [] }),
];

export const TOOL_NAMES = [
  'read',
  'default_api:fs.read',
  'fs.read',
  'read file\n',
  'x'.repeat(300),
  '3d-view',
  '-',
  '読む',
  '__proto__',
  '',
  'half \ud83d',
  // What the second one becomes on its way out, as somebody's own.
  'default_api_fs_read_a96b5b4dfb2d',
];

export const CALL_IDS = [
  'c1',
  'call_0',
  'functions.bash:0',
  'with space',
  '',
  'i'.repeat(41),
  'i'.repeat(300),
  'id\ud83d',
  'c1_2',
  'constructor',
];

export const TEXTS = [
  'look',
  'cut here: \ud83d',
  '\ude00 the other half',
  'whole 😀 pair',
  'nul \u0000 in it',
  'bell \u0007 and \u001b[31m red',
  '   ',
  '',
  'ends in blanks \n ',
  '\ufeff\u200b',
  '{"a":"\\ud83d"}',
];

const words = fc.constantFrom(...TEXTS);

/** As hosts hand them over, who do not always hold to the types. */
const inputs = fc.constantFrom<unknown>(
  { path: 'a.ts' },
  {},
  'raw words',
  '{"cut": "o',
  42,
  null,
  [1, 2],
  { 'key \udc00': 'value \ud800' },
  { __proto__: { a: 1 }, deep: [{ text: '\ud83d' }] },
  { count: 1e308, far: -1e-308, gone: null },
) as fc.Arbitrary<CallPart['input']>;

const media = fc.constantFrom<ContentPart>(
  { type: 'media', kind: 'image', mediaType: 'image/png', data: 'iVBORw0K' },
  { type: 'media', kind: 'image', mediaType: 'image/tiff', data: 'SUkqAA==', name: 'half \ud83d.tiff' },
  { type: 'media', kind: 'image', mediaType: 'image/*', url: 'file:///tmp/a.png' },
  { type: 'media', kind: 'document', mediaType: 'text/plain', data: '' },
  { type: 'media', kind: 'document', mediaType: 'application/zip', data: 'UEsDBA==', name: 'a.zip' },
  { type: 'media', kind: 'document', mediaType: 'application/pdf', url: 'https://example.org/a.pdf' },
  { type: 'media', kind: 'audio', mediaType: 'audio/ogg', data: 'T2dnUw==' },
  { type: 'media', kind: 'video', mediaType: 'video/mp4', url: 'gs://b/v.mp4' },
);

const content: fc.Arbitrary<ContentPart> = fc.oneof(
  { weight: 4, arbitrary: words.map(text) },
  { weight: 1, arbitrary: media },
);

const said: fc.Arbitrary<Part> = fc.oneof(
  { weight: 8, arbitrary: content as fc.Arbitrary<Part> },
  { weight: 1, arbitrary: fc.constant<Part>({ type: 'reasoning', text: 'half \ud83d of a thought' }) },
  { weight: 1, arbitrary: fc.constant<Part>({ type: 'native', wire: 'elsewhere', block: { type: 'odd' } }) },
);

/** Calls whose ids come again, some unanswered, some answered twice or too late. */
const round = fc
  .record({
    before: fc.array(said, { maxLength: 2 }),
    calls: fc.array(fc.tuple(fc.constantFrom(...CALL_IDS), fc.constantFrom(...TOOL_NAMES), inputs), { maxLength: 4 }),
    contents: fc.array(fc.tuple(fc.array(content, { maxLength: 3 }), fc.boolean()), { minLength: 4, maxLength: 4 }),
    order: fc.shuffledSubarray([0, 1, 2, 3]),
    isTwice: fc.boolean(),
    between: fc.array(said, { maxLength: 1 }),
  })
  .map(({ before, calls, contents, order, isTwice, between }): readonly NewMessage[] => {
    const answers = order
      .filter((at) => at < calls.length)
      .map((at) => result(calls[at]![0], contents[at]![0], contents[at]![1]));
    return [
      assistant([...before, ...calls.map(([id, tool, input]) => call(id, tool, input))]),
      ...(between.length === 0 ? [] : [user(between)]),
      ...(answers.length === 0 ? [] : [results(answers)]),
      ...(isTwice && answers.length > 0 ? [results(answers.slice(0, 1))] : []),
    ];
  });

/** Whatever a host may have recorded; the last thing is something to answer. */
export const hostileHistories: fc.Arbitrary<readonly NewMessage[]> = fc
  .record({
    opening: fc.array(said, { maxLength: 2 }),
    rounds: fc.array(
      fc.oneof({ weight: 4, arbitrary: round }, { weight: 1, arbitrary: said.map((one) => [user([one])]) }),
      {
        maxLength: 7,
      },
    ),
  })
  .map(({ opening, rounds }) => [user(opening), ...rounds.flat(), assistant('so far'), user('go on')]);
