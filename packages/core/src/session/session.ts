import { madeMessage } from '../edits/fold.ts';
import { CompactionError } from '../errors.ts';
import { omitFields } from '../json.ts';
import type { Edit } from '../ledger/edit.ts';
import type { EditsEntry, Entry, Fact, Trigger } from '../ledger/ledger.ts';
import type { MessageId } from '../message/message.ts';
import { hookFrame } from '../notices.ts';
import { defaultPreset } from '../presets/default.ts';
import { type Budget, type BudgetOptions, forceBudget, budget as makeBudget } from '../size/budget.ts';
import { type CacheState, DEFAULT_PRICES, DEFAULT_REMAINING_CALLS, DEFAULT_TTL_MS } from '../size/cost.ts';
import { estimateMessage, estimateText } from '../size/estimate-message.ts';
import { readUsage, sizeOf } from '../size/meter.ts';
import { HOOK_LIMIT_MS } from '../summary/hooks.ts';
import type { Asked } from '../view/look.ts';
import { newPage, record, recordWalk, standingWalks, write } from '../view/page.ts';
import { recallOf } from '../view/recall.ts';
import { originalsOf, type Receipt, receiptOf } from '../view/receipt.ts';
import { type Status, statusOf } from '../view/status.ts';
import { type Besides, load, newestTime, overheadOf, shownMessages, walkOptions } from '../walk/plan.ts';
import { estimateOf, type Walk, type WalkOptions, walk } from '../walk/walk.ts';
import { able, settle, timely } from './compact.ts';
import { newDrafting } from './drafting.ts';
import { newScribe } from './scribe.ts';
import type { Session, SessionOptions, View, ViewOptions } from './session-types.ts';

/** After so many failures in a row the summarizer is not asked any more by itself; the digest serves. */
const MOST_FAILURES = 3;
/** The last messages that stay when a provider refused the request. */
const OVERFLOW_KEEPS = 5;

/** From this share of the trigger on a summary is drafted; it is thought about again every 5 % of the way. */
const DRAFT_FROM = 0.7;
const DRAFT_STEPS = 20;

/** A conversation kept within its window. `window` is enough to begin; a `journal` lets it outlive the process. */
const waiting = (now: number | undefined, signal: AbortSignal | undefined): ViewOptions => ({
  ...(now === undefined ? {} : { now }),
  ...(signal === undefined ? {} : { signal }),
});

const isStated = ({ system, tools }: Besides): boolean => system !== undefined || tools !== undefined;

const pickBudgetOptions = ({
  window,
  maxOutput,
  trigger,
  keep,
  limits,
  switches,
}: Partial<BudgetOptions>): BudgetOptions =>
  omitFields({ window, maxOutput, trigger, keep, limits, switches }) as unknown as BudgetOptions;

