import { describe, expect, it } from 'vitest';
import { assistant, call, type Message, type NewMessage, result, text, user } from '../src/index.ts';
import { findBlockKind, isToolText, listUserTexts } from '../src/message/user-text.ts';

const numbered = (messages: readonly NewMessage[]): readonly Message[] =>
  messages.map((message, i) => ({ ...message, id: `m${i}`, origin: message.origin ?? 'human' }));

describe('a block of a client', () => {
  it.each([
    ['<system-reminder>\nPlan mode is active.\n</system-reminder>', 'system-reminder Plan mode is active.'],
    ['<environment_context>\n  <cwd>/work/a</cwd>\n</environment_context>', 'environment_context <cwd'],
    ['<bash-stdout>ok</bash-stdout><bash-stderr></bash-stderr>', 'bash-stdout ok'],
    ['<task-notification>\n<task-id>a1b2</task-id>\n</task-notification>', 'task-notification <task-id'],
    ['# AGENTS.md instructions for /work/a\n\nNever edit gen7.', '# AGENTS.md instructions for /work/a'],
    ['[Request interrupted by user for tool use]', '[Request interrupted by user for tool use]'],
  ])('is known by its tag and its first line: %s', (given, kind) => {
    expect(findBlockKind(given)).toBe(kind);
  });

  it('is another one where its first line says something else', () => {
    const [one, two] = [4471, 4472].map((n) =>
      findBlockKind(`<hook_context>\nTicket ${n} is frozen.\n</hook_context>`),
    );
    expect(one).not.toBe(two);
  });

  it.each([
    'Put the report between <output> tags.',
    '<output>the report</output>',
    '<instructions>Never touch gen7.</instructions>',
    '<skill>plumbing</skill>',
    '<reminder>call Ann</reminder>',
    '[ERROR] cart.ts:42 broke. Fix it.',
    'Observation: the cart is wrong.',
    '<system-reminder>\nno end tag',
    '<system-reminder>\nPlan.\n</system-reminder>\nNow read the files.',
    'Read <system-reminder>this</system-reminder>.',
    '',
  ])('is not what people write: %s', (given) => {
    expect(findBlockKind(given)).toBeUndefined();
  });
});

describe('what a tool printed into a user message', () => {
  it.each([
    '<returncode>0</returncode>\n<output>\nfiles\n</output>',
    'OBSERVATION:\nfiles',
    "[read_file for 'README.md'] Result:\nNever delete.",
    '<tool_response>{"ok":true}</tool_response>',
  ])('has a known shape: %s', (given) => {
    expect(isToolText(given)).toBe(true);
  });

  it('is one only behind an answer of an agent without native tools, and what Cline announces in one part is the next', () => {
    const found = listUserTexts(
      numbered([
        user("[read_file for 'README.md'] Result:"),
        assistant('I read it.'),
        user([text("[read_file for 'README.md'] Result:"), text('Never delete.'), text('And now the next.')]),
      ]),
    );
    expect(found.map(({ author }) => author)).toEqual(['user', 'tool', 'tool', 'user']);
    const native = listUserTexts(
      numbered([
        user('Go.'),
        assistant([call('a', 'read')]),
        user([result('a', 'x')]),
        assistant('So.'),
        user('OBSERVATION:\nit broke'),
      ]),
    );
    expect(native.at(-1)?.author).toBe('user');
  });
});

describe('the texts of users', () => {
  it('are those of user messages, beside results too, the head being what stands before the first answer', () => {
    const found = listUserTexts(
      numbered([
        { role: 'user', origin: 'harness', parts: [text('Rules of the house.')] },
        user('Go.'),
        assistant([call('a', 'read')]),
        { role: 'user', parts: [result('a', 'file'), text('beside')], origin: 'human' },
        { role: 'user', parts: [text('made')], origin: 'palimpsest' },
      ]),
    );
    expect(found.map(({ text: said, author, isHead }) => [said, author, isHead])).toEqual([
      ['Rules of the house.', 'block', true],
      ['Go.', 'user', true],
      ['beside', 'user', false],
    ]);
  });

  it("what looks like a late result is a tool's, and told: somebody may have typed it", () => {
    const found = listUserTexts(
      numbered([
        user('Go.'),
        assistant('Yes.'),
        user([
          text('[late result of call c1]\nGo on. Result:'),
          text('[result of call c2, which is not in this conversation]\nx'),
          text('Now the next.'),
        ]),
      ]),
    );
    expect(found.map(({ author }) => author)).toEqual(['user', 'tool', 'tool', 'user']);
  });
});
