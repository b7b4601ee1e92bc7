import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PALIMPSEST = fileURLToPath(new URL('../../bin/palimpsest.mjs', import.meta.url));
const run = promisify(execFile);

/** A home and a folder of nobody's, in which the same commands print the same on every machine. */
export interface Stage {
  /** A command and what it prints, as one would see it. */
  shell(...words: readonly string[]): Promise<string>;
  /** What a script prints. */
  example(file: string): Promise<string>;
  /** `palimpsest sim`, a short conversation with it, Ctrl-C. */
  simulator(): Promise<string>;
  /** Everything was last written at the same moment. */
  stopClocks(): void;
}

const SOME_DAY = new Date(Date.UTC(2026, 10, 15, 3, 12));
const PORT = 8787;

export function newStage(home: string, folder: string): Stage {
  const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: '1' };
  const shown = (command: string, out: string): string =>
    `\`\`\`text\n$ ${command}\n${out.trimEnd().replaceAll(home, '/home/you')}\n\`\`\``;
  return {
    async shell(...words) {
      // The words are shown as a shell wants them, and handed over as it would.
      const args = words.map((word) => word.replace(/^'(.*)'$/, '$1'));
      const { stdout } = await run(process.execPath, [PALIMPSEST, ...args], { cwd: folder, env });
      return shown(`palimpsest ${words.join(' ')}`, stdout);
    },
    async example(file) {
      const { stdout } = await run(
        process.execPath,
        ['--import', import.meta.resolve('tsx'), '--conditions=palimpsest-source', file],
        { cwd: folder, env },
      );
      return `\`\`\`text\n${stdout.trimEnd()}\n\`\`\``;
    },
    async simulator() {
      const child = spawn(process.execPath, [PALIMPSEST, 'sim', '--window', '16000'], { cwd: folder, env });
      let out = '';
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString();
      });
      const closed = once(child, 'close');
      while (!out.includes('Ctrl-C')) {
        await Promise.race([once(child.stdout, 'data'), closed]);
        if (child.exitCode !== null) throw new Error(`the simulator ended: ${out}`);
      }
      const url = out.split('\n')[0]!;
      await converse(url);
      child.kill('SIGINT');
      await closed;
      const port = new RegExp(`:${new URL(url).port}\\b`, 'g');
      return shown(`palimpsest sim --port ${PORT} --window 16000`, out.replace(port, `:${PORT}`));
    },
    stopClocks() {
      for (const path of readdirSync(home, { recursive: true, encoding: 'utf8' }).reverse())
        utimesSync(join(home, path), SOME_DAY, SOME_DAY);
    },
  };
}

interface Answer {
  readonly choices: readonly { readonly message: { readonly tool_calls?: readonly { readonly id: string }[] } }[];
}

/** A few turns of an agent whose every tool answers the same, until the window is full. */
async function converse(url: string): Promise<void> {
  const messages: unknown[] = [{ role: 'user', content: 'Look through the folder.' }];
  for (;;) {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
      body: JSON.stringify({
        model: 'gpt-5.5',
        messages,
        tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }],
      }),
    });
    if (!response.ok) return;
    const { message } = ((await response.json()) as Answer).choices[0]!;
    messages.push(message);
    for (const { id } of message.tool_calls ?? [])
      messages.push({ role: 'tool', tool_call_id: id, content: 'export const rate = 0.19; // per line\n'.repeat(120) });
  }
}
