import { basename, dirname } from 'node:path';
import type { Budget } from '@palimpsest/core';
import {
  clip,
  formatCount,
  formatNumber,
  nounOf,
  oneLine,
  padEnd,
  padStart,
  textWidth,
  wrap,
} from '@palimpsest/terminal';
import type { Terminal } from '../terminal.ts';
import type { Hidden, LayerAccount } from './account.ts';
import type { Note } from './play.ts';
import type { SampleReport } from './report.ts';
import type { SampleSession } from './sample-session.ts';
import type { Words } from './words.ts';

export function printHeader(
  { print, paint }: Terminal,
  preset: string,
  budget: Budget,
  { beats }: SampleSession,
): void {
  const messages = beats.flatMap((beat) => (beat.type === 'said' ? beat.message : []));
  const turns = messages.filter((message) => message.origin === 'human').length;
  const { window, trigger, target, limits } = budget;
  print(`${paint.bold('Palimpsest')} · a coding agent's day, walked through the preset ${paint.bold(preset)}`);
  print(
    `${formatCount(messages.length, 'message')} in ${formatCount(turns, 'turn')}; a request may hold ${limits.messages} messages and ${limits.images} images.`,
  );
  print(
    `The window has ${formatNumber(window)} tokens: at ${formatNumber(trigger)} the view shrinks to about ${formatNumber(target)}.`,
  );
  print();
  print(paint.bold('Declared compactions: what the model had seen changes, so its cache breaks'));
  print(
    paint.dim(
      `${padStart('turn', 5)}${padStart('call', 6)}  ${padEnd('trigger', 10)}${padEnd('why', 14)} before →  after  by`,
    ),
  );
}

/** A line as it happens. What was bounded before any model saw it is not worth one. */
export function printNote({ print, paint, columns }: Terminal, { turn, call, why, receipt }: Note): void {
  if (!receipt.declared) return;
  const layers = [...new Set(receipt.lines.map((line) => line.layer))];
  const cause = why.length > 0 ? why.join(', ') : causeWithin(layers);
  const [first = '', ...rest] = wrap(layers.join(', '), columns - LEFT);
  print(
    `${padStart(formatNumber(turn), 5)}${padStart(formatNumber(call), 6)}  ${padEnd(receipt.trigger, 10)}${padEnd(cause, 14)}` +
      `${padStart(formatNumber(receipt.tokensBefore), 7)} → ${paint.green(padStart(formatNumber(receipt.tokensAfter), 6))}  ${first}`,
  );
  for (const line of rest) print(' '.repeat(LEFT) + line);
}
/** Columns before the layers' names. */
const LEFT = 55;

/** Why a view changed that broke no limit, by the layer that changed it; of several, the first that is listed. */
const CAUSES: Readonly<Record<string, string>> = {
  'clear-idle-results': 'pause',
  'collapse-spans': 'nearly full',
  'snip-middle': 'long history',
  'clear-old-results': 'old results',
  'supersede-reads': 'stale results',
  'strip-old-media': 'old pictures',
};

const causeWithin = (layers: readonly string[]): string =>
  Object.entries(CAUSES).find(([layer]) => layers.includes(layer))?.[1] ?? 'as a rule';

export function printReport(terminal: Terminal, report: SampleReport): void {
  const { print, paint } = terminal;
  print();
  print(paint.bold('What each layer did'));
  print(paint.dim(` layer                acted     freed   view before → after, on average`));
  for (const account of report.layers) printAccount(terminal, account, report.stashFolder);
  print();
  printView(terminal, report);
  print();
  printWords(terminal, report);
  print();
  print(paint.bold('Nothing is lost'));
  for (const { rule, kept } of report.proofs) {
    const [first = '', ...rest] = wrap(rule, terminal.columns - 3);
    print(` ${kept ? paint.green('✓') : paint.red('✗')} ${first}`);
    for (const line of rest) print(`   ${line}`);
  }
  print();
  print(
    report.keptIn === undefined
      ? paint.dim('The files were in a temporary folder, which is gone; --keep DIR keeps them.')
      : `Kept in ${oneLine(report.keptIn)}: palimpsest inspect ${basename(report.keptIn)} --dir ${oneLine(dirname(report.keptIn))} shows it`,
  );
}

