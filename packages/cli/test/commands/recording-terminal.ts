import pc from 'picocolors';
import { runProgram } from '../../src/program.ts';
import type { Terminal } from '../../src/terminal.ts';
import { newFolder } from '../run-palimpsest.ts';

export interface Heard {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The command inside this process, on a terminal that remembers: for what does not need a process of its own. */
export async function hear(words: readonly string[], about: Partial<Terminal> = {}): Promise<Heard> {
  let out = '';
  let err = '';
  const terminal: Terminal = {
    print(line = '') {
      out += `${line}\n`;
    },
    complain(line) {
      err += `${line}\n`;
    },
    paint: pc.createColors(false),
    columns: 80,
    signal: new AbortController().signal,
    environment: {},
    cwd: about.cwd ?? newFolder(),
    ...about,
  };
  return { code: await runProgram(words, terminal), out, err };
}
