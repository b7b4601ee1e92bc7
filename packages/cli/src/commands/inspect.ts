import { resolve } from 'node:path';
import type { PresetName } from '@palimpsest/core';
import {
  type Course,
  embedInspection,
  type Inspector,
  readPage,
  renderPage,
  serveInspection,
  USUAL_ROOM,
} from '@palimpsest/inspector';
import { formatBytes, formatCount, oneLine } from '@palimpsest/terminal';
import { Command } from 'commander';
import { checkTarget, writeResult } from '../files/write-result.ts';
import { followFile } from '../inspect/follow-file.ts';
import { findOpener, openBrowser } from '../inspect/open-browser.ts';
import { type Inspected, openInspected } from '../inspect/open-inspected.ts';
import { parsePort, parsePresetNames, SESSION_WORDS, windowOption } from '../options/shared-options.ts';
import { newProgress } from '../printing/progress.ts';
import { findNamed } from '../stores/open-session.ts';
import { dirOption } from '../stores/store-folder.ts';
import { isAtTerminal, type Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

interface InspectFlags {
  readonly html?: string;
  readonly force?: true;
  readonly preset?: readonly PresetName[];
  readonly audit?: true;
  readonly window?: number;
  readonly port: number;
  readonly open: boolean;
  readonly dir?: string;
}

export const inspectCommand = (terminal: Terminal): Command =>
  new Command('inspect')
    .summary('see what the model saw, what went, and why')
    .description('a page that shows what the model saw at every call, what went, why, at what price, and where it is')
    .argument('[session]', `${SESSION_WORDS}; or the address that a gateway printed`)
    .option('--html <file>', 'write the page as one file that needs no server, instead of serving it')
    .option('--force', 'with --html: write over a file that is there')
    .option('--preset <names>', 'with --html: also the same messages under these presets', parsePresetNames)
    .option('--audit', 'with --html: also what its compactions lost, as palimpsest audit has it')
    .addOption(windowOption())
    .option('--port <number>', 'where to serve it on this machine (default: any that is free)', parsePort, 0)
    .option('--no-open', 'do not open a browser')
    .addOption(dirOption())
    .addHelpText(
      'after',
      `
The page is served on this machine alone, under a key that its address holds, and
asks nothing of any other host. Secrets that Palimpsest knows are taken out.

Examples:
  palimpsest inspect ~/.claude/projects/my-project/0c1d….jsonl
  palimpsest inspect 20261115-0312 --html inspection.html`,
    )
    .action(async (named: string | undefined, flags: InspectFlags) => run(terminal, named, flags));

async function run(terminal: Terminal, named: string | undefined, flags: InspectFlags): Promise<void> {
  if (named !== undefined && /^https?:\/\//.test(named)) return openAddress(terminal, named, flags);
  const { dir, window } = flags;
  const inspected = openInspected(await findNamed(terminal, named, dir), {
    environment: terminal.environment,
    signal: terminal.signal,
    ...(dir === undefined ? {} : { dir }),
    ...(window === undefined ? {} : { window }),
  });
  if (flags.html === undefined) await serve(terminal, inspected, flags);
  else await writePage(terminal, inspected, flags.html, flags);
}

/** A gateway serves the page itself. */
async function openAddress(terminal: Terminal, address: string, { html, open }: InspectFlags): Promise<void> {
  if (html !== undefined)
    throw new UsageError('--html needs a session or a file: a page that is served has a link that saves it.');
  const answer = await fetch(address, { signal: terminal.signal }).catch(() => undefined);
  if (answer?.headers.get('content-type')?.startsWith('text/html') !== true)
    throw new Error(
      answer?.status === 403
        ? 'the gateway there asks for a key: use the address that it printed at its start, with ?key=…'
        : 'no page of a gateway is there: use the address that it printed at its start.',
    );
  terminal.print(oneLine(address));
  const opener = open && isAtTerminal() ? findOpener(terminal.environment) : undefined;
  if (opener !== undefined) openBrowser(address, opener);
}

async function writePage(terminal: Terminal, inspected: Inspected, out: string, flags: InspectFlags): Promise<void> {
  const { input } = inspected;
  const target = {
    file: resolve(terminal.cwd, out),
    force: flags.force === true,
    ...(input === undefined ? {} : { input }),
  };
  await checkTarget(target);
  const progress = newProgress();
  progress.show(`${inspected.title}…`);
  try {
    const inspector = await inspected.read();
    const courses: Course[] = [];
    for (const preset of flags.preset ?? []) {
      progress.show(`${inspected.title}, as ${preset} would…`);
      courses.push(await inspector.imagine(preset, flags.window ?? readOwnWindow(inspector), terminal.signal));
    }
    if (flags.audit) progress.show(`${inspected.title}, audited…`);
    const audit = flags.audit ? await inspector.audit?.(terminal.signal) : undefined;
    const embedded = embedInspection(inspector, courses, USUAL_ROOM, audit);
    const text = renderPage(await readPage(), { title: inspected.title, embedded });
    await writeResult(target, text);
    progress.end();
    const size = formatBytes(Buffer.byteLength(text));
    const { calls, cliffs } = inspector.inspection.courses[0] ?? { calls: { at: [] }, cliffs: [] };
    const compactions = cliffs.filter(({ declared }) => declared).length;
    terminal.print(
      `${terminal.paint.green('Written')} ${oneLine(out)} (${size}): ${formatCount(calls.at.length, 'model call')}, ${formatCount(compactions, 'compaction')}.`,
    );
  } finally {
    progress.end();
  }
}

const readOwnWindow = ({ inspection }: Inspector): number => inspection.courses[0]?.budget.window ?? 200_000;

async function serve(terminal: Terminal, inspected: Inspected, { port, open }: InspectFlags): Promise<void> {
  const served = followFile(inspected);
  // What cannot be read is told here, not in the browser.
  await served.inspector();
  const serving = await serveInspection(served, { port });
  terminal.print(serving.url);
  terminal.print(terminal.paint.dim('Only this machine can open it, with the key in the address. Ctrl-C ends it.'));
  const opener = open && isAtTerminal() ? findOpener(terminal.environment) : undefined;
  if (opener !== undefined) openBrowser(serving.url, opener);
  await new Promise<void>((done) => {
    if (terminal.signal.aborted) done();
    else terminal.signal.addEventListener('abort', () => done(), { once: true });
  });
  await serving.close();
}
