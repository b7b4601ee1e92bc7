import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSession, writeClaudeCode } from '../src/index.ts';
import { readFixture } from './sketch.ts';

const WIRES: Readonly<Record<string, string>> = {
  'claude-code.jsonl': 'anthropic-messages',
  'claude-code-compacted.jsonl': 'anthropic-messages',
  'codex.jsonl': 'openai-responses',
  'gemini-contents.json': 'gemini',
  'opencode.json': 'copilot',
  'copilot.jsonl': 'copilot',
  'pi.jsonl': 'pi',
};

const signedParts = (name: string): readonly { readonly signature?: string; readonly native?: unknown }[] =>
  readFixture(name)
    .messages.flatMap((message) => message.parts)
    .filter((part) => 'signature' in part && part.signature !== undefined);

describe('a signature is kept under the name of what can send it back', () => {
  it.each(Object.entries(WIRES))('%s: %s', (name, wire) => {
    const parts = signedParts(name);
    expect(parts.length).toBeGreaterThan(0);
    for (const part of parts) expect(Object.keys(part.native as object)).toEqual([wire]);
  });

  it('no other fixture has one', () => {
    const names = readdirSync(new URL('fixtures', import.meta.url));
    for (const name of names.filter((one) => WIRES[one] === undefined)) expect(signedParts(name)).toEqual([]);
  });

  it('redacted thinking goes back as it came, and no foreign thinking is sent to Anthropic', () => {
    const line = (content: object): string =>
      JSON.stringify({
        type: 'assistant',
        uuid: 'r',
        parentUuid: null,
        message: { id: 'm', model: 'claude-opus-9', content: [content] },
      });
    const redacted = readSession(line({ type: 'redacted_thinking', data: 'secret' }));
    expect(redacted.messages[0]!.parts).toEqual([
      { type: 'reasoning', text: '', signature: 'secret', native: { 'anthropic-messages': { redacted: true } } },
    ]);
    expect(writeClaudeCode(redacted)).toContain('{"type":"redacted_thinking","data":"secret"}');
    const foreign = { ...readFixture('gemini-contents.json'), model: 'claude-opus-9' };
    expect(writeClaudeCode(foreign)).not.toContain('"type":"thinking"');
    expect(readSession(writeClaudeCode(foreign)).messages).toEqual(foreign.messages);
  });
});
