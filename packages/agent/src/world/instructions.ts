import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type NewMessage, text } from '@palimpsest/core';
import { keepHead } from '@palimpsest/terminal';

const FILES = ['AGENTS.md', 'CLAUDE.md'];
const TAG = '<folder-instructions>';

export interface Instructions {
  readonly message: NewMessage;
  readonly files: readonly string[];
}

/** What the folder asks of whoever works in it, as the files say it now; undefined where there are none. */
export async function readInstructions(root: string, maxChars: number): Promise<Instructions | undefined> {
  const found: { readonly name: string; readonly body: string }[] = [];
  for (const name of FILES) {
    const body = (await readFile(join(root, name), 'utf8').catch(() => '')).trim();
    // One is often a link to the other.
    if (body !== '' && found.every((one) => one.body !== body)) found.push({ name, body });
  }
  if (found.length === 0) return undefined;
  const each = Math.floor(maxChars / found.length);
  const bodies = found.map(({ name, body }) =>
    body.length <= each
      ? `# ${name}\n${body}`
      : `# ${name} (its first ${each} characters; read_file shows all)\n${keepHead(body, each)}`,
  );
  return {
    message: { role: 'user', origin: 'harness', parts: [text([TAG, ...bodies, '</folder-instructions>'].join('\n'))] },
    files: found.map(({ name }) => name),
  };
}
