/** Without a session: a list of messages goes in, one that fits comes out. Here the AI SDK's; the other SDKs have the same line. */
import assert from 'node:assert/strict';
import { compactMessages } from '@palimpsest/sdk/ai-sdk';
import type { ModelMessage } from 'ai';

const messages: ModelMessage[] = [{ role: 'user', content: 'Read every chapter. Never tell how it ends.' }];
for (let i = 1; i <= 80; i++) {
  const toolCallId = `call-${i}`;
  const value = `Chapter ${i}. ${'The rain went on, and nobody came to the mill. '.repeat(20)}`;
  messages.push(
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: 'read', input: { chapter: i } }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: 'read', output: { type: 'text', value } }] },
    { role: 'assistant', content: `Chapter ${i} is read.` },
    { role: 'user', content: 'Go on.' },
  );
}

const kept = compactMessages(messages, { window: 8_000 });

assert.ok(kept.length < messages.length);
assert.match(JSON.stringify(kept), /Never tell how it ends\./);
assert.deepEqual(kept.at(-1), { role: 'user', content: 'Go on.' });
assert.deepEqual(compactMessages(messages, { window: 8_000 }), kept);
console.log(`${messages.length} messages became ${kept.length}; the rule stands in them word for word.`);
