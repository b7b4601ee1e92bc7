/** A session in files: the process may die at any moment, the next one goes on with the same view, byte for byte. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assistant, call, createSession, result, results, type Session, user } from '@palimpsest/core';
import { fileStore } from '@palimpsest/store';

const dir = await mkdtemp(join(tmpdir(), 'palimpsest-example-'));
const store = fileStore({ dir });

const open = async (): Promise<{ session: Session; close(): Promise<void> }> => {
  const { records, journal, stash } = await store.open('kitchen');
  const session = createSession({ window: 8_000, records, journal, ports: { stash } });
  return { session, close: () => journal.close() };
};

try {
  const first = await open();
  first.session.append(user('Look through the logs of all ten days.'));
  for (let day = 1; day <= 10; day++) {
    first.session.append(assistant([call(`day-${day}`, 'read_file', { path: `logs/day-${day}.txt` })]));
    first.session.append(results([result(`day-${day}`, `day ${day}: all was quiet\n`.repeat(400))]));
    await first.session.view();
  }
  const before = await first.session.view();
  await first.close(); // the process ends here

  const second = await open();
  const after = await second.session.view();
  assert.equal(JSON.stringify(after.messages), JSON.stringify(before.messages));
  assert.ok(second.session.receipts().some((receipt) => receipt.lines.some((line) => line.stashed.length > 0)));
  await second.close();
  console.log(`Closed and opened again: the same ${after.messages.length} messages in view, byte for byte.`);
} finally {
  await rm(dir, { recursive: true });
}
