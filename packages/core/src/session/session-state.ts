import type { EditsEntry, Entry } from '../ledger/ledger.ts';
import type { JournalRecord } from '../ledger/ports.ts';
import { addEntry, noTotals, type Totals } from '../ledger/totals.ts';
import { copyData } from '../message/copy-data.ts';
import { defaultPreset } from '../presets/default.ts';
import { findRules } from '../presets/find-rules.ts';
import { type Budget, type BudgetOptions, budget as makeBudget } from '../size/budget.ts';
import type { Prices } from '../size/cost.ts';
import { estimateMessage, estimateText } from '../size/estimate-message.ts';
import { noClues, type WindowClues } from '../size/window-clues.ts';
import type { BeforeAnswer } from '../summary/hooks.ts';
import type { Circumstances, WireRules } from '../view/circumstances.ts';
import { findMissingText, type MissingText } from '../view/kept-text.ts';
import type { Layer } from '../view/look.ts';
import { type Originals, originalsOf } from '../view/receipt.ts';
import { recordEntry } from '../view/record-entry.ts';
import type { SlotList } from '../view/slot-list.ts';
import { appendMessage, newViewState, type ViewState } from '../view/view-state.ts';
import { loadEntry } from '../walk/load-state.ts';
import { estimateRequest, measureRequest } from '../walk/look-at.ts';
import { measureOverhead, type Overhead } from '../walk/overhead.ts';
import type { Reading } from '../walk/read-digest.ts';
import { newEmit } from './emit-event.ts';
import type { SessionEvent } from './events.ts';
import { type JournalWriter, newJournalWriter } from './journal-writer.ts';
import { newOwedAnswers, type OwedAnswers } from './owed-answers.ts';
import type { Ports } from './ports.ts';
import type { SessionOptions } from './session-types.ts';
import type { SettleOptions } from './settle-options.ts';

/** All that a session knows and owns. What the methods do to it stands in the files of this room, one concept each. */
export interface SessionState {
  readonly options: SessionOptions;
  readonly ports: Ports;
  readonly countText: (text: string) => number;
  /** Transcript, ledger and view. */
  readonly view: ViewState;
  readonly originals: Originals;
  readonly journal: JournalWriter;
  readonly emit: (event: SessionEvent) => void;
  readonly owed: OwedAnswers;
  /** What views are led through; another preset may take their place. */
  layers: readonly Layer[];
  budgetOptions: BudgetOptions;
  /** Reckoned from these, within what requests have shown of the window. */
  budget: Budget;
  /** The budget of now, and what it was computed from. */
  budgetCache: { readonly from: readonly object[]; readonly budget: Budget } | undefined;
  clues: WindowClues;
  wire: WireRules | undefined;
  /** What is sent besides the messages, as the host stated it last, and its sizes. */
  stated: Overhead;
  overhead: Circumstances['overhead'];
  /** What digests have read of the transcript so far, so that a compaction costs what came since. */
  reading: Reading | undefined;
  /** The estimate of the newest view handed out, which a usage report is about, and when that was. */
  sentEstimate: number;
  sentAt: number | undefined;
  /** Refusals by the provider in a row, since the user's newest message. */
  overflows: number;
  /** The newest view was refused, and no smaller one was handed out: whatever answer comes, it is none to that view. */
  isRefused: boolean;
  /** What was decided since the last view that was handed out: its receipt is still to be given. */
  untold: readonly EditsEntry[];
  /** What the hook wanted of the newest summary: drafts are written by it. */
  hooked: Pick<BeforeAnswer, 'instructions' | 'prompt'>;
  /** What tokens cost, where the host said so; another model may have other prices. */
  prices: Prices | undefined;
  /** What was used up to so many entries of the ledger. */
  spent: { readonly upTo: number; readonly totals: Totals };
  /** Whether it was told that what is sent besides the messages reaches the trigger. */
  crowdTold: boolean;
  /** What the view with these slots does not show as it was written. */
  missing: { readonly slots: ViewState['slots']; readonly texts: readonly MissingText[] } | undefined;
}

