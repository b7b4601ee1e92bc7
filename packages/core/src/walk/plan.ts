import { CompactionError } from '../errors.ts';
import { type Entry, emptyLedger, type Fact, type Ledger, type Trigger } from '../ledger/ledger.ts';
import { parseLedger } from '../ledger/parse.ts';
import type { Json, Message, NewMessage } from '../message/message.ts';
import { defaultPreset } from '../presets/default.ts';
import type { Budget } from '../size/budget.ts';
import { type CacheState, DEFAULT_PRICES, DEFAULT_REMAINING_CALLS } from '../size/cost.ts';
import { estimateMessage, estimateText } from '../size/estimate-message.ts';
import { type Asked, type Layer, type NativeEdit, type Need, plainWire, type WireRules } from '../view/look.ts';
import type { Count } from '../view/slot.ts';
import { newPage, type Page, provisional, record, recordWalk, type Sheet, write } from '../view/view-state.ts';
import { type Visit, type Walk, type WalkOptions, walk } from './walk.ts';

/** What is sent besides the messages. It counts: tool definitions can be most of a window. */
export interface Besides {
  readonly system?: string;
  /** As they are sent; only their size matters here. */
  readonly tools?: Json;
}

/** Only `budget` is needed. What a session finds out by itself (time, facts, ports at hand) is stated here as data. */
export interface PlanOptions extends Besides {
  readonly budget: Budget;
  /** `presets.default()` by default. */
  readonly layers?: readonly Layer[];
  /** `auto` by default. With `manual` and `tool` history is summarized whatever the pressure. */
  readonly trigger?: Trigger;
  /** Tokens of a message; the embedded estimate by default. */
  readonly count?: Count;
  /** `plainWire` by default. */
  readonly wire?: WireRules;
  /** Inside a subagent the middle is never snipped. */
  readonly subagent?: boolean;
  /** Whether somebody meets needs of this kind; false by default, and then layers do without. So for the three below. */
  readonly hasStash?: boolean;
  /** Milliseconds since 1970; the newest message's own time by default. */
  readonly now?: number;
  /** Answers to the needs of the plan before, by their keys. */
  readonly facts?: ReadonlyMap<string, Fact>;
  readonly hasSummarizer?: boolean;
  readonly hasCarry?: boolean;
  readonly hasHooks?: boolean;
  /** How a compaction was asked for, where somebody did. */
  readonly asked?: Asked;
  /** Unknown by default, which counts as warm. */
  readonly cache?: CacheState;
  /** Tokens of a text, for digests; the embedded estimate by default. */
  readonly countText?: (text: string) => number;
  /** Histories that are broken are mended instead of refused. False by default. */
  readonly lenient?: boolean;
}

/** The outcome of a walk: what to send, and the ledger to plan with the next time. */
export interface Plan {
  readonly view: readonly Message[];
  /** Of the whole request, with system prompt and tools. */
  readonly tokens: number;
  /** Within the trigger and all limits. */
  readonly fits: boolean;
  /** With what this walk decided; while there are needs, as it was. */
  readonly ledger: Ledger;
  /** Not empty: the view is not the answer yet; meet them and plan again with the facts. */
  readonly needs: readonly Need[];
  /** What the wire is to ask the provider for. */
  readonly native: readonly NativeEdit[];
  /** What each layer did, in order. */
  readonly visits: readonly Visit[];
}

export function overheadOf(besides: Besides): { readonly tokens: number; readonly bytes: number } {
  const tools = besides.tools === undefined ? '' : JSON.stringify(besides.tools);
  const system = besides.system ?? '';
  return { tokens: estimateText(system) + estimateText(tools), bytes: (system.length + tools.length) * 2 };
}

/** A page out of a transcript and what was decided about it. Refuses a ledger that does not belong to the transcript. */
export function pageOf(transcript: readonly NewMessage[], ledger: Ledger, count: Count, lenient = false): Page {
  const page = newPage(count);
  for (const message of transcript) write(page, message, lenient);
  for (const [i, entry] of parseLedger(ledger).entries.entries()) load(page, entry, `ledger.entries.${i}`);
  return page;
}

/** Records a stored entry, naming its position if it does not fit what came before. */
export function load(page: Page, entry: Entry, where: string): void {
  try {
    if (entry.type === 'edits') recordWalk(page, [entry]);
    else record(page, entry);
  } catch (cause) {
    throw new CompactionError(
      'bad-ledger',
      `${where}: ${(cause as Error).message}. It was left as it is; check that the ledger and the transcript are of one session.`,
      { cause },
    );
  }
}

export function walkOptions(
  options: PlanOptions,
  newestAt: number | undefined,
  overhead = overheadOf(options),
): WalkOptions {
  return {
    layers: options.layers ?? defaultPreset(),
    budget: options.budget,
    trigger: options.trigger ?? 'auto',
    wire: options.wire ?? plainWire,
    main: options.subagent !== true,
    hasStash: options.hasStash === true,
    now: options.now ?? newestAt,
    overhead,
    facts: options.facts ?? new Map(),
    hasSummarizer: options.hasSummarizer === true,
    hasCarry: options.hasCarry === true,
    hasHooks: options.hasHooks === true,
    asked: options.asked ?? {},
    cache: options.cache ?? { state: 'unknown', prices: DEFAULT_PRICES, remainingCalls: DEFAULT_REMAINING_CALLS },
    countText: options.countText ?? estimateText,
  };
}

/** The messages to send: the sheet's, and results for calls still in flight, so that no provider refuses it. */
export function shownMessages(page: Page, sheet: Sheet): readonly Message[] {
  const messages = sheet.slots.map((slot) => slot.message);
  const closing = provisional(page);
  if (closing !== undefined) messages.push(closing);
  return messages;
}

export const newestTime = (page: Page): number | undefined => page.base.at(-1)?.at;

/** One walk over everything: pure. Same transcript, ledger and options, same plan. */
export function plan(transcript: readonly NewMessage[], ledger: Ledger, options: PlanOptions): Plan {
  const page = pageOf(transcript, ledger ?? emptyLedger, options.count ?? estimateMessage, options.lenient);
  return planOf(page, ledger ?? emptyLedger, walk(page, walkOptions(options, newestTime(page))));
}

export function planOf(page: Page, ledger: Ledger, made: Walk): Plan {
  const { tokens, fits, needs, native, visits } = made;
  const view = shownMessages(page, made.sheet);
  if (needs.length > 0) return { view, tokens, fits, ledger, needs, native, visits };
  const seen: Entry[] = page.seen === page.base.length ? [] : [{ type: 'seen', count: page.base.length }];
  const entries = [...ledger.entries, ...made.entries, ...seen];
  return { view, tokens, fits, ledger: { version: 1, entries }, needs, native, visits };
}
