// Does as it is told, line by line, and says how it went; its parent limits the size of the files it may write.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { numberedRecord } from '@palimpsest/testing/children/numbered-record';
import { fileStore } from '../../src/file-store.ts';

const say = (line: string): void => void writeSync(1, `${line}\n`);
const session = await fileStore({ dir: process.argv[2]! }).open('s');
const outcome = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'ok',
    (error: { code?: string }) => String(error.code),
  );

say('opened');
for await (const line of createInterface({ input: process.stdin })) {
  const [order, ...numbers] = line.split(' ');
  if (order === 'append') {
    // One append for each pair of number and size, all at once.
    const appends: Promise<string>[] = [];
    for (let i = 0; i < numbers.length; i += 2)
      appends.push(outcome(session.journal.append([numberedRecord(Number(numbers[i]), Number(numbers[i + 1]))])));
    say(`result ${(await Promise.all(appends)).join(' ')}`);
  }
  if (order === 'stash') say(`result ${await outcome(session.stash.put('s'.repeat(Number(numbers[0]))))}`);
  if (order === 'close') {
    await session.journal.close();
    say('result closed');
    break;
  }
}
process.exit(0);
