import { basename } from 'node:path';
import type { PresetName, Prices } from '@palimpsest/core';
import type { Recording } from '@palimpsest/formats';
import {
  addOutcomes,
  averageRecall,
  countPromptTokens,
  type Outcome,
  type Policy,
  priceBill,
  readWindow,
  replaySession,
} from '@palimpsest/measure';
import { clip, formatCount, formatNumber, jsonText, oneLine } from '@palimpsest/terminal';
import { knownPrices } from '@palimpsest/wire';
import { Command } from 'commander';
import { configOption, readSettings, type Settings } from '../options/settings.ts';
import { jsonOption, PRESETS, parsePresetNames, SESSIONS_WORDS, windowOption } from '../options/shared-options.ts';
import { newProgress } from '../printing/progress.ts';
import { MEASURE, type PricedOutcome, printOutcomes } from '../replay/print-replay.ts';
import { expandSessions } from '../stores/expand-sessions.ts';
import { nameOf, readFound } from '../stores/open-session.ts';
import type { Terminal } from '../terminal.ts';

interface ReplayFlags {
  readonly preset?: readonly PresetName[];
  readonly config?: string;
  readonly window?: number;
  readonly summaries?: true;
  readonly json?: true;
}

export const replayCommand = (terminal: Terminal): Command =>
  new Command('replay')
    .summary('what each preset would have cost and kept')
    .description(
      'walk recorded sessions call by call under each preset, beside what their own agents did: tokens, money, cache, compactions, recall',
    )
    .argument('[session...]', `${SESSIONS_WORDS}; several are added up`)
    .option('--preset <names>', `presets, with commas between them (default: ${PRESETS.join(',')})`, parsePresetNames)
    .addOption(configOption())
    .addOption(windowOption())
    .option('--summaries', 'a stand-in writes summaries, which are billed (default: the digest is in their place)')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `\n${MEASURE}\n\nExample:\n  palimpsest replay session.jsonl --preset default,claude-code --window 64000`,
    )
    .action((files: readonly string[], flags: ReplayFlags) => run(terminal, files, flags));

interface Replayed {
  readonly file: string;
  readonly format: string;
  readonly window: number;
  /** What its model's tokens cost, where that is known. */
  readonly prices: Prices | undefined;
  readonly outcomes: readonly Outcome[];
}

async function run(terminal: Terminal, named: readonly string[], flags: ReplayFlags): Promise<void> {
  const settings = await readSettings(terminal, flags);
  const presets = flags.preset ?? (flags.config === undefined ? PRESETS : [settings().preset]);
  const { sessions: found, inFolders } = await expandSessions(terminal, named);
  const sessions: Replayed[] = [];
  const unread: string[] = [];
  const progress = newProgress();
  try {
    for (const [i, one] of found.entries()) {
      const file = nameOf(one);
      const told = found.length === 1 ? basename(file) : `${i + 1} of ${found.length}: ${basename(file)}`;
      progress.show(told);
      const recording = await readFound(terminal, one).catch((error: Error) => {
        if (found.length === 1) throw error;
        // In a folder other things lie about too.
        if (!inFolders.has(one)) unread.push(error.message);
        return undefined;
      });
      if (recording !== undefined)
        sessions.push(
          await replayFile(
            terminal,
            file,
            recording,
            {
              presets,
              summaries: flags.summaries === true,
              onCall: (preset, call) => progress.show(`${told}, ${preset}, call ${call}`),
            },
            settings,
          ),
        );
    }
  } finally {
    progress.end();
  }
  if (sessions.length > 0) printReport(terminal, sessions, presets, flags);
  for (const message of unread) terminal.complain(`palimpsest: left out: ${message}`);
  if (sessions.length === 0 || unread.length > 0)
    throw new Error(
      sessions.length === 0
        ? 'there was no session to replay'
        : `${formatCount(unread.length, 'file')} could not be read`,
    );
}

interface Course {
  readonly presets: readonly PresetName[];
  readonly summaries: boolean;
  readonly onCall: (policy: Policy, call: number) => void;
}

async function replayFile(
  { signal }: Terminal,
  file: string,
  recording: Recording,
  { presets, summaries, onCall }: Course,
  settings: (preset?: PresetName) => Settings,
): Promise<Replayed> {
  const { window = readWindow(recording), session } = settings(presets[0]);
  const { layers: _, ...room } = session;
  let call = 0;
  const outcomes = await replaySession(recording, {
    ...room,
    window,
    presets,
    summaries,
    layersOf: (preset) => settings(preset).session.layers,
    signal,
    onCall: (policy) => onCall(policy, ++call),
  });
  return { file, format: recording.format, window, prices: knownPrices(recording.model ?? ''), outcomes };
}

const price = (outcome: Outcome, prices: Prices | undefined): PricedOutcome => ({
  ...outcome,
  money: prices === undefined ? undefined : priceBill(outcome, prices),
});

function printReport(
  terminal: Terminal,
  sessions: readonly Replayed[],
  presets: readonly PresetName[],
  flags: ReplayFlags,
): void {
  const priced = sessions.map((one) => ({ ...one, outcomes: one.outcomes.map((own) => price(own, one.prices)) }));
  const totals = [...presets, 'recording' as const].map((preset): PricedOutcome => {
    const own = priced.flatMap((one) => one.outcomes.filter((outcome) => outcome.preset === preset));
    const money = own.some((one) => one.money === undefined)
      ? undefined
      : own.reduce((sum, one) => sum + (one.money ?? 0), 0);
    return { ...addOutcomes(own, preset), money };
  });
  if (flags.json) {
    const describeOutcome = (one: PricedOutcome) => ({
      ...one,
      tokens: countPromptTokens(one),
      money: one.money ?? null,
      recallMean: 100 * averageRecall(one.recall),
    });
    const data = {
      sessions: priced.map((one) => ({ ...one, outcomes: one.outcomes.map(describeOutcome) })),
      totals: totals.map(describeOutcome),
    };
    terminal.print(jsonText(data, 2));
    return;
  }
  const [window, ...others] = new Set(sessions.map((one) => one.window));
  const [only, ...more] = sessions;
  const what =
    only !== undefined && more.length === 0
      ? `${terminal.paint.bold(clip(oneLine(basename(only.file)), 16))} · ${only.format}`
      : terminal.paint.bold(formatCount(sessions.length, 'session'));
  const room =
    window !== undefined && others.length === 0
      ? `in a window of ${formatNumber(window)} tokens`
      : 'each in the window of its model';
  printOutcomes(terminal, totals, `${what} · ${formatCount(totals[0]?.calls ?? 0, 'model call')}, ${room}`);
}
