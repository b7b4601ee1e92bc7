import { assistant, user } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { findLosses, type Losses } from '../src/held/losses.ts';
import { findNeedsAfter } from '../src/needs/needs-after.ts';
import { newWordBook } from '../src/words/word-book.ts';
import { callTool, numberMessages } from './conversation.ts';

const before = numberMessages([
  user('Never touch the lexer.'),
  ...callTool(
    'Read',
    { file_path: '/app/src/parser.ts' },
    'export const MAX_DEPTH = 47110;\nexport function parseLine()',
  ),
  ...callTool('Bash', { command: 'npm test' }, 'ok'),
  user('Keep the old names.'),
]);
const after = numberMessages(
  [
    assistant('parseLine reads MAX_DEPTH, which is 47110.'),
    ...callTool(
      'Edit',
      { file_path: '/app/src/parser.ts', old_string: 'export function parseLine()', new_string: '' },
      'x',
    ),
    ...callTool('Bash', { command: 'npm test' }, 'ok'),
  ],
  100,
);
const book = newWordBook([...before, ...after]);
const needs = findNeedsAfter(before, after, book);

const lossesOf = (summary: string): Losses => findLosses(numberMessages([user(summary)], 200), needs, book);

describe('a view', () => {
  it('that is whole loses nothing', () => {
    for (const { needed, lost } of Object.values(findLosses(before, needs, book))) {
      expect(needed).toBeGreaterThan(0);
      expect(lost).toEqual([]);
    }
  });

  it('that says nothing loses everything', () => {
    for (const { needed, lost } of Object.values(lossesOf('Much was done.'))) expect(lost).toHaveLength(needed);
  });

  it('holds a name only as a word of its own, never as a piece of a longer one', () => {
    expect(lossesOf('parseLineOf MAX_DEPTHS 471100').identifiers.lost).toEqual(
      expect.arrayContaining(['parseLine', 'MAX_DEPTH', '47110']),
    );
    expect(lossesOf('`parseLine`, (MAX_DEPTH) = 47110.').identifiers.lost).toEqual(['/app/src/parser.ts']);
  });

  it('holds a file by its name, and a path only whole or by a longer one', () => {
    expect(lossesOf('in parser.ts').files.lost).toEqual([]);
    expect(lossesOf('in parser.ts').identifiers.lost).toContain('/app/src/parser.ts');
    expect(lossesOf('in old-parser.tsx').files.lost).toEqual(['parser.ts']);
  });

  it('holds a command and what the user said word for word, but for spacing', () => {
    const { commands, rules, words } = lossesOf('Ran npm\n  test. Never  touch\nthe lexer. Keep the\told names.');
    expect([commands.lost, rules.lost, words.lost]).toEqual([[], [], []]);
    expect(lossesOf('Never touch a lexer. Ran npm run test.')).toMatchObject({
      commands: { lost: ['npm test'] },
      rules: { lost: ['Never touch the lexer.'] },
      words: { lost: ['Keep the old names.'] },
    });
  });

  it('holds a relation only where both names stand near each other', () => {
    const far = `parseLine${' so much for that'.repeat(8)} and MAX_DEPTH = 47110`;
    const torn = lossesOf(far).relations.lost.map((pair) => pair.split(' ~ ').toSorted().join(' '));
    expect(torn.toSorted()).toEqual(['47110 parseLine', 'MAX_DEPTH parseLine']);
    expect(lossesOf('MAX_DEPTH = 47110 bounds parseLine').relations.lost).toEqual([]);
    expect(lossesOf('parseLine, MAX_DEPTH, 47110').identifiers.lost).toEqual(['/app/src/parser.ts']);
  });

  it('holds a line that an edit replaced as it was, to the letter', () => {
    expect(lossesOf('there is export function parseLine()').editLines).toEqual({ needed: 1, lost: [] });
    expect(lossesOf('there is export function parseLine ()').editLines.lost).toEqual(['export function parseLine()']);
  });

  it('is asked for what was used from memory apart from what was used at all', () => {
    const { identifiers, fromMemory } = lossesOf('parseLine');
    expect(identifiers.needed).toBe(4);
    expect(fromMemory.lost).not.toContain('parseLine');
  });
});
