import {
  type EditsEntry,
  type HiddenItem,
  type JournalRecord,
  type Message,
  type Played,
  type PlayedWalk,
  playRecords,
  type Slot,
} from '@palimpsest/core';
import type { Made } from './classify-message.ts';
import { type CliffSizes, type CourseBuilder, newCourseBuilder, type Shown } from './course-builder.ts';
import { describeMade } from './describe-messages.ts';
import { type Cliff, type Course, type Item, stateNumber } from './inspection.ts';
import { markRecalled, newRecallReader } from './mark-recalled.ts';

/** What the course of a journal is told with. */
export interface FollowOptions {
  readonly name: string;
  readonly budget: Course['budget'];
  /** Tokens of what was sent besides the messages. */
  readonly systemTokens: number;
  /** Estimated tokens of all messages of the page, and where each stands there. */
  readonly sizes: readonly number[];
  readonly placeOf: (id: string) => number | undefined;
}

/** A course, and what is read of it one by one. */
export interface Followed {
  readonly course: Course;
  /** Messages that nobody said by id, excerpts by `#place@call`. */
  readonly made: ReadonlyMap<string, Message>;
  /** What summaries keep of themselves, by the reference of their fold. */
  readonly summaries: ReadonlyMap<string, KeptSummary>;
}

/** A summary as its fold keeps it, and the text that the view shows. */
export interface KeptSummary {
  readonly mark: NonNullable<Slot['summary']>;
  readonly message: Message;
}

/** The course of a journal: of a session of ours, or of a recording that was led through a preset. */
export function followSession(records: readonly JournalRecord[], options: FollowOptions): Followed {
  const { systemTokens, sizes, placeOf, name, budget } = options;
  const saidOf = new Map<string, Message>();
  const builder = newCourseBuilder(systemTokens, sizes, (message) => {
    const place = placeOf(message.id);
    return place === undefined ? undefined : { place, isWhole: saidOf.get(message.id) === message };
  });
  const made = new Map<Message, Made>();
  const madeAs: Shown['madeAs'] = (message) => made.get(message);
  const summaries = new Map<string, KeptSummary>();
  const recalls = newRecallReader();
  let [said, read] = [0, 0];
  let when: number | undefined;
  let before: readonly Slot[] = [];
  for (const played of playRecords(records)) {
    const { record, walk, base } = played;
    for (; read < base.length; read++) {
      const message = base[read];
      if (message !== undefined) saidOf.set(message.id, message);
    }
    if (record.type === 'message') {
      said = Math.max(said, (placeOf(base.at(-1)?.id ?? '') ?? -1) + 1);
      when = record.message.at ?? when;
      recalls.note(record.message, builder.calls);
    }
    if (record.type === 'entry') {
      const { entry } = record;
      if (walk !== undefined) {
        noteMade(made, played, placeOf);
        for (const { summary, fold, message } of played.slots)
          if (summary?.of === 'history' && fold !== undefined) summaries.set(fold, { mark: summary, message });
        noteWalk(builder, { played, walk, before, madeAs, at: said }, placeOf);
      }
      if (entry.type === 'revert') builder.undo(entry.walk);
      if (entry.type === 'usage') builder.report(entry.usage);
      // A view that ends with the model's answer is one to look at: nothing is asked by it.
      if (entry.type === 'seen' && entry.handedOut !== false && base.at(-1)?.role !== 'assistant')
        builder.request({
          view: played.messages(),
          at: said,
          when: entry.at ?? when,
          madeAs,
          states: (from) => readStates(played, from, said, placeOf),
        });
    }
    before = played.slots;
  }
  return {
    course: markRecalled(builder.finish(name, budget), recalls.list(), placeOf),
    made: new Map([...[...made.keys()].map((message) => [message.id, message] as const), ...builder.excerpts]),
    summaries,
  };
}

type PlaceOf = FollowOptions['placeOf'];

/** Messages that folds and inserts put into the view; those that only moved there are no such. */
function noteMade(made: Map<Message, Made>, { slots }: Played, placeOf: PlaceOf): void {
  for (const { message, fold, inserted } of slots)
    if (fold !== undefined && placeOf(message.id) === undefined)
      made.set(message, inserted === true && message.synthetic === undefined ? 'carried' : 'summaries');
}

interface Walked {
  readonly played: Played;
  readonly walk: PlayedWalk;
  readonly before: readonly Slot[];
  readonly madeAs: Shown['madeAs'];
  readonly at: number;
}

