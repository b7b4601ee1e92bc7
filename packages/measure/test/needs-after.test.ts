import { assistant, result, results, user } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { findNeedsAfter } from '../src/needs/needs-after.ts';
import { newWordBook } from '../src/words/word-book.ts';
import { callTool, numberMessages } from './conversation.ts';

const before = numberMessages([
  user('Look at the parser, please. Never touch the lexer.'),
  ...callTool(
    'Read',
    { file_path: '/app/src/parser.ts' },
    'export function parseLine() {}\nexport const MAX_DEPTH = 512;\nexport const OLD_FLAG = 1;',
  ),
  ...callTool('Bash', { command: 'npm  test' }, 'ok'),
  user('Mind the tests. Go on.'),
]);
const after = numberMessages(
  [
    assistant('parseLine must respect MAX_DEPTH, and brandNewName too; parseLine first.'),
    ...callTool('Bash', { command: 'npm test' }, 'fails in src/parser.ts'),
    ...callTool('Read', { file_path: '/app/src/parser.ts' }, 'x'),
    ...callTool('Read', { file_path: '/app/src/new-file.ts' }, 'x'),
    ...callTool('Bash', { command: 'npm run lint' }, 'ok'),
    user('And what of OLD_FLAG?'),
    assistant('parseLine is done.'),
  ],
  100,
);

const book = newWordBook([...before, ...after]);
const needs = findNeedsAfter(before, after, book);
const wordsOf = (numbers: readonly number[]): readonly string[] => numbers.map(book.wordOf);

describe('what was needed after a compaction', () => {
  it('is what the agent itself used then and had seen before, and nothing else', () => {
    expect([...wordsOf(needs.names.identifiers)].sort()).toEqual(['/app/src/parser.ts', 'MAX_DEPTH', 'parseLine']);
  });

  it('begins with what was used in most messages', () => {
    expect(wordsOf(needs.names.identifiers)[0]).toBe('parseLine');
  });

  it('came from memory unless something showed it again first', () => {
    const later = numberMessages([results([result('z', 'MAX_DEPTH')]), assistant('parseLine, MAX_DEPTH')], 200);
    const shown = findNeedsAfter(before, later, book);
    expect([...wordsOf(shown.names.identifiers)].sort()).toEqual(['MAX_DEPTH', 'parseLine']);
    expect(wordsOf(shown.fromMemory)).toEqual(['parseLine']);
  });

  it('are the files, by name, and the commands of both sides, spacing aside', () => {
    expect(wordsOf(needs.names.files)).toEqual(['parser.ts']);
    expect(wordsOf(needs.names.commands)).toEqual(['npm test']);
  });

  it('are all sentences from before the first answer, and all that people typed later, whether or not the agent used them', () => {
    expect(needs.rules.map(({ text }) => text)).toEqual(['Look at the parser, please.', 'Never touch the lexer.']);
    expect(needs.words.map(({ text }) => text)).toEqual(['Mind the tests.']);
  });

  it('was acted on where it stood in a call, and not only in words', () => {
    expect(wordsOf(needs.acted)).toEqual(['/app/src/parser.ts']);
  });

  it('are pairs that stood within 100 characters before and were named so after; a name and its part are none', () => {
    const pairs = [...needs.relations.values()].map((pair) => wordsOf(pair).toSorted().join(' '));
    expect(pairs).toEqual(['MAX_DEPTH parseLine']);
  });

  it('is of the lines that edits replaced the longest of each, where it had been shown', () => {
    const edit = (old: string) =>
      callTool('Edit', { file_path: '/app/src/parser.ts', old_string: old, new_string: 'x' }, 'ok');
    const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n-export const OLD_FLAG = 1;\n+gone\n*** End Patch';
    const later = numberMessages(
      [
        ...edit('}\n  export const MAX_DEPTH = 512;\n'),
        ...edit('a line that nobody has seen'),
        ...callTool('apply_patch', patch, 'ok'),
      ],
      200,
    );
    expect(findNeedsAfter(before, later, book).editLines).toEqual([
      'export const MAX_DEPTH = 512;',
      'export const OLD_FLAG = 1;',
    ]);
  });

  it('is nothing where nothing was seen before', () => {
    const none = findNeedsAfter([], after, book);
    expect(none).toEqual({
      names: { identifiers: [], files: [], commands: [] },
      fromMemory: [],
      acted: [],
      relations: new Map(),
      editLines: [],
      rules: [],
      words: [],
    });
  });
});
