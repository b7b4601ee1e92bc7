import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const source = fileURLToPath(new URL('../src/http/lower-helper-threads.ts', import.meta.url));

/** The priorities of a fresh process, before and after: of its main thread, and of the others. */
const script = `
  import { readdirSync } from 'node:fs';
  import { getPriority } from 'node:os';
  import { lowerHelperThreads } from ${JSON.stringify(source)};
  const readAll = () => {
    const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
    return Object.fromEntries(threads.map((thread) => [thread, getPriority(thread)]));
  };
  const before = readAll();
  lowerHelperThreads();
  const count = lowerHelperThreads();
  console.log(JSON.stringify({ main: process.pid, before, count, after: readAll() }));
`;

it('threads beside the main one give way to it, on Linux, however often that is said; elsewhere nothing changes', () => {
  const out = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  const { main, before, count, after } = JSON.parse(out) as {
    main: number;
    before: Record<string, number>;
    count: number;
    after: Record<string, number>;
  };
  expect(after[main]).toBe(before[main]);
  const helpers = Object.keys(before).filter((thread) => Number(thread) !== main);
  expect(count).toBe(helpers.length);
  if (process.platform === 'linux') expect(count).toBeGreaterThan(0);
  for (const thread of helpers) expect(after[thread]).toBe(Math.min(19, before[main]! + 3));
});
