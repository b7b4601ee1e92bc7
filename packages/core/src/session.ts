import { type Budget, type BudgetOptions, forced, budget as makeBudget } from './budget.ts';
import { type Ports, settle } from './compact.ts';
import { CompactionError } from './errors.ts';
import { estimateMessage } from './estimate.ts';
import type { SessionEvent } from './events.ts';
import type { EditsEntry, Entry, Fact, Ledger, Trigger, Usage } from './ledger.ts';
import type { Layer, NativeEdit, WireRules } from './look.ts';
import type { Message, MessageId, NewMessage } from './message.ts';
import { readUsage, sizeOf } from './meter.ts';
import { newPage, record, recordWalk, standingWalks, write } from './page.ts';
import { type Besides, load, newestTime, overheadOf, shownMessages, walkOptions } from './plan.ts';
import type { Journal, JournalRecord } from './ports.ts';
import { type Recall, recallOf } from './recall.ts';
import { originalsOf, type Receipt, receiptOf } from './receipt.ts';
import { newScribe } from './scribe.ts';
import type { Count } from './slot.ts';
import { percentLeft, type Status } from './status.ts';
import { estimateOf, type Walk, walk } from './walk.ts';

export interface SessionOptions extends Besides, BudgetOptions {
  readonly layers?: readonly Layer[];
  readonly count?: Count;
  readonly wire?: WireRules;
  readonly subagent?: boolean;
  readonly ports?: Ports;
  readonly journal?: Journal;
  /** What the journal held when it was opened: the session goes on from there, byte for byte. */
  readonly records?: readonly JournalRecord[];
  /** What to do with a message that breaks the history: refuse it (default), or show a mended form and tell. */
  readonly broken?: 'refuse' | 'mend';
  /** Tries after a provider's refusal before giving up. Each asks for half. */
  readonly overflowTries?: number;
  readonly on?: (event: SessionEvent) => void;
}

export interface View {
  readonly messages: readonly Message[];
  readonly tokens: number;
  /** False only where one indivisible thing is larger than the budget, or what is sent besides the messages is. */
  readonly fits: boolean;
  readonly native: readonly NativeEdit[];
  /** Set when this view hides something that the one before did not. */
  readonly receipt?: Receipt;
}

export interface ViewOptions {
  /** Milliseconds since 1970; without it the newest message's own time counts. */
  readonly now?: number;
  readonly signal?: AbortSignal;
}

export interface Session {
  append(message: NewMessage): MessageId;
  /** Call before every model request. */
  view(options?: ViewOptions): Promise<View>;
  /** What the provider reported for the newest view. */
  observe(usage: Usage): void;
  /** The provider refused the newest view as too long: a smaller one, or a typed error once that has been tried. */
  overflowed(stated?: { readonly maximum?: number; readonly actual?: number }, options?: ViewOptions): Promise<View>;
  compact(options?: ViewOptions & { readonly trigger?: Trigger }): Promise<Receipt | undefined>;
  /** Another model: a smaller window compacts before the next request, a larger one takes back what it need not hide. */
  switchTo(options: BudgetOptions & { readonly wire?: WireRules }): Promise<View>;
  undo(): Receipt;
  pin(id: MessageId): void;
  unpin(id: MessageId): void;
  status(): Status;
  receipts(): readonly Receipt[];
  ledger(): Ledger;
  transcript(): readonly Message[];
  /** Resolves when everything said and decided so far is in the journal. */
  saved(): Promise<void>;
  readonly recall: Recall;
}

