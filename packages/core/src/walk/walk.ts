import { type Digest, digest } from '../digest/digest.ts';
import { InvariantError } from '../errors.ts';
import { unbindReasoning } from '../layers/drop-old-reasoning.ts';
import { type Edit, startOf } from '../ledger/edit.ts';
import type { EditsEntry, Fact, Trigger } from '../ledger/ledger.ts';
import type { Budget } from '../size/budget.ts';
import type { CacheState } from '../size/cost.ts';
import { estimateFor, type Meter, sizeOf } from '../size/meter.ts';
import { checkSheet } from '../view/invariants.ts';
import type { Asked, Layer, Look, NativeEdit, Need, Over, WireRules } from '../view/look.ts';
import { applyEdits, type Page, provisional, type Sheet } from '../view/view-state.ts';

export interface WalkOptions {
  readonly layers: readonly Layer[];
  readonly budget: Budget;
  readonly trigger: Trigger;
  readonly wire: WireRules;
  readonly main: boolean;
  readonly hasStash: boolean;
  readonly now: number | undefined;
  /** Estimated tokens and bytes of what is sent besides the messages: system prompt, tool definitions. */
  readonly overhead: { readonly tokens: number; readonly bytes: number };
  readonly facts: ReadonlyMap<string, Fact>;
  readonly hasSummarizer: boolean;
  readonly hasCarry: boolean;
  readonly hasHooks: boolean;
  readonly asked: Asked;
  readonly cache: CacheState;
  readonly countText: (text: string) => number;
}

