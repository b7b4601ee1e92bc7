import { assistant, type NewMessage, user } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { isSaid, listWrittenText } from '../src/words/said.ts';
import { callTool, numberMessages } from './conversation.ts';

const written = (...messages: readonly NewMessage[]) => {
  const { head, typed } = listWrittenText(numberMessages(messages));
  return { head: head.map(({ text }) => text), typed: typed.map(({ text }) => text) };
};

/** A user message by the client, such as a reminder. */
const client = (text: string): NewMessage => ({ ...user(text), origin: 'harness' });

describe('what stood before the first answer', () => {
  it('is every sentence of every user message there, whoever wrote it', () => {
    expect(
      written(
        client('# AGENTS.md\nUse tabs everywhere.\n- never edit db/schema.sql'),
        user('<output>Look at the parser.</output> What is slow?'),
        assistant('I look.'),
      ),
    ).toEqual({
      head: [
        '# AGENTS.md',
        'Use tabs everywhere.',
        '- never edit db/schema.sql',
        '<output>Look at the parser.</output> What is slow?',
      ],
      typed: [],
    });
  });

  it('is all that was written where no answer has come yet', () => {
    expect(written(user('Look at the parser.'), user('And at the lexer.'))).toEqual({
      head: ['Look at the parser.', 'And at the lexer.'],
      typed: [],
    });
  });

  it('is no result of a tool, and nothing that the engine wrote', () => {
    const result = callTool('Read', { file_path: 'a.ts' }, 'export const limit = 7;')[1];
    const summary: NewMessage = { ...user('[Summary of 9 earlier messages]'), origin: 'palimpsest' };
    expect(written(...(result === undefined ? [] : [result]), summary, user('Look at it now.'))).toEqual({
      head: ['Look at it now.'],
      typed: [],
    });
  });
});

describe('what was typed later', () => {
  it('is every sentence of messages by people, and none of what a client wrote', () => {
    expect(
      written(
        user('Look at the parser.'),
        assistant('I look. It is slow.'),
        client('<system-reminder>The list is empty.</system-reminder>'),
        user('Never touch the lexer! Is that clear?'),
        assistant('It is clear.'),
        user('Then go on with it.'),
      ).typed,
    ).toEqual(['Never touch the lexer!', 'Is that clear?', 'Then go on with it.']);
  });

  it('is counted once, with the place where it was said first, and not again where the head has it', () => {
    const messages = numberMessages([
      user('Mind the tests.'),
      assistant('I do.'),
      user('Keep the names.'),
      assistant('I do.'),
      user('Keep   the names. Mind the tests. Keep the order.'),
    ]);
    expect(listWrittenText(messages)).toEqual({
      head: [{ text: 'Mind the tests.', at: 0 }],
      typed: [
        { text: 'Keep the names.', at: 2 },
        { text: 'Keep the order.', at: 4 },
      ],
    });
  });
});

describe('a sentence', () => {
  it.each([
    [
      'ends at a full stop, an exclamation or a question mark before a space',
      'One is it. Two is it! Three is it? Four is it',
      4,
    ],
    ['ends at the end of a line', 'the first line\n\nthe second line', 2],
    ['ends at a full stop of Chinese without a space', '绝对不要修改迁移文件夹。请先把测试全部跑一遍！', 2],
    ['does not end inside a name or a number', 'version 1.2.3 of db.migrations is kept', 1],
    ['does not count below 8 characters, where it says nothing', 'ok.\n});\n1234567\n12345678', 1],
  ])('%s', (_title, said, count) => {
    expect(written(user(said)).head).toHaveLength(count);
  });

  it('is written with single spaces', () => {
    expect(written(user('  Never\t touch   the lexer.')).head).toEqual(['Never touch the lexer.']);
  });
});

describe('a view', () => {
  const [said] = listWrittenText(numberMessages([user('Never  touch the lexer.')])).head;
  const holds = (...shown: readonly string[]): boolean => said !== undefined && isSaid(said, shown);

  it('holds a sentence that stands in one of its texts word for word', () => {
    expect(holds('Hello.', 'He said: Never touch the lexer. Then he left.')).toBe(true);
    expect(holds('> Never touch the lexer.')).toBe(true);
  });

  it('does not hold a sentence that is worded otherwise, cut, or spread over two texts', () => {
    expect(holds('Never touch a lexer.')).toBe(false);
    expect(holds('never touch the lexer.')).toBe(false);
    expect(holds('Never touch the […]')).toBe(false);
    expect(holds('Never touch', 'the lexer.')).toBe(false);
    expect(holds()).toBe(false);
  });
});