export function createSession(options: SessionOptions): Session {
  const page = newPage(options.count ?? estimateMessage);
  const scribe = newScribe(options.journal);
  const emit = options.on ?? (() => {});
  const overhead = overheadOf(options);
  const stated = options.system !== undefined || options.tools !== undefined;
  const originals = originalsOf(page);
  let budget: Budget = makeBudget(options);
  let budgetOptions: BudgetOptions = options;
  let wire = options.wire;
  let inLine: Promise<unknown> = Promise.resolve();
  let working = 0;
  let overflows = 0;
  /** The estimate of the newest view handed out: what a usage report is about. */
  let sentEstimate = 0;

  options.records?.forEach((one, i) => {
    if (one.type === 'message') write(page, one.message, true);
    if (one.type === 'entry') load(page, one.entry, `record ${i + 1}`);
  });

  const estimate = (): number => estimateOf(page, page, overhead.tokens);
  const size = (): number => sizeOf(page.meter, estimate());

  function note(entry: Entry): void {
    record(page, entry);
    scribe.write({ v: 1, type: 'entry', entry });
  }

  /** One thing at a time: views, compactions and switches wait for each other; appends never wait. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    working++;
    const result = inLine.then(work, work).finally(() => working--);
    inLine = result.catch(() => {});
    return result;
  }

  function idle(what: string): void {
    if (working > 0) throw new CompactionError('busy', `${what} has to wait: a view is being made. Await it first.`);
  }

  const paused = (): Status['paused'] =>
    !budget.automatic ? 'off' : page.held ? 'undone' : page.ineffective >= 2 ? 'ineffective' : undefined;

  function budgetNow(): Budget {
    const pause = paused();
    if (pause === undefined) return budget;
    // Where what is sent besides the messages fills the window, hiding messages helps nobody.
    const hopeless = pause === 'ineffective' && sizeOf(page.meter, overhead.tokens) >= budget.trigger;
    if (pause === 'off' || hopeless)
      return { ...budget, limits: {}, trigger: Infinity, triggerMessages: Infinity, target: Infinity };
    return { ...budget, trigger: Math.max(budget.trigger, budget.blocking) };
  }

  async function walked(walkBudget: Budget, trigger: Trigger, { now, signal }: ViewOptions): Promise<View> {
    const plan = {
      ...options,
      layers: options.layers,
      budget: walkBudget,
      trigger,
      now,
      hasStash: options.ports?.stash !== undefined,
    };
    const layers = budget.enabled ? (options.layers ?? undefined) : [];
    const make = (facts: ReadonlyMap<string, Fact>): Walk =>
      walk(page, walkOptions(defined({ ...plan, layers, wire, facts }), newestTime(page)));
    const { made, facts } = await settle(make, options.ports ?? {}, signal);
    for (const fact of facts.values()) {
      if (fact.type !== 'failed') continue;
      note({ type: 'fact', fact });
      emit({ type: 'need-failed', need: fact.need, key: fact.key, why: fact.why });
    }
    const receipt = commit(made.entries);
    if (page.seen < page.base.length) note({ type: 'seen', count: page.base.length });
    sentEstimate = estimate();
    await scribe.saved();
    const tokens = size();
    const fits = made.fits && tokens <= Math.max(budget.trigger, budget.blocking);
    const view = { messages: shownMessages(page, page), tokens, fits, native: made.native };
    emit({ type: 'view-made', tokens, fits, visits: made.visits });
    return receipt === undefined ? view : { ...view, receipt };
  }

  function commit(entries: readonly EditsEntry[]): Receipt | undefined {
    if (entries.length === 0) return undefined;
    const before = page.ineffective;
    recordWalk(page, entries);
    for (const entry of entries) scribe.write({ v: 1, type: 'entry', entry });
    const receipt = receiptOf(entries, originals)!;
    emit({ type: 'view-compacted', receipt });
    if (before < 2 && page.ineffective >= 2) emit({ type: 'automatic-stopped', reason: 'ineffective' });
    return receipt;
  }

  const refuse = (): CompactionError =>
    new CompactionError(
      'blocked',
      `the context has ${size()} tokens and the limit is ${budget.blocking}, with automatic compaction off. Call compact(), or switch it on.`,
    );

  function revert(): Receipt {
    const newest = standingWalks(page.entries).at(-1);
    if (newest === undefined)
      throw new CompactionError('nothing-to-undo', 'no compaction stands that could be taken back.');
    const receipt = receiptOf(newest, originals)!;
    note({ type: 'revert', walk: receipt.walk });
    emit({ type: 'walk-reverted', receipt });
    return receipt;
  }

  function known(id: MessageId): MessageId {
    if (page.places.has(id)) return id;
    throw new CompactionError('unknown-message', `no message "${id}" is in this session.`, { messageId: id });
  }

  return {
    append(message) {
      const { kept, problems } = write(page, message, options.broken === 'mend');
      scribe.write({ v: 1, type: 'message', message: kept });
      if (problems.length > 0) emit({ type: 'history-mended', problems });
      return kept.id;
    },
    view: (viewOptions = {}) =>
      inTurn(async () => {
        if (paused() === 'off' && budget.enabled && size() >= budget.blocking) throw refuse();
        return walked(budgetNow(), 'auto', viewOptions);
      }),
    observe(usage) {
      const reading = readUsage(page.meter, usage, sentEstimate, budget, stated);
      if (reading.type === 'accepted') overflows = 0;
      else emit({ type: 'usage-ignored', usage, fault: reading.fault });
      note(
        reading.type === 'accepted'
          ? { type: 'usage', usage, meter: reading.meter }
          : { type: 'usage', usage, ignored: reading.fault },
      );
    },
    overflowed: (refusal = {}, viewOptions = {}) =>
      inTurn(async () => {
        const tries = options.overflowTries ?? 1;
        if (refusal.maximum !== undefined && refusal.maximum < budget.window) {
          budgetOptions = { ...budgetOptions, window: refusal.maximum };
          budget = makeBudget(budgetOptions);
          emit({ type: 'window-learned', window: refusal.maximum });
        }
        if (!budget.enabled) throw refuse();
        if (overflows >= Math.min(3, tries))
          throw new CompactionError(
            'cannot-reduce',
            `the provider refused ${overflows + 1} views in a row as too long, the last of about ${size()} tokens. State the right window, or shorten system prompt and tools.`,
          );
        overflows++;
        const before = size();
        const scale = refusal.actual !== undefined && refusal.actual > before ? before / refusal.actual : 1;
        const view = await walked(
          forced(budget, Math.floor(Math.min(budget.target, before * 0.5) * scale)),
          'overflow',
          viewOptions,
        );
        if (view.tokens >= before)
          throw new CompactionError(
            'cannot-reduce',
            `nothing more can be hidden: ${view.tokens} tokens are indivisible.`,
          );
        return view;
      }),
    compact: (compactOptions = {}) =>
      inTurn(async () => {
        if (!budget.enabled)
          throw new CompactionError('disabled', 'compaction is switched off (PALIMPSEST_DISABLE); switch it on first.');
        const target = Math.min(budget.target, Math.floor(size() / 2));
        return (await walked(forced(budget, target), compactOptions.trigger ?? 'manual', compactOptions)).receipt;
      }),
    switchTo: (next) =>
      inTurn(async () => {
        budgetOptions = { ...budgetOptions, ...next };
        budget = makeBudget(budgetOptions);
        wire = next.wire ?? wire;
        // Walks come back, newest first, as long as the new model holds what they hid.
        while (standingWalks(page.entries).length > 0) {
          revert();
          if (size() < budget.trigger) continue;
          break;
        }
        page.held = false;
        return walked(budgetNow(), 'switch', {});
      }),
    undo() {
      idle('undo()');
      return revert();
    },
    pin(id) {
      note({ type: 'pin', message: known(id) });
    },
    unpin(id) {
      note({ type: 'unpin', message: known(id) });
    },
    status() {
      const tokens = size();
      const pause = paused();
      return {
        tokens,
        measured: page.meter.base !== undefined,
        messages: page.slots.length,
        bytes: page.sums.bytes + overhead.bytes,
        images: page.sums.images,
        budget,
        percentLeft: percentLeft(tokens, budget),
        aboveWarning: tokens >= budget.warning,
        aboveError: tokens >= budget.error,
        aboveTrigger: tokens >= budget.trigger,
        atBlockingLimit: tokens >= budget.blocking,
        ...(pause === undefined ? {} : { paused: pause }),
      };
    },
    receipts: () => standingWalks(page.entries).map((entries) => receiptOf(entries, originals)!),
    ledger: () => ({ version: 1, entries: page.entries.slice() }),
    transcript: () => page.transcript.slice(),
    saved: () => scribe.saved(),
    recall: recallOf(page),
  };
}

/** Drops undefined values, which exact optional properties do not take. */
function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never;
}