/** Begins a session: the host appends what was said and asks for the view that the model is to see. */
export function createSession(options: SessionOptions): Session {
  // Without a window this says what is missing, before anything else is looked at.
  let budgetOptions = pickBudgetOptions(options ?? {});
  let budget: Budget = makeBudget(budgetOptions);
  const ports = options.ports ?? {};
  const layers = options.layers ?? defaultPreset();
  const countText = options.countText ?? estimateText;
  const page = newPage(options.count ?? estimateMessage);
  const scribe = newScribe(options.journal);
  const emit = options.on ?? (() => {});
  let besides: Besides = options;
  let overhead = overheadOf(besides);
  const originals = originalsOf(page);
  const drafting = newDrafting(ports, countText, (entry) => note(entry));
  let wire = options.wire;
  let inLine: Promise<unknown> = Promise.resolve();
  let working = 0;
  let overflows = 0;
  let draftStep = -1;
  /** The estimate of the newest view handed out, which a usage report is about, and when that was. */
  let sentEstimate = 0;
  let sentAt: number | undefined;

  for (const [i, one] of (options.records ?? []).entries()) {
    if (one.type === 'message') write(page, one.message, true);
    if (one.type === 'entry') load(page, one.entry, `record ${i + 1}`);
    if (one.type === 'entry' && one.entry.type === 'seen') sentAt = one.entry.at ?? sentAt;
  }

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

  function cacheState(now: number | undefined): CacheState {
    const known = now !== undefined && sentAt !== undefined;
    const cold = known && now - sentAt! > (options.cacheTtlMs ?? DEFAULT_TTL_MS);
    return {
      state: known ? (cold ? 'cold' : 'warm') : 'unknown',
      prices: options.prices ?? DEFAULT_PRICES,
      remainingCalls: DEFAULT_REMAINING_CALLS,
    };
  }

  function walkWith(
    walkBudget: Budget,
    trigger: Trigger,
    asked: Asked,
    now: number | undefined,
    facts: ReadonlyMap<string, Fact>,
  ): WalkOptions {
    const given = able(ports);
    const tired = page.failures >= MOST_FAILURES && trigger !== 'manual';
    return walkOptions(
      {
        budget: walkBudget,
        layers: budget.enabled ? layers : [],
        trigger,
        asked,
        facts,
        countText,
        cache: cacheState(now ?? newestTime(page)),
        subagent: options.subagent === true,
        ...given,
        hasSummarizer: given.hasSummarizer === true && !tired,
        ...(wire === undefined ? {} : { wire }),
        ...(now === undefined ? {} : { now }),
      },
      newestTime(page),
      overhead,
    );
  }

  async function walked(
    walkBudget: Budget,
    trigger: Trigger,
    viewOptions: ViewOptions,
    asked: Asked = {},
  ): Promise<View> {
    const { now, signal } = viewOptions;
    // A draft that is nearly there beats a summary that is asked for anew.
    if (drafting.underWay !== undefined && size() >= walkBudget.trigger && trigger === 'auto') await drafting.underWay;
    let started = false;
    const start = (): void => {
      if (!started) emit({ type: 'compaction-started', trigger });
      started = true;
    };
    try {
      const make = (facts: ReadonlyMap<string, Fact>): Walk =>
        walk(page, walkWith(walkBudget, trigger, asked, now, facts));
      const { made, facts } = await settle(make, ports, {
        signal,
        countText,
        waits: (needs) => needs.some((need) => need.type !== 'stash') && start(),
      });
      takeFacts(facts);
      if (made.entries.some((entry) => entry.pressed)) start();
      const receipt = await commit(made.entries, viewOptions);
      const veto = [...facts.values()].find((fact) => fact.type === 'hooked' && fact.veto !== undefined);
      if (started)
        emit({
          type: 'compaction-ended',
          trigger,
          outcome: receipt !== undefined ? 'done' : veto === undefined ? 'nothing-gained' : 'vetoed',
        });
      return await handOut(made, receipt, now);
    } catch (error) {
      if (started)
        emit({ type: 'compaction-ended', trigger, outcome: signal?.aborted === true ? 'aborted' : 'failed' });
      throw error;
    }
  }

  function takeFacts(facts: ReadonlyMap<string, Fact>): void {
    for (const fact of facts.values()) {
      if (fact.type === 'hooked' && fact.message !== undefined) emit({ type: 'hook-spoke', message: fact.message });
      if (fact.type !== 'failed') continue;
      note({ type: 'fact', fact });
      emit({ type: 'need-failed', need: fact.need, key: fact.key, code: fact.code, why: fact.why });
      if (page.failures === MOST_FAILURES) emit({ type: 'automatic-stopped', reason: 'summarizer-failed' });
    }
  }

  async function handOut(made: Walk, receipt: Receipt | undefined, now: number | undefined): Promise<View> {
    sentAt = now ?? newestTime(page) ?? sentAt;
    if (page.seen < page.base.length)
      note({ type: 'seen', count: page.base.length, ...(sentAt === undefined ? {} : { at: sentAt }) });
    sentEstimate = estimate();
    await scribe.saved();
    const tokens = size();
    const fits = made.fits && tokens <= Math.max(budget.trigger, budget.blocking);
    emit({ type: 'view-made', tokens, fits, visits: made.visits });
    prepareAhead(tokens, now);
    const view = { messages: shownMessages(page, page), tokens, fits, native: made.native };
    return receipt === undefined ? view : { ...view, receipt };
  }

  /** From a soft threshold on: if the trigger fired now, which summary would be asked for? That one is drafted. */
  function prepareAhead(tokens: number, now: number | undefined): void {
    const step = Math.floor((tokens / budget.trigger) * DRAFT_STEPS);
    const wanted = options.drafts !== false && ports.summarizer !== undefined && paused() === undefined;
    if (!wanted || drafting.underWay !== undefined || page.drafts.length > 0 || page.failures >= MOST_FAILURES) return;
    if (tokens < budget.trigger * DRAFT_FROM || step === draftStep) return;
    draftStep = step;
    const asIf = walkWith({ ...budget, trigger: Math.min(budget.trigger, tokens) }, 'auto', {}, now, new Map());
    const need = walk(page, { ...asIf, hasHooks: false, hasCarry: false, hasStash: false }).needs.find(
      (one) => one.type === 'summary',
    );
    if (need?.type === 'summary') drafting.start(need);
  }

  async function commit(entries: readonly EditsEntry[], { signal }: ViewOptions): Promise<Receipt | undefined> {
    if (entries.length === 0) return undefined;
    signal?.throwIfAborted();
    const before = page.ineffective;
    recordWalk(page, entries);
    for (const entry of entries) scribe.write({ v: 1, type: 'entry', entry });
    const summarized = entries.some((entry) =>
      entry.edits.some((edit) => edit.type === 'fold' && edit.summary?.of === 'history'),
    );
    if (summarized && ports.hooks?.after !== undefined) await afterHook(entries);
    const receipt = receiptOf(entries, originals)!;
    emit({ type: 'view-compacted', receipt });
    if (before < 2 && page.ineffective >= 2) emit({ type: 'automatic-stopped', reason: 'ineffective' });
    return receipt;
  }

  /** What the host says after a summary stands behind everything else. A hook that fails is reported and not waited for. */
  async function afterHook(entries: readonly EditsEntry[]): Promise<void> {
    const [first] = entries;
    const last = page.slots.at(-1)!;
    try {
      const heard = async () => ports.hooks!.after!({ receipt: receiptOf(entries, originals)! });
      const answer = await timely(heard(), ports.clock, HOOK_LIMIT_MS);
      const anchor = page.base[last.last]!;
      if (answer?.context === undefined || answer.context.trim() === '' || page.gate.open.size > 0) return;
      const ref = `e${page.refs + 1}`;
      const made = madeMessage(ref, { from: anchor.id, to: anchor.id }, `${hookFrame}\n${answer.context}`);
      const edit: Edit = {
        type: 'insert',
        ref,
        after: page.base[last.first]!.id,
        messages: [{ ...made, origin: 'harness' }],
      };
      const tokens = size();
      note({
        ...first!,
        layer: 'hooks',
        edits: [edit],
        tokensBefore: tokens,
        tokensAfter: tokens + page.count(made),
        pressed: false,
        over: 0,
        declared: false,
      });
    } catch (error) {
      emit({
        type: 'need-failed',
        need: 'hooks',
        key: 'after',
        code: 'failed',
        why: error instanceof Error ? error.message : String(error),
      });
    }
  }

  const blocked = (): CompactionError =>
    new CompactionError(
      'blocked',
      `the context has ${size()} tokens and the limit is ${budget.blocking}, with automatic compaction off. Call compact(), or switch it on.`,
    );

  function revert(): Receipt {
    const newest = standingWalks(page.entries).at(-1);
    if (newest === undefined)
      throw new CompactionError('nothing-to-undo', 'no compaction stands that could be taken back.');
    const receipt = receiptOf(newest, originals)!;
    drafting.stop();
    note({ type: 'revert', walk: receipt.walk });
    emit({ type: 'walk-reverted', receipt });
    return receipt;
  }

  function known(id: MessageId): MessageId {
    if (page.places.has(id)) return id;
    throw new CompactionError('unknown-message', `no message "${id}" is in this session.`, { messageId: id });
  }

  async function refused(refusal: { maximum?: number; actual?: number }, viewOptions: ViewOptions): Promise<View> {
    if (refusal.maximum !== undefined && refusal.maximum < budget.window) {
      budgetOptions = { ...budgetOptions, window: refusal.maximum };
      budget = makeBudget(budgetOptions);
      emit({ type: 'window-learned', window: refusal.maximum });
    }
    if (!budget.enabled) throw blocked();
    if (overflows >= Math.min(3, options.overflowTries ?? 1))
      throw new CompactionError(
        'cannot-reduce',
        `the provider refused ${overflows + 1} views in a row as too long, the last of about ${size()} tokens. State the right window, or shorten system prompt and tools.`,
      );
    overflows++;
    const before = size();
    const scale = refusal.actual !== undefined && refusal.actual > before ? before / refusal.actual : 1;
    const target = Math.floor(Math.min(budget.target, before * 0.5) * scale);
    const view = await walked(forceBudget(budget, target), 'overflow', viewOptions, { keepMessages: OVERFLOW_KEEPS });
    if (view.tokens >= before)
      throw new CompactionError('cannot-reduce', `nothing more can be hidden: ${view.tokens} tokens are indivisible.`);
    return view;
  }

  return {
    append(message) {
      const { kept, problems } = write(page, message, options.broken === 'mend');
      // The provider took the view: the next refusal is about another one.
      if (kept.role === 'assistant') overflows = 0;
      scribe.write({ v: 1, type: 'message', message: kept });
      if (problems.length > 0) emit({ type: 'history-mended', problems });
      return kept.id;
    },
    view: ({ now, signal, ...stated } = {}) =>
      inTurn(async () => {
        if (isStated(stated)) {
          besides = { ...besides, ...stated };
          overhead = overheadOf(besides);
        }
        const viewOptions = waiting(now, signal);
        if (paused() === 'off' && budget.enabled && size() >= budget.blocking) throw blocked();
        return walked(budgetNow(), 'auto', viewOptions);
      }),
    observe(reported) {
      // A host that passes on what a provider did not send reports nothing.
      const usage = reported ?? {};
      const reading = readUsage(page.meter, usage, sentEstimate, budget, isStated(besides));
      if (reading.type === 'accepted') overflows = 0;
      else emit({ type: 'usage-ignored', usage, fault: reading.fault });
      note(
        reading.type === 'accepted'
          ? { type: 'usage', usage, meter: reading.meter }
          : { type: 'usage', usage, ignored: reading.fault },
      );
    },
    overflowed: (refusal = {}, viewOptions = {}) => inTurn(() => refused(refusal, viewOptions)),
    compact: ({ trigger = 'manual', now, signal, ...asked } = {}) =>
      inTurn(async () => {
        if (!budget.enabled)
          throw new CompactionError('disabled', 'compaction is switched off (PALIMPSEST_DISABLE); switch it on first.');
        const target = Math.min(budget.target, Math.floor(size() / 2));
        const viewOptions = waiting(now, signal);
        const walkBudget = { ...forceBudget(budget, target), floorFrom: budget.trigger };
        return (await walked(walkBudget, trigger, viewOptions, asked)).receipt;
      }),
    switchTo: (next) =>
      inTurn(async () => {
        budgetOptions = { ...budgetOptions, ...pickBudgetOptions(next) };
        budget = makeBudget(budgetOptions);
        wire = next.wire ?? wire;
        // Walks come back, newest first, as long as the new model holds what they hid.
        while (standingWalks(page.entries).length > 0) {
          revert();
          if (size() >= budget.trigger) break;
        }
        page.held = false;
        return walked(budgetNow(), 'switch', {});
      }),
    undo() {
      if (working > 0) throw new CompactionError('busy', 'undo() has to wait: a view is being made. Await it first.');
      return revert();
    },
    pin: (id) => note({ type: 'pin', message: known(id) }),
    unpin: (id) => note({ type: 'unpin', message: known(id) }),
    status: () => statusOf(page, size(), overhead.bytes, budget, paused()),
    receipts: () => standingWalks(page.entries).map((entries) => receiptOf(entries, originals)!),
    ledger: () => ({ version: 1, entries: page.entries.slice() }),
    transcript: () => page.transcript.slice(),
    saved: () => scribe.saved(),
    async settled() {
      while (drafting.underWay !== undefined) await drafting.underWay;
    },
    recall: recallOf(page),
  };
}
