import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** The files of the project that match any of these globs, as paths from its root, in order; nothing ignored by git. */
export function listFiles(...globs) {
  const specs = globs.map((glob) => `:(glob)${glob}`);
  const out = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...specs], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return [...new Set(out.split('\0'))].filter((file) => file !== '' && existsSync(ROOT + file)).sort();
}
