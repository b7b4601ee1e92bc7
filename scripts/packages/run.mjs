import { spawn } from 'node:child_process';

/** A process to its end: its exit code and what it printed. */
export function run(file, args, { input = '', onOut, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, options);
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
      onOut?.(out, child);
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** The same, where anything but code 0 is a failure. */
export async function runWell(file, args, options) {
  const ran = await run(file, args, options);
  if (ran.code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${ran.code}\n${ran.out}${ran.err}`);
  return ran;
}

/** All of them, so many at a time, in order. */
export async function inTurns(items, atOnce, work) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const i = next++;
      results[i] = await work(items[i]);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