export function newSessionState(options: SessionOptions): SessionState {
  const { window, maxOutput, inputLimit, reserved, rule, trigger, keep, limits, switches, system, tools, canRecall } =
    options;
  const layers = options.layers ?? defaultPreset();
  const budgetOptions = stateOnly({ window, maxOutput, inputLimit, reserved, rule, trigger, keep, limits, switches });
  // Without a window this says what is missing, before anything else is looked at.
  const budget = reckonBudget(budgetOptions, layers);
  const view = newViewState(options.count ?? estimateMessage);
  const ports = options.ports ?? {};
  return {
    options,
    ports,
    layers,
    countText: options.countText ?? estimateText,
    view,
    originals: originalsOf(view),
    journal: newJournalWriter(options.journal, () => ports.clock),
    emit: newEmit(options.on),
    owed: newOwedAnswers(),
    budgetOptions,
    budget,
    budgetCache: undefined,
    clues: noClues,
    wire: options.wire,
    stated: { system, tools, canRecall },
    overhead: measureOverhead({ system, tools }),
    reading: undefined,
    sentEstimate: 0,
    sentAt: undefined,
    overflows: 0,
    isRefused: false,
    untold: [],
    hooked: {},
    prices: options.prices,
    spent: { upTo: 0, totals: noTotals },
    crowdTold: false,
    missing: undefined,
  };
}

/** The budget by the rule that was stated, else by the one that comes with the layers. */
export function reckonBudget(options: BudgetOptions, layers: readonly Layer[]): Budget {
  const rule = options.rule ?? findRules(layers).budget;
  return makeBudget(rule === undefined ? options : { ...options, rule });
}

/** Options without those that are undefined, which state nothing. */
export const stateOnly = <Options extends object>(
  options: {
    [Name in keyof Options]: Options[Name] | undefined;
  },
): Options => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;

/** Goes on from what a journal held. */
export function loadRecords(session: SessionState, records: readonly JournalRecord[]): void {
  for (const [i, record] of records.entries()) {
    if (record.type === 'message') appendMessage(session.view, record.message, 'stored');
    if (record.type !== 'entry') continue;
    loadEntry(session.view, record.entry, `record ${i + 1}`);
    if (record.entry.type !== 'seen') continue;
    session.sentAt = record.entry.at ?? session.sentAt;
    if (record.entry.handedOut !== false) session.sentEstimate = estimateNow(session);
  }
}

/** Decides: into the ledger and its view, and into the journal. `made`: the view that the entry leaves, where it is known. */
export function noteEntry(session: SessionState, entry: Entry, made?: SlotList): void {
  const own = copyData(entry, `an entry of type "${entry.type}"`);
  recordEntry(session.view, own, made);
  session.journal.write({ v: 1, type: 'entry', entry: own });
}

/** What was used so far; costs what was decided since it was asked last. */
export function readTotals(session: SessionState): Totals {
  const { view, prices, spent } = session;
  const added = view.entries.slice(spent.upTo);
  const totals = added.reduce((sum, entry) => addEntry(sum, entry, prices), spent.totals);
  session.spent = { upTo: view.entries.length, totals };
  return totals;
}

/** How a session meets needs, at a view or ahead of it. */
export const waysToSettle = ({ countText, prices, owed, emit }: SessionState): SettleOptions => ({
  countText,
  prices,
  owed,
  onFailed: ({ need, key, code, why }) => emit({ type: 'need-failed', need, key, code, why }),
});

/** The newest view in estimated tokens, with what is sent besides. */
export const estimateNow = ({ view, overhead }: SessionState): number => estimateRequest(view, view, overhead.tokens);

/** The newest view in calibrated tokens, with what is sent besides. */
export const measureNow = ({ view, overhead }: SessionState): number => measureRequest(view, view, overhead.tokens);

/** What is sent besides the messages from now on; of what is not said, as before. */
export function stateOverhead(session: SessionState, stated: Overhead): void {
  session.stated = { ...session.stated, ...stateOnly(stated) };
  if (isStated(stated)) session.overhead = measureOverhead(session.stated);
}

/** Whether the host said what is sent besides the messages. */
export const isStated = ({ system, tools }: Overhead): boolean => system !== undefined || tools !== undefined;

/** Whether folds leave what users and clients wrote where it stands, as the preset says. */
export const keepsUserText = ({ layers }: Pick<SessionState, 'layers'>): boolean =>
  findRules(layers).keepsUserText ?? true;

/** What users and clients wrote and the view does not show as it was written. A view that nothing changed since shows all that came. */
export function findMissingNow(session: SessionState): readonly MissingText[] | undefined {
  const { view } = session;
  if (view.walks === 0) return undefined;
  if (session.missing?.slots !== view.slots)
    session.missing = { slots: view.slots, texts: findMissingText(view.slots, view.base, keepsUserText(session)) };
  const { texts } = session.missing;
  return texts.length === 0 ? undefined : texts;
}