const hiddenText = ({ kind, tool, count }: Hidden): string =>
  `${formatCount(count, nounOf(kind))}${tool === undefined ? '' : ` of ${tool}`}`;

function printAccount({ print, paint, columns }: Terminal, account: LayerAccount, stashFolder: string): void {
  const name = padEnd(account.layer, 20);
  if (account.acted === 0) {
    print(paint.dim(` ${name} had nothing to do`));
    return;
  }
  print(
    ` ${paint.cyan(name)} ${padStart(`${formatNumber(account.acted)}×`, 5)} ${padStart(formatNumber(account.tokensFreed), 9)}` +
      `   ${padStart(formatNumber(account.tokensBefore), 7)} → ${paint.green(padStart(formatNumber(account.tokensAfter), 7))}`,
  );
  const indent = '   ';
  const room = columns - indent.length;
  const things = account.hidden.map(hiddenText);
  if (account.added > 0) things.push(`${formatCount(account.added, 'attachment')} added`);
  for (const line of wrapList(things, room)) print(indent + line);
  print(indent + paint.dim(clip(`recall ${shortenRefs(account.refs, room - 20)}`, room)));
  const [saved, ...more] = account.stashed;
  if (saved !== undefined)
    for (const line of wrap(`${stashFolder}/${saved}.txt${more.length > 0 ? ` and ${more.length} more` : ''}`, room))
      print(indent + paint.dim(line));
}

/** Breaks a list between its things, not inside of one. */
const wrapList = (things: readonly string[], columns: number): readonly string[] =>
  wrap(things.map((thing) => thing.replaceAll(' ', '\u00a0')).join(', '), columns).map((line) =>
    line.replaceAll('\u00a0', ' '),
  );

/** The first references that fit, and the last. */
function shortenRefs(refs: readonly string[], columns: number): string {
  const all = refs.join(' ');
  if (textWidth(all) <= columns) return all;
  let shown = '';
  for (const ref of refs) {
    if (textWidth(`${shown} ${ref}`) > columns - 12) break;
    shown = `${shown} ${ref}`.trim();
  }
  return `${shown} … ${refs.at(-1)} (${formatNumber(refs.length)} in all)`;
}

const BAR = 40;

function printView({ print, paint }: Terminal, { view, transcript, budget }: SampleReport): void {
  const share = view.tokens / budget.window;
  const full = Math.min(BAR, Math.round(share * BAR));
  const row = (what: string, shown: number, held: number): string =>
    `   ${padEnd(what, 10)}${padStart(formatNumber(shown), 10)}${padStart(formatNumber(held), 16)}`;
  print(paint.bold('The last view, and the transcript behind it'));
  print(paint.dim(`   ${padEnd('', 10)}${padStart('in view', 10)}${padStart('kept in full', 16)}`));
  print(row('messages', view.messages, transcript.messages));
  print(row('tokens', view.tokens, transcript.tokens));
  print(row('images', view.images, transcript.images));
  print(row('bytes', view.bytes, transcript.bytes));
  print(
    `   ${paint.green('█'.repeat(full))}${paint.dim('░'.repeat(BAR - full))} ${Math.round(share * 100)} % of the window`,
  );
  if (view.unfit > 0)
    print(paint.yellow(`   ${formatCount(view.unfit, 'view')} did not fit: the window is too small for this session.`));
}

function printWords({ print, paint, columns }: Terminal, { words, rules }: SampleReport): void {
  const told = words.filter((one) => one.shown !== 'no').length;
  print(paint.bold(`What the user said: ${told} of ${words.length} in view word for word, all by reference`));
  for (const one of words) {
    const where = padEnd(place(one), 18);
    print(`   ${one.shown === 'no' ? paint.dim(where) : paint.green(where)} ${clip(oneLine(one.text), columns - 22)}`);
  }
  for (const { rule, inViews, ofViews } of rules) {
    const said = `Since it was said, ${inViews} of ${ofViews} model calls had in view: “${rule}”`;
    for (const line of wrap(said, columns - 3)) print(`   ${inViews === ofViews ? line : paint.yellow(line)}`);
  }
}

const place = ({ shown, ref }: Words): string =>
  shown === 'whole' ? 'in view' : shown === 'summary' ? `in summary, ${ref}` : `recall ${ref}`;
