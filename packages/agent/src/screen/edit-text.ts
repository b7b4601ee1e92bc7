import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentError } from '../agent-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A text as the person left it in their own editor: VISUAL, EDITOR, else vi. The file is theirs alone, and gone afterwards. */
export async function editText(text: string, environment: Environment): Promise<string> {
  const editor = environment.VISUAL || environment.EDITOR || 'vi';
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-edit-'));
  const file = join(folder, 'summary.md');
  try {
    await writeFile(file, text, { mode: 0o600 });
    await runEditor(editor, file, environment);
    return await readFile(file, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** EDITOR may hold arguments (`code --wait`), so a shell reads it; the file's name is handed over, never pasted in. */
const runEditor = (editor: string, file: string, environment: Environment): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', env: environment });
    const fail = (why: string): void =>
      reject(new AgentError('bad-option', `the editor ${editor} ${why}: nothing was changed. Set EDITOR to another.`));
    child.once('error', (error) => fail(`could not be started (${error.message})`));
    child.once('close', (code) => (code === 0 ? resolve() : fail(`ended with ${code ?? 'a signal'}`)));
  });
