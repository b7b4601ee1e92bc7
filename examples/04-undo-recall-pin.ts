/** What is hidden can be read, searched and brought back; what is pinned stays. */
import assert from 'node:assert/strict';
import { assistant, createSession, type Message, text, user } from '@palimpsest/core';

const session = createSession({ window: 6_000 });
const pinned = session.append(user('The release is called Heron. Keep that in mind.'));
session.pin(pinned);
for (let n = 1; n <= 30; n++) {
  session.append(user(`Step ${n}: what about part ${n}?`));
  session.append(assistant([text(`Part ${n} is done. ${`Detail ${n} of it. `.repeat(15)}`)]));
  await session.view();
}
const viewMessages = async (): Promise<readonly Message[]> => (await session.view()).messages;

const before = await viewMessages();
const receipt = await session.compact(); // what /compact does
assert.ok(receipt !== undefined && receipt.tokensAfter < receipt.tokensBefore);
const small = await viewMessages();
assert.ok(small.length < before.length);
assert.ok(small.some((message) => message.id === pinned));

const [line] = receipt.lines;
const recalled = session.recall.read(line!.refs[0]!);
assert.ok(recalled.messages.length > 0);
assert.equal(session.recall.search('Detail 7 of it')[0]?.message.role, 'assistant');

session.undo();
assert.equal(JSON.stringify(await viewMessages()), JSON.stringify(before));
console.log(`${before.length} messages, ${small.length} after compact, ${recalled.messages.length} read back, undone.`);
