import { InvariantError } from '../errors.ts';
import { unbindReasoning } from '../layers/drop-old-reasoning.ts';
import { type Edit, startOf } from '../ledger/edit.ts';
import type { EditsEntry } from '../ledger/ledger.ts';
import { copyData } from '../message/copy-data.ts';
import { findUnbound } from '../view/bound-reasoning.ts';
import type { Circumstances } from '../view/circumstances.ts';
import { checkView } from '../view/invariants.ts';
import type { Decision, Layer, Look } from '../view/look.ts';
import type { NativeEdit, Need } from '../view/need.ts';
import { numberIn } from '../view/reference.ts';
import type { Slot } from '../view/slot.ts';
import { applyEdits, type OwnSlotList, type SlotList } from '../view/slot-list.ts';
import type { ViewState } from '../view/view-state.ts';
import { lookAt, measureRequest } from './look-at.ts';
import { fitsBudget, measureNeeded, measureOver, noPressure, type Pressure, takePressure } from './pressure.ts';
import { type Reading, readDigest } from './read-digest.ts';
import { tellCause } from './tell-cause.ts';
import { tellRecall } from './tell-recall.ts';

/** What one layer did, for those who watch. */
export interface Visit {
  readonly layer: string;
  readonly edits: number;
  readonly needs: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** The outcome of a walk. Whoever likes it records its entries. */
export interface Walk {
  /** The view that it began with: a list that only grows at its end, and how long it was. */
  readonly from: { readonly slots: readonly Slot[]; readonly length: number };
  readonly view: SlotList;
  readonly entries: readonly EditsEntry[];
  readonly needs: readonly Need[];
  readonly native: readonly NativeEdit[];
  readonly visits: readonly Visit[];
  readonly tokens: number;
  readonly fits: boolean;
  /** What digests have read by now, for the next walk. */
  readonly reading: Reading | undefined;
}

/** A walk under way. */
interface Course {
  readonly entries: EditsEntry[];
  readonly needs: Need[];
  readonly native: NativeEdit[];
  readonly visits: Visit[];
  view: SlotList;
  /** What the last layer saw: the next one sees the same where nothing was changed. */
  look: Look | undefined;
  /** The view that the layers began with. */
  shown: SlotList;
  tokens: number;
  pressure: Pressure;
  refs: number;
  reading: Reading | undefined;
}

/**
 * Leads the state's view through the layers, in order. Changes nothing: the same state and circumstances give the same
 * walk. `reading` only spares work: what an earlier walk's digests have read.
 */
export function walk(
  state: Readonly<ViewState>,
  layers: readonly Layer[],
  given: Circumstances,
  reading?: Reading,
): Walk {
  const from = { slots: state.slots, length: state.slots.length };
  const course: Course = {
    entries: [],
    needs: [],
    native: [],
    visits: [],
    view: state,
    look: undefined,
    shown: state,
    tokens: measureRequest(state, state, given.overhead.tokens),
    pressure: noPressure,
    refs: state.refs,
    reading,
  };
  // First as well: an undo may have left some, and a layer shows the view to a summarizer.
  unbindView(state, course, given);
  course.shown = course.view;
  for (const layer of layers) visitLayer(state, course, layer, given);
  unbindView(state, course, given);
  if (course.needs.length === 0) tellModel(state, course, given);
  const { view, needs, native, visits, tokens } = course;
  const entries = (course.entries.length < 2 ? course.entries : course.entries.map(tellCount)).map(tellRoom(given));
  const fits = fitsBudget({ view, tokens, given });
  return { from, view, entries, needs, native, visits, tokens, fits, reading: course.reading };
}

/** The tokens by which a decision may make a view larger: none, or what it brings back into the part that no model has seen. */
function bringsAtMost(state: ViewState, layer: string, { edits, brings = 0 }: Decision): number {
  if (brings > 0 && edits.some((edit) => edit.type !== 'insert' || firstPlace(state, edit) < state.seen))
    throw new InvariantError(layer, 'what comes back stands behind what was shown', 'an edit of something shown');
  return brings;
}

const tellCount = (entry: EditsEntry, _: number, entries: readonly EditsEntry[]): EditsEntry => ({
  ...entry,
  of: entries.length,
});

/** Who reads the journal later knows by it why the walk was made when it was made. */
const tellRoom =
  ({ budget }: Circumstances) =>
  (entry: EditsEntry, place: number): EditsEntry => {
    const [window, trigger, target] = [
      Math.round(budget.window),
      Math.round(budget.trigger),
      Math.round(budget.target),
    ] as const;
    const isStated = [window, trigger, target].every((tokens) => Number.isSafeInteger(tokens) && tokens >= 0);
    return place === 0 && isStated ? { ...entry, room: { window, trigger, target } } : entry;
  };

/** Where the wire binds reasoning to what stands before it, none leaves that stands behind something else. */
function unbindView(state: ViewState, course: Course, given: Circumstances): void {
  if (given.wire.reasoning !== 'bound') return;
  const unbound = findUnbound(state, course.view.slots);
  if (unbound.length > 0) visitLayer(state, course, unbindReasoning(unbound), given, { unbinds: true });
}

/** The last step: the model is told of what was hidden, where it has a tool to read it. */
function tellModel(state: ViewState, course: Course, given: Circumstances): void {
  const told = tellRecall(state, course, given);
  if (told === undefined) return;
  const { layer, tokensBefore, tokensAfter } = told.entry;
  course.view = told.view;
  course.tokens = tokensAfter;
  course.entries.push(told.entry);
  course.visits.push({ layer, edits: 1, needs: 0, tokensBefore, tokensAfter });
}

/** A digest of a part of the transcript; a walk reads on from where it stopped. */
function digestNow(
  { base }: ViewState,
  course: Course,
  { countText, canRecall }: Circumstances,
  ...[first, last, maxTokens, beside = '']: Parameters<Look['digest']>
): ReturnType<Look['digest']> {
  const request = { first, last, maxTokens, beside, countText, canRecall };
  const { made, reading } = readDigest(base, request, course.reading ?? {});
  course.reading = reading;
  return made;
}

/** The view of now and the pressure on it. */
function lookNow(state: ViewState, course: Course, given: Circumstances): Look {
  const { view, tokens, refs, shown } = course;
  const measured = { view, tokens, given };
  course.pressure = takePressure(measured, course.pressure);
  const { cause } = course.pressure;
  return lookAt(state, view, given, {
    tokens,
    over: measureOver(measured, state.meter, course.pressure),
    needed: measureNeeded(measured, state.meter, course.pressure),
    ...(cause === undefined ? {} : { cause }),
    refs,
    shown,
    digest: (...request) => digestNow(state, course, given, ...request),
  });
}

/** One step: the layer looks, its decision is applied and checked, and what it did is noted. */
function visitLayer(
  state: ViewState,
  course: Course,
  layer: Layer,
  given: Circumstances,
  mark: Partial<Pick<EditsEntry, 'unbinds'>> = {},
): void {
  const { view: before, tokens: tokensBefore } = course;
  const look = course.look?.slots === before.slots ? course.look : lookNow(state, course, given);
  course.look = look;
  const decision = layer.decide(look);
  course.needs.push(...(decision.needs ?? []));
  course.native.push(...(decision.native ?? []));
  if (decision.edits.length > 0) {
    const edits = copyData(decision.edits, `the decision of "${layer.name}"`);
    course.view = applyDecision(state, before, layer.name, edits, look.ref);
    checkView(layer.name, before, course.view, edits, bringsAtMost(state, layer.name, decision));
    course.refs = numberIn(look.ref(decision.edits.length - 1));
    course.tokens = measureRequest(state, course.view, given.overhead.tokens);
    course.entries.push({ ...makeEntry(state, course, layer.name, { ...decision, edits }, look), ...mark });
  }
  course.visits.push({
    layer: layer.name,
    edits: decision.edits.length,
    needs: decision.needs?.length ?? 0,
    tokensBefore,
    tokensAfter: course.tokens,
  });
}

const makeEntry = (
  state: ViewState,
  { tokens, pressure, entries }: Course,
  layer: string,
  { edits, reason: own }: Decision,
  look: Look,
): EditsEntry => {
  const { cause } = look;
  const why = entries.some((entry) => entry.cause === cause) ? undefined : tellCause(look);
  const reason = [why, own].filter((words) => words !== undefined).join('; ');
  return {
    type: 'edits',
    walk: state.walks + 1,
    layer,
    trigger: look.given.trigger,
    edits,
    tokensBefore: look.tokens,
    tokensAfter: tokens,
    pressed: look.pressed,
    ...(cause === undefined || cause === 'limit' ? {} : { cause }),
    over: pressure.tokens ? Math.max(0, look.tokens - look.given.budget.target) : 0,
    ...(look.pressed && overheadOf(look) > 0 ? { overhead: overheadOf(look) } : {}),
    declared: edits.some((edit) => edit.type !== 'insert' && firstPlace(state, edit) < state.seen),
    ...(reason === '' ? {} : { reason }),
  };
};

const overheadOf = (look: Look): number => Math.round(look.given.budget.overhead ?? 0);

function applyDecision(
  state: ViewState,
  view: SlotList,
  layer: string,
  edits: readonly Edit[],
  ref: Look['ref'],
): OwnSlotList {
  for (const [i, edit] of edits.entries())
    if (edit.ref !== ref(i))
      throw new InvariantError(layer, 'references are consecutive', `${edit.ref} instead of ${ref(i)}`);
  try {
    return applyEdits(state, view, edits);
  } catch (error) {
    throw new InvariantError(layer, 'edits name what the view shows', (error as Error).message);
  }
}

const firstPlace = (state: ViewState, edit: Edit): number => state.places.get(startOf(edit)) ?? 0;