function noteWalk(builder: CourseBuilder, { played, walk, before, madeAs, at }: Walked, placeOf: PlaceOf): void {
  const { receipt, entries, items } = walk;
  const refs = new Set(entries.flatMap(({ edits }) => edits.map(({ ref }) => ref)));
  const added = played.slots.filter(({ fold }) => fold !== undefined && refs.has(fold));
  const summary = added.find((slot) => slot.summary?.of === 'history');
  builder.addCliff(
    {
      at,
      walk: receipt.walk,
      type: 'walk',
      trigger: receipt.trigger,
      ...(receipt.reason === undefined ? {} : { reason: receipt.reason }),
      pressed: entries.some((entry) => entry.pressed),
      ...readRoom(entries),
      declared: receipt.declared,
      items: items.filter(({ count }) => count > 0).map((item) => placeItem(item, placeOf)),
      made: added.flatMap(({ message }) => describeMade(message, madeAs(message))),
      ...listMissing(played, placeOf),
      ...(summary?.summary === undefined || summary.fold === undefined
        ? {}
        : { summary: { id: summary.fold, by: summary.summary.by } }),
    },
    before.map(({ message }) => message),
    played.slots.map(({ message }) => message),
    madeAs,
    readSizes(walk),
  );
}

/** What a newer text replaced, or a tool printed, is nothing that anybody would miss. */
function listMissing(played: Played, placeOf: PlaceOf): Pick<Cliff, 'missing'> {
  const missing = played.missing().flatMap(({ message, reason }) => {
    const at = placeOf(message);
    return at === undefined || reason === 'replaced' || reason === 'tool-output' ? [] : [{ at, reason }];
  });
  return missing.length === 0 ? {} : { missing };
}

/** A walk without pressure does not record its overhead, so the parts of its sizes are unknown. */
function readSizes({ receipt, entries }: PlayedWalk): CliffSizes | undefined {
  if (!entries.some(({ pressed }) => pressed)) return undefined;
  const overhead = entries.find((entry) => entry.overhead !== undefined)?.overhead ?? 0;
  return { before: receipt.tokensBefore, after: receipt.tokensAfter, overhead };
}

const readRoom = (entries: readonly EditsEntry[]): Pick<Cliff, 'room'> => {
  const room = entries.find((entry) => entry.room !== undefined)?.room;
  return room === undefined ? {} : { room };
};

const placeItem = ({ from, to, tool, targets, ...item }: HiddenItem, placeOf: PlaceOf): Item => ({
  ...item,
  from: placeOf(from) ?? 0,
  to: placeOf(to) ?? placeOf(from) ?? 0,
  ...(tool === undefined ? {} : { tool }),
  ...(targets.length === 0 ? {} : { targets }),
});

/** Slot by slot what a view shows of the transcript; what no slot stands for is hidden. */
function readStates(
  { slots, base, placeOf: placeInBase }: Played,
  from: number,
  to: number,
  placeOf: PlaceOf,
): Uint8Array {
  const states = new Uint8Array(Math.max(0, to - from)).fill(stateNumber('hidden'));
  const set = (place: number | undefined, state: number): void => {
    if (place !== undefined && place >= from && place < to) states[place - from] = state;
  };
  const shown: [number | undefined, number][] = [];
  for (let i = slots.length - 1; i >= 0; i--) {
    const slot = slots[i];
    if (slot === undefined || slot.inserted === true) continue;
    const own = placeOf(slot.message.id);
    if (own !== undefined)
      shown.push([own, stateNumber(slot.edited === undefined || slot.edited.size === 0 ? 'whole' : 'excerpt')]);
    else if (slot.summary !== undefined)
      for (let at = firstPlace(slot, placeInBase); at <= (slot.reach ?? slot.last); at++)
        set(placeOf(base[at]?.id ?? ''), stateNumber('folded'));
    // What is asked for stands at the end of the transcript, and places only grow.
    if (from > 0 && (own ?? from) < from) break;
  }
  for (const [place, state] of shown) set(place, state);
  return states;
}

/** Where what a summary is about begins: users' text that stays may stand between that and its own place. */
const firstPlace = ({ first, summary }: Slot, placeOf: Played['placeOf']): number =>
  Math.min(first, placeOf(summary?.from ?? '') ?? first);
