import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { budget, collapseSpans, findRules, type Layer, type PresetName } from '@palimpsest/core';
import { fileStore } from '@palimpsest/store';
import { jsonText } from '@palimpsest/terminal';
import { readSettings } from '../options/settings.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { type Note, type PlayOptions, play } from './play.ts';
import { printHeader, printNote, printReport } from './print-sample.ts';
import { proofs } from './proofs.ts';
import { reportOf, type SampleReport } from './report.ts';
import { sampleSession } from './sample-session.ts';

export interface SampleOptions {
  readonly window?: number;
  readonly preset?: PresetName;
  readonly config?: string;
  readonly keep?: string;
  readonly json?: true;
  readonly onBeat?: PlayOptions['onBeat'];
}

/** Small enough that a session of a few hundred messages meets every layer. */
export const WINDOW = 16_000;
const LEAST_WINDOW = 2_000;
const LIMITS = { messages: 66, images: 4 } as const;
const SESSION = 'sample';

export async function playSample(terminal: Terminal, options: SampleOptions = {}): Promise<void> {
  const folder = options.keep === undefined ? await mkdtemp(join(tmpdir(), 'palimpsest-')) : resolve(options.keep);
  try {
    const report = await walkThrough(terminal, options, folder);
    if (options.json) terminal.print(jsonText(report, 2));
    else printReport(terminal, report);
    if (report.proofs.some((proof) => !proof.kept))
      throw new Error('a promise was not kept: see the lines marked above.');
  } finally {
    if (options.keep === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Without a model one digest of all would do in place of spans that collapse; the sample is there to show every layer. */
const showCollapse = (layer: Layer): Layer => (layer.name === 'collapse-spans' ? collapseSpans({ from: 1 }) : layer);

async function walkThrough(terminal: Terminal, options: SampleOptions, folder: string): Promise<SampleReport> {
  const { preset, session, window: size = WINDOW } = (await readSettings(terminal, options))(options.preset);
  const { layers: own, ...stated } = session;
  const layers = preset === 'default' ? own.map(showCollapse) : own;
  if (size < LEAST_WINDOW)
    throw new UsageError(
      `a window of ${size} tokens is too small: the sample's system prompt and tools are most of it. Say --window ${LEAST_WINDOW} or more.`,
    );
  const settings: PlayOptions = {
    limits: LIMITS,
    ...stated,
    window: size,
    layers,
    signal: terminal.signal,
    ...(options.onBeat === undefined ? {} : { onBeat: options.onBeat }),
    ...(options.json ? {} : { onNote: (note: Note) => printNote(terminal, note) }),
  };
  const sample = sampleSession();
  const { budget: rule } = findRules(layers);
  const room = budget({ limits: LIMITS, ...stated, window: size, ...(rule === undefined ? {} : { rule }) });
  if (!options.json) printHeader(terminal, preset, room, sample);

  const store = fileStore({ dir: folder, fsync: 'never' });
  const stored = await store.open(SESSION);
  try {
    if (stored.records.length > 0)
      throw new UsageError(`${folder} already holds a sample session: name another folder, or remove it first.`);
    const played = await play(stored, sample, settings);
    const kept = await proofs(played, await store.read(SESSION), sample, settings);
    return reportOf(played, layers, {
      preset,
      proofs: kept,
      stashFolder: join(SESSION, 'stash'),
      ...(options.keep === undefined ? {} : { keptIn: join(folder, SESSION) }),
    });
  } finally {
    await stored.journal.close();
  }
}