/** What one layer did, for those who watch. */
export interface Visit {
  readonly layer: string;
  readonly edits: number;
  readonly needs: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export interface Walk {
  readonly sheet: Sheet;
  readonly entries: readonly EditsEntry[];
  readonly needs: readonly Need[];
  readonly native: readonly NativeEdit[];
  readonly visits: readonly Visit[];
  readonly tokens: number;
  readonly fits: boolean;
}

/** Estimated tokens of a whole request whose messages are this sheet. */
export function estimateOf(page: Page, sheet: Sheet, overheadTokens: number): number {
  const closing = provisional(page);
  return overheadTokens + sheet.sums.tokens + (closing === undefined ? 0 : page.count(closing));
}

/** Leads the page's view through the layers, in order. Changes nothing: whoever likes the answer records its entries. */
export function walk(page: Page, options: WalkOptions): Walk {
  const { budget, overhead } = options;
  const { meter } = page;
  const size = (sheet: Sheet): number => sizeOf(meter, estimateOf(page, sheet, overhead.tokens));
  let sheet: Sheet = page;
  const entries: EditsEntry[] = [];
  const needs: Need[] = [];
  const native: NativeEdit[] = [];
  const visits: Visit[] = [];
  const number = page.walks + 1;
  let refs = page.refs;
  let pressure = none;

  const closing = (): Layer[] =>
    options.wire.reasoning === 'bound' && entries.length > 0 ? [unbindReasoning(firstChange(page, entries))] : [];
  for (const layer of withLast(options.layers, closing)) {
    const tokensBefore = size(sheet);
    pressure = pressureOn(sheet, tokensBefore, overhead.bytes, budget, pressure);
    const look = lookAt(
      page,
      sheet,
      tokensBefore,
      overOf(sheet, tokensBefore, overhead.bytes, budget, meter, pressure),
      refs,
      options,
    );
    const decision = layer.decide(look);
    if (decision.needs !== undefined) needs.push(...decision.needs);
    if (decision.native !== undefined) native.push(...decision.native);
    if (decision.edits.length > 0) {
      const before = sheet;
      sheet = applied(page, sheet, layer.name, decision.edits, refs);
      refs += decision.edits.length;
      checkSheet(layer.name, before, sheet, decision.edits);
      entries.push({
        type: 'edits',
        walk: number,
        layer: layer.name,
        trigger: options.trigger,
        edits: decision.edits,
        tokensBefore,
        tokensAfter: size(sheet),
        pressed: look.pressed,
        over: pressure.tokens ? Math.max(0, tokensBefore - budget.target) : 0,
        declared: decision.edits.some((edit) => edit.type !== 'insert' && firstPlace(page, edit) < page.seen),
        ...(decision.reason === undefined ? {} : { reason: decision.reason }),
      });
    }
    const { edits } = decision;
    visits.push({
      layer: layer.name,
      edits: edits.length,
      needs: decision.needs?.length ?? 0,
      tokensBefore,
      tokensAfter: size(sheet),
    });
  }
  const tokens = size(sheet);
  return { sheet, entries, needs, native, visits, tokens, fits: fits(sheet, tokens, overhead.bytes, budget) };
}

/** The first message that the walk changed, and from which of its parts on. */
function firstChange(page: Page, entries: readonly EditsEntry[]): { readonly place: number; readonly part: number } {
  let first = { place: Number.POSITIVE_INFINITY, part: 0 };
  for (const { edits } of entries)
    for (const edit of edits) {
      const place = firstPlace(page, edit);
      const part = 'part' in edit ? edit.part : edit.type === 'fold' ? 0 : Number.POSITIVE_INFINITY;
      if (place < first.place || (place === first.place && part < first.part)) first = { place, part };
    }
  return first;
}

export const firstPlace = (page: Page, edit: Edit): number => page.places.get(startOf(edit)) ?? 0;

function applied(page: Page, sheet: Sheet, layer: string, edits: readonly Edit[], refs: number): Sheet {
  edits.forEach((edit, i) => {
    if (edit.ref !== `e${refs + i + 1}`)
      throw new InvariantError(layer, 'references are consecutive', `${edit.ref} instead of e${refs + i + 1}`);
  });
  try {
    return applyEdits(page, sheet, edits);
  } catch (error) {
    throw new InvariantError(layer, 'edits name what the view shows', (error as Error).message);
  }
}

/** From the start of the transcript, reading goes on where the last digest stopped: a compaction costs what came since. */
function digestOf(
  page: Page,
  first: number,
  last: number,
  maxTokens: number,
  countText: (text: string) => number,
): Digest {
  const known = first === 0 && page.read !== undefined && page.read.upTo <= last + 1 ? page.read : undefined;
  const made = digest(page.base.slice(known?.upTo ?? first, last + 1), {
    maxTokens,
    countText,
    saidFirst: true,
    ...(known === undefined ? {} : { previous: known.evidence }),
  });
  // A shorter prefix (one collapsed span) must not throw away what was read of a longer one.
  if (first === 0 && last + 1 >= (page.read?.upTo ?? 0)) page.read = { upTo: last + 1, evidence: made.evidence };
  return made;
}

/** The list, then what can only be known once the list has been walked. */
function* withLast(layers: readonly Layer[], last: () => readonly Layer[]): Generator<Layer> {
  yield* layers;
  yield* last();
}

/** Which measures are under pressure: from the trigger on, until the target is reached. */
interface Pressure {
  readonly tokens: boolean;
  readonly bytes: boolean;
  readonly images: boolean;
  readonly messages: boolean;
}

const none: Pressure = { tokens: false, bytes: false, images: false, messages: false };

function pressureOn(sheet: Sheet, tokens: number, extraBytes: number, budget: Budget, was: Pressure): Pressure {
  const { limits } = budget;
  return {
    tokens: was.tokens || tokens >= budget.trigger,
    bytes: was.bytes || sheet.sums.bytes + extraBytes > (limits.bytes ?? Infinity),
    images: was.images || sheet.sums.images > (limits.images ?? Infinity),
    messages: was.messages || sheet.slots.length > budget.triggerMessages,
  };
}

function overOf(sheet: Sheet, tokens: number, extraBytes: number, budget: Budget, meter: Meter, on: Pressure): Over {
  const { limits } = budget;
  const slack = (limit: number | undefined): number => Math.floor((limit ?? Infinity) * 0.75);
  const above = (pressed: boolean, value: number, target: number): number =>
    pressed ? Math.max(0, value - target) : 0;
  return {
    tokens: estimateFor(meter, above(on.tokens, tokens, budget.target)),
    bytes: above(on.bytes, sheet.sums.bytes + extraBytes, slack(limits.bytes)),
    images: above(on.images, sheet.sums.images, slack(limits.images)),
    messages: above(on.messages, sheet.slots.length, budget.targetMessages),
  };
}

const fits = (sheet: Sheet, tokens: number, extraBytes: number, budget: Budget): boolean =>
  tokens <= budget.trigger &&
  sheet.sums.bytes + extraBytes <= (budget.limits.bytes ?? Infinity) &&
  sheet.sums.images <= (budget.limits.images ?? Infinity) &&
  sheet.slots.length <= budget.triggerMessages;

function lookAt(page: Page, sheet: Sheet, tokens: number, over: Over, refs: number, options: WalkOptions): Look {
  const { slots } = sheet;
  let fresh = slots.length;
  let freshEstimate = 0;
  while (fresh > 0 && slots[fresh - 1]!.first >= page.seen) freshEstimate += slots[--fresh]!.tokens;
  return {
    slots,
    shown: page.slots,
    shownTokens: sizeOf(page.meter, estimateOf(page, page, options.overhead.tokens)),
    tokens,
    over,
    pressed: over.tokens > 0 || over.bytes > 0 || over.images > 0 || over.messages > 0,
    budget: options.budget,
    trigger: options.trigger,
    wire: options.wire,
    main: options.main,
    hasStash: options.hasStash,
    hasSummarizer: options.hasSummarizer,
    hasCarry: options.hasCarry,
    hasHooks: options.hasHooks,
    asked: options.asked,
    drafts: page.drafts,
    cache: options.cache,
    countText: options.countText,
    placeOf: (id) => page.places.get(id),
    digest: (first, last, maxTokens) => digestOf(page, first, last, maxTokens, options.countText),
    now: options.now,
    fresh,
    freshTokens: Math.ceil(freshEstimate * page.meter.ratio),
    count: page.count,
    fact: (key) => options.facts.get(key),
    isPinned: (id) => page.pins.has(id),
    hasOpenCalls: page.gate.open.size > 0,
    original: (slot) => page.base[slot.first]!,
    behind: (from, to) => page.base.slice(from.first, to.last + 1),
    ref: (n) => `e${refs + n + 1}`,
  };
}
