import type { Script, SimCall, SimRequest } from '@palimpsest/sim';
import { pathOf } from './make-project.ts';

/** How the agents' tools for reading are called and fed, by the names that they offer them under. */
const TOOLS: readonly [string, (path: string, folder: string) => SimCall['input']][] = [
  ['Read', (path, folder) => ({ file_path: `${folder}/${path}` })],
  ['read', (path, folder) => ({ filePath: `${folder}/${path}`, path })],
  ['read_file', (path, folder) => ({ file_path: `${folder}/${path}`, absolute_path: `${folder}/${path}` })],
  ['exec_command', (path) => ({ cmd: `cat ${path}` })],
  ['shell', (path) => ({ command: ['bash', '-lc', `cat ${path}`] })],
];

/** Only what the tool's own schema knows: agents refuse the rest. */
function pickKnown(input: SimCall['input'], { body }: SimRequest, name: string): SimCall['input'] {
  const found = JSON.stringify(body.tools ?? []);
  const from = found.indexOf(`"name":"${name}"`);
  const about = found.slice(from, from + 4_000);
  return Object.fromEntries(Object.entries(input).filter(([key]) => about.includes(`"${key}"`)));
}

/** Reads one file after the other with whatever tool for it there is, and says so at the end. */
export function readingModel(folder: string, files: number): Script & { readonly read: () => number } {
  let read = 0;
  const script: Script = (request) => {
    const [name, makeInput] = TOOLS.find(([one]) => request.tools.includes(one)) ?? [];
    // Titles, checks and the like have no tools.
    if (name === undefined || makeInput === undefined) return { text: 'Reading the ledger' };
    if (read >= files) return { text: 'All parts are read.' };
    const input = pickKnown(makeInput(pathOf(read), folder), request, name);
    return { thinking: 'The next part.', text: `Part ${read++}.`, calls: [{ name, input }] };
  };
  return Object.assign(script, { read: () => read });
}
