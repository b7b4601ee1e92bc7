import { describe, expect, it } from 'vitest';
import { detectFormat, FormatError, type FormatName, readSession } from '../src/index.ts';
import { fixture, sketch } from './sketch.ts';

const FORMATS: Readonly<Record<string, FormatName>> = {
  'claude-code.jsonl': 'claude-code',
  'claude-code-compacted.jsonl': 'claude-code',
  'claude-code-forked.jsonl': 'claude-code',
  'codex.jsonl': 'codex',
  'codex-first.jsonl': 'codex',
  'opencode.json': 'opencode',
  'pi.jsonl': 'pi',
  'pi-first.jsonl': 'pi',
  'gemini-chat.json': 'gemini-chat',
  'gemini-chat-log.jsonl': 'gemini-chat',
  'gemini-contents.json': 'gemini-contents',
  'cline.json': 'cline',
  'roo.json': 'cline',
  'copilot.jsonl': 'copilot',
  'swe-agent.json': 'swe-agent',
  'mini-swe-agent.json': 'mini-swe-agent',
  'openhands.jsonl': 'openhands',
  'openhands-events.json': 'openhands',
};

const failureOf = (action: () => unknown): FormatError => {
  try {
    action();
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('a format is told by its content', () => {
  it.each(Object.entries(FORMATS))('%s is %s', (name, format) => {
    expect(detectFormat(fixture(name))).toBe(format);
    expect(readSession(fixture(name)).format).toBe(format);
  });

  it.each(Object.keys(FORMATS))('%s reads the same from bytes, with a byte order mark and with CRLF', (name) => {
    const text = fixture(name);
    const plain = sketch(readSession(text).messages);
    expect(sketch(readSession(new TextEncoder().encode(text)).messages)).toEqual(plain);
    expect(sketch(readSession(`\uFEFF${text}`).messages)).toEqual(plain);
    expect(sketch(readSession(new TextEncoder().encode(`\uFEFF${text}`)).messages)).toEqual(plain);
    expect(sketch(readSession(text.replaceAll('\n', '\r\n')).messages)).toEqual(plain);
  });

  it('a document on one line is read like one on many', () => {
    for (const name of Object.keys(FORMATS).filter((one) => one.endsWith('.json'))) {
      const oneLine = JSON.stringify(JSON.parse(fixture(name)));
      expect(sketch(readSession(oneLine).messages)).toEqual(sketch(readSession(fixture(name)).messages));
    }
  });

  it('a session with a single line is recognized', () => {
    for (const name of ['claude-code-forked.jsonl', 'codex.jsonl', 'pi.jsonl', 'copilot.jsonl']) {
      const [first] = fixture(name).split('\n');
      expect(detectFormat(first!)).toBe(FORMATS[name]);
    }
  });

  it('a session that was only opened has no messages', () => {
    expect(
      readSession('{"type":"summary","summary":"x","leafUuid":"y"}\n{"type":"mode","mode":"normal","sessionId":"z"}\n')
        .messages,
    ).toEqual([]);
  });
});

describe('what cannot be read is refused with what was looked for', () => {
  it.each([
    ['a text', 'Dear diary,\n'],
    ['nothing', ''],
    ['other JSON', '{"name":"package","version":"1.0.0"}'],
    ['other lines', '{"level":"info","msg":"started"}\n{"level":"info","msg":"stopped"}\n'],
    ['a list of other things', '[{"role":"user"},{"role":"robot"}]'],
    ['an empty list', '[]'],
  ])('%s is of no known format', (_, text) => {
    expect(detectFormat(text)).toBeUndefined();
    const failure = failureOf(() => readSession(text));
    expect(failure.code).toBe('unknown-format');
    for (const format of new Set(Object.values(FORMATS))) expect(failure.message).toContain(`- ${format}:`);
  });

  it('a document that is cut off is corrupt', () => {
    const failure = failureOf(() => readSession(fixture('opencode.json').slice(0, 900)));
    expect(failure.code).toBe('corrupt');
    expect(detectFormat(fixture('opencode.json').slice(0, 900))).toBeUndefined();
  });

  it('a session said to be of another format is corrupt', () => {
    const failure = failureOf(() => readSession(fixture('pi.jsonl'), { format: 'codex' }));
    expect(failure.code).toBe('corrupt');
    expect(failure.message).toContain('payload');
    expect(readSession(fixture('pi.jsonl'), { format: 'pi' }).format).toBe('pi');
  });
});

describe('a live or damaged file of lines is read as far as it goes', () => {
  it('cut anywhere in its last line, the session is read up to it', () => {
    const lines = fixture('pi.jsonl').trimEnd().split('\n');
    const whole = sketch(readSession(lines.slice(0, -1).join('\n')).messages);
    for (const length of [1, 20, lines.at(-1)!.length - 1]) {
      const cut = readSession([...lines.slice(0, -1), lines.at(-1)!.slice(0, length)].join('\n'));
      expect(sketch(cut.messages)).toEqual(whole);
      expect(cut.notes).toContain(`line ${lines.length} is half-written; the session was read up to it`);
    }
  });

  it('a broken line in the middle is left out and named', () => {
    const lines = fixture('codex.jsonl').trimEnd().split('\n');
    lines.splice(5, 0, '{"timestamp":"2026-0', '\u0000\u0000');
    const recording = readSession(lines.join('\n'));
    expect(recording.notes).toContain('2 line(s) are no JSON and were left out: 6, 7');
    expect(recording.messages).toHaveLength(readSession(fixture('codex.jsonl')).messages.length);
  });
});
