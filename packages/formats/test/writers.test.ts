import type { Message } from '@palimpsest/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSession, type SessionRecord, withCompaction, writeClaudeCode, writePi } from '../src/index.ts';
import { sessions } from './sessions.ts';
import { readFixture, sketch } from './sketch.ts';

const writers = { 'claude-code': writeClaudeCode, pi: writePi } as const;

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
}

/** The fields of either agent's lines that these tests look at. */
interface Line {
  readonly type: string;
  readonly subtype?: string;
  readonly id: string;
  readonly parentId?: string | null;
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly sessionId?: string;
  readonly sourceToolAssistantUUID?: string;
  readonly compactMetadata?: {
    readonly preservedSegment?: { readonly headUuid: string; readonly anchorUuid: string; readonly tailUuid: string };
  };
  readonly message?: {
    readonly id?: string;
    readonly role: string;
    readonly toolName?: string;
    readonly content: string | readonly Block[];
    readonly usage?: { readonly output_tokens: number };
  };
}

const blocksOf = (line: Line): readonly Block[] =>
  typeof line.message?.content === 'object' ? line.message.content : [];

const linesOf = (text: string): readonly Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

describe.each(Object.entries(writers))('a %s file that we wrote', (format, write) => {
  it('is read back identically, whatever the session', () => {
    fc.assert(
      fc.property(sessions, (session) => {
        const back = readSession(write(session));
        expect(back.format).toBe(format);
        expect(back.messages).toEqual(session.messages);
        expect(back.usage).toEqual(session.usage);
        expect(back.compactions).toEqual(session.compactions);
        expect(back.cwd).toBe(session.cwd);
      }),
      { numRuns: 300 },
    );
  });

  it('is written the same way twice', () => {
    fc.assert(
      fc.property(sessions, (session) => {
        expect(write(session)).toBe(write(session));
        expect(write(readSession(write(session)))).toBe(write(readSession(write(session))));
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    'claude-code-compacted.jsonl',
    'codex.jsonl',
    'opencode.json',
    'pi.jsonl',
    'gemini-chat-log.jsonl',
    'roo.json',
  ])('holds what %s held', (name) => {
    const recording = readFixture(name);
    const back = readSession(write(recording));
    expect(back.messages).toEqual(recording.messages);
    expect(back.compactions).toEqual(recording.compactions);
    expect(back.usage).toEqual(recording.usage);
    expect(back.viewAt(1e9)).toEqual(recording.viewAt(1e9));
  });

  it('goes on where our compaction left it', () => {
    const session = compactedByUs(readFixture('claude-code-compacted.jsonl'));
    const lines = linesOf(write(session));
    const last = lines.at(-1)!;
    const place =
      format === 'pi'
        ? { type: 'message', id: 'ffffffff', parentId: last.id, timestamp: '2026-03-03T00:00:00.000Z' }
        : { type: 'user', uuid: 'next', parentUuid: tipOf(lines), isSidechain: false };
    const next = { ...place, message: { role: 'user', content: 'more' } };
    const back = readSession(`${write(session)}${JSON.stringify(next)}\n`);
    const [put, kept, said] = sketch(back.viewAt(1e9));
    expect([put, kept]).toEqual(['sum palimpsest: What went before.', 'r6 model: Committed.']);
    expect(said).toMatch(/human: more$/);
    expect(back.viewAt(1e9)).toHaveLength(3);
  });
});

const summary: Message = {
  id: 'sum',
  role: 'user',
  origin: 'palimpsest',
  parts: [{ type: 'text', text: 'What went before.' }],
};

const compactedByUs = (session: SessionRecord): SessionRecord =>
  withCompaction(session, [summary, session.messages.at(-1)!], {
    type: 'summary',
    trigger: 'manual',
    tokensBefore: 1000,
    summary: 'What went before.',
    summaryId: 'sum',
  });

/** The line that Claude Code would parent the next one to. */
function tipOf(lines: readonly Line[]): string {
  const boundary = lines.findLast((line) => line.subtype === 'compact_boundary');
  return boundary?.compactMetadata?.preservedSegment?.tailUuid ?? lines.at(-1)!.uuid;
}

describe('the structure of a written Claude Code file', () => {
  const lines = linesOf(writeClaudeCode(compactedByUs(readFixture('claude-code.jsonl'))));
  const at = (uuid: string | null): number => lines.findIndex((line) => line.uuid === uuid);

  it('every line but the first and boundaries has its parent before it', () => {
    for (const [index, line] of lines.entries()) {
      if (index === 0 || line.subtype === 'compact_boundary') expect(line.parentUuid).toBeNull();
      else expect(at(line.parentUuid)).toBeLessThan(index);
      if (line.parentUuid !== null) expect(at(line.parentUuid)).toBeGreaterThanOrEqual(0);
      expect(line.sessionId).toBe('11111111-1111-4111-8111-111111111111');
      expect(line.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    }
    expect(new Set(lines.map((line) => line.uuid)).size).toBe(lines.length);
  });

  it('a response has a line for each block, all with its id and usage', () => {
    const response = lines.filter((line) => line.type === 'assistant').slice(0, 4);
    expect(response.map((line) => blocksOf(line).map((block) => block.type))).toEqual([
      ['thinking'],
      ['text'],
      ['tool_use'],
      ['tool_use'],
    ]);
    expect(new Set(response.map((line) => line.message?.id)).size).toBe(1);
    for (const line of response) expect(line.message?.usage?.output_tokens).toBe(42);
  });

  it('a result hangs off the line with its call, what follows off the last result', () => {
    const results = lines.filter((line) => blocksOf(line)[0]?.type === 'tool_result');
    for (const line of results) {
      const call = lines[at(line.parentUuid)]!;
      expect(blocksOf(call)[0]!.id).toBe(blocksOf(line)[0]!.tool_use_id);
      expect(line.sourceToolAssistantUUID).toBe(call.uuid);
    }
    expect(results).toHaveLength(3);
    const last = at(results[1]!.uuid);
    expect(lines[last + 1]!.parentUuid).toBe(results[1]!.uuid);
  });

  it('a compaction is a boundary, then the summary; the kept segment is named by head, anchor and tail', () => {
    const index = lines.findIndex((line) => line.subtype === 'compact_boundary');
    const [boundary, put] = [lines[index]!, lines[index + 1]!];
    expect(boundary).toMatchObject({ type: 'system', logicalParentUuid: lines[index - 1]!.uuid });
    expect(put).toMatchObject({ type: 'user', isCompactSummary: true, parentUuid: boundary.uuid });
    expect(put.message!.content).toBe('What went before.');
    expect(boundary.compactMetadata).toMatchObject({
      trigger: 'manual',
      preTokens: 1000,
      preservedSegment: { headUuid: lines[index - 1]!.uuid, anchorUuid: put.uuid, tailUuid: lines[index - 1]!.uuid },
    });
  });

  it('what is said after a compaction hangs off the last kept line, not off what was put in', () => {
    const written = linesOf(writeClaudeCode(readFixture('claude-code-compacted.jsonl')));
    const boundary = written.find((line) => line.compactMetadata?.preservedSegment !== undefined)!;
    const { anchorUuid, tailUuid } = boundary.compactMetadata!.preservedSegment!;
    expect(tailUuid).not.toBe(anchorUuid);
    const anchor = written.findIndex((line) => line.uuid === anchorUuid);
    expect(written[anchor + 1]!.parentUuid).toBe(tailUuid);
  });

  it('a walk from the last line leads through the kept messages and the summary to the boundary', () => {
    const { preservedSegment } = lines.find((line) => line.subtype === 'compact_boundary')!.compactMetadata!;
    const next = { ...lines[0]!, uuid: 'next', parentUuid: preservedSegment!.tailUuid };
    const path: string[] = [];
    for (let line: Line | undefined = next; line !== undefined; ) {
      path.unshift(line.subtype ?? line.type);
      // As the agent links it when it loads the file: the head of the segment hangs off the anchor.
      const parent: string | null =
        line.uuid === preservedSegment!.headUuid ? preservedSegment!.anchorUuid : line.parentUuid;
      line = lines.find((one) => one.uuid === parent);
    }
    expect(path).toEqual(['compact_boundary', 'user', 'user', 'user']);
  });

  it('what the API would refuse is not in it', () => {
    const session = readFixture('pi.jsonl');
    const written = linesOf(writeClaudeCode({ ...session, model: 'gpt-9' }));
    const blocks = written.flatMap(blocksOf);
    expect(blocks.filter((block) => block.type === 'thinking')).toEqual([]);
    for (const block of blocks.filter((one) => one.type === 'tool_use')) expect(block.id).toMatch(/^[a-zA-Z0-9_-]+$/);
  });
});

describe('the structure of a written pi file', () => {
  const entries = linesOf(writePi(compactedByUs(readFixture('pi.jsonl'))));

  it('is a chain from the head line on', () => {
    expect(entries[0]).toMatchObject({ type: 'session', version: 3, id: 'pi-session-1', cwd: '/home/ada/tool' });
    for (const [index, entry] of entries.slice(1).entries()) {
      expect(entry.parentId).toBe(index === 0 ? null : entries[index]!.id);
      expect(entry.id).toMatch(/^[0-9a-f]{8}$/);
    }
  });

  it('a compaction names the first kept entry', () => {
    const [first, second] = entries.filter((entry) => entry.type === 'compaction');
    expect(first).toMatchObject({ summary: 'It was tried twice.', firstKeptEntryId: '00000007', tokensBefore: 90000 });
    expect(second).toMatchObject({ summary: 'What went before.', firstKeptEntryId: '0000000d' });
  });

  it('no two entries have one id, though a summary is shown by two compactions', () => {
    const session = readFixture('pi.jsonl');
    const summary: Message = {
      id: '0000abcd',
      role: 'user',
      origin: 'palimpsest',
      parts: [{ type: 'text', text: 'It was tried.' }],
    };
    const twice = [1, 2].reduce<SessionRecord>(
      (before) => withCompaction(before, [summary, ...session.messages.slice(-1)], { type: 'summary' }),
      session,
    );
    const ids = linesOf(writePi(twice)).map(({ id }) => id);
    expect(ids.filter((id) => id === summary.id)).toHaveLength(1);
    expect(new Set(ids).size).toBe(ids.length);
    expect(readSession(writePi(twice)).compactions.map(({ visible }) => visible)).toEqual(
      twice.compactions.map(({ visible }) => visible),
    );
  });

  it('each result is an entry that names its tool', () => {
    const results = entries.filter((entry) => entry.message?.role === 'toolResult');
    expect(results.map((entry) => entry.message?.toolName)).toEqual(['bash']);
  });
});

it('a compaction added to a recording does not change the recording', () => {
  const recording = readFixture('claude-code-compacted.jsonl');
  const before = JSON.stringify(recording);
  const session = compactedByUs(recording);
  expect(JSON.stringify(recording)).toBe(before);
  expect(session.compactions.at(-1)).toMatchObject({
    at: 11,
    visible: ['sum', 'r6'],
    hidden: ['c1', 'r3', 't3', 'c2'],
  });
});

it('claude-code: a kept beginning is a segment anchored at the boundary itself, and is not written again', () => {
  const message = (id: string, role: Message['role'], words: string): Message => ({
    id,
    role,
    origin: role === 'user' ? 'human' : 'model',
    parts: [{ type: 'text', text: words }],
  });
  const messages = ['u1', 'a1', 'u2', 'a2'].map((id) =>
    message(id, id[0] === 'u' ? 'user' : 'assistant', `words of ${id}`),
  );
  const summary: Message = { ...message('s1', 'user', 'what u2 was about'), origin: 'palimpsest' };
  const plain: SessionRecord = { messages, usage: [], compactions: [] };
  const session = withCompaction(plain, [...messages.slice(0, 2), summary], { type: 'summary', summaryId: 's1' });
  const written = writeClaudeCode(session);
  const lines = linesOf(written);
  const boundary = lines.find((line) => line.subtype === 'compact_boundary')!;
  const segment = boundary.compactMetadata!.preservedSegment!;
  expect(segment.anchorUuid).toBe(boundary.uuid);
  expect([segment.headUuid, segment.tailUuid]).toEqual(lines.slice(0, 2).map((line) => line.uuid));
  expect(written.match(/words of u1/g)).toHaveLength(1);
  const back = readSession(written);
  expect(back.compactions).toEqual(session.compactions);
  expect(back.viewAfter(0).map(({ id }) => id)).toEqual(['u1', 'a1', 's1']);
});
