// Appends without end and says what was acknowledged, until it is killed.
import { writeSync } from 'node:fs';
import { numberedRecord, stashText } from '@palimpsest/testing/children/numbered-record';
import { fileStore } from '../../src/file-store.ts';

const dir = process.argv[2]!;
const say = (line: string): void => void writeSync(1, `${line}\n`);

say('ready');
const id = await new Promise<string>((resolve) => process.stdin.once('data', (text) => resolve(String(text).trim())));
say('opening');
const session = await fileStore({ dir }).open(id);
let next = session.records.length;
say(`opened ${next}`);

const one = async (): Promise<void> => {
  for (;;) {
    const count = 1 + (next % 3);
    const first = next;
    next += count;
    await session.journal.append(Array.from({ length: count }, (_, i) => numberedRecord(first + i)));
    say(`acknowledged ${first + count - 1}`);
    if (first % 4 === 0) say(`stashed ${first} ${await session.stash.put(stashText(first))}`);
  }
};

// Three at once, so that appends are grouped.
await Promise.all([one(), one(), one()]);
