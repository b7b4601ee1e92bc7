import { estimatePart, estimateText, type Message, type MessageId } from '@palimpsest/core';
import type { RecordedCompaction, Recording } from '@palimpsest/formats';
import { readWindow } from '@palimpsest/measure';
import { countOnce, type Made } from './classify-message.ts';
import { type CourseBuilder, listUsage, newCourseBuilder } from './course-builder.ts';
import { describeMade } from './describe-messages.ts';
import { type Course, type Item, stateNumber } from './inspection.ts';

/** A course, and the excerpts that its views showed, by `#place@call`. */
export interface FollowedRecording {
  readonly course: Course;
  readonly excerpts: ReadonlyMap<string, Message>;
}

/** The course that a foreign recording took by itself: the views that its own agent had, call by call. */
export function followRecording(recording: Recording, sizes: readonly number[]): FollowedRecording {
  const { messages, compactions, usage } = recording;
  const places = new Map(messages.map(({ id }, place) => [id, place]));
  const builder = newCourseBuilder(estimateText(recording.system ?? ''), sizes, (message) => {
    const place = places.get(message.id);
    return place === undefined ? undefined : { place, isWhole: messages[place] === message };
  });
  const reported = new Map(usage.map((one) => [one.after, one.usage]));
  const madeAs = newMadeReader(compactions, places);
  const tellsOf = new Set<number>();
  let told = 0;
  let when: number | undefined;
  for (const [at, message] of messages.entries()) {
    for (; (compactions[told]?.at ?? Number.POSITIVE_INFINITY) <= at; told++) {
      noteCompaction(builder, recording, told, places, madeAs, when);
      noteFolded(tellsOf, compactions[told], places);
    }
    if (message.role === 'assistant') {
      const view = recording.viewAt(at);
      builder.request({
        view,
        at,
        when,
        madeAs,
        states: (from) => readStates(view, from, at, messages, places, tellsOf),
      });
      const usageThen = reported.get(at);
      if (usageThen !== undefined) builder.report(usageThen);
    }
    when = message.at ?? when;
  }
  for (; told < compactions.length; told++) noteCompaction(builder, recording, told, places, madeAs, when);
  const course = builder.finish('recording', { window: readWindow(recording) });
  return { course, excerpts: builder.excerpts };
}

type Places = ReadonlyMap<MessageId, number>;

/** Messages that a compaction put in and nobody had said: its summary, or what was carried over. */
function newMadeReader(compactions: readonly RecordedCompaction[], places: Places) {
  const made = new Map<Message, Made>();
  for (const { inserted, summaryId } of compactions)
    for (const message of inserted)
      if (!places.has(message.id)) made.set(message, message.id === summaryId ? 'summaries' : 'carried');
  return (message: Message): Made | undefined => made.get(message);
}

function noteFolded(tellsOf: Set<number>, compaction: RecordedCompaction | undefined, places: Places): void {
  if (compaction === undefined || (compaction.summary ?? compaction.unread) === undefined) return;
  for (const id of compaction.hidden) {
    const place = places.get(id);
    if (place !== undefined) tellsOf.add(place);
  }
}

/** What is not shown is told of by a summary where one was written when it went. */
function readStates(
  view: readonly Message[],
  from: number,
  to: number,
  messages: readonly Message[],
  places: Places,
  tellsOf: ReadonlySet<number>,
): Uint8Array {
  const states = new Uint8Array(Math.max(0, to - from));
  for (let place = from; place < to; place++)
    states[place - from] = stateNumber(tellsOf.has(place) ? 'folded' : 'hidden');
  for (const message of view) {
    const place = places.get(message.id);
    if (place !== undefined && place >= from && place < to)
      states[place - from] = stateNumber(messages[place] === message ? 'whole' : 'excerpt');
  }
  return states;
}

function noteCompaction(
  builder: CourseBuilder,
  recording: Recording,
  index: number,
  places: Places,
  madeAs: (message: Message) => Made | undefined,
  when: number | undefined,
): void {
  const compaction = recording.compactions[index];
  if (compaction === undefined) return;
  const [before, after] = [recording.viewBefore(index), recording.viewAfter(index)];
  const { type, trigger = 'auto', at, summary, summaryId, unread } = compaction;
  if (summary !== undefined) builder.summarize(before, compaction.when ?? when, estimateText(summary));
  builder.addCliff(
    {
      at,
      type,
      trigger,
      declared: true,
      items: listItems(recording, compaction, before, after, places),
      made: after.flatMap((message) => describeMade(message, madeAs(message))),
      ...(unread === undefined ? {} : { unread }),
      ...(compaction.usage === undefined ? {} : { reported: listUsage(compaction.usage) }),
      ...(unread !== undefined || (summaryId === undefined && summary === undefined)
        ? {}
        : { summary: { id: summaryId ?? '', by: 'agent' as const } }),
    },
    before,
    after,
    madeAs,
  );
}

/** Message by message what went, and result by result what was blanked. */
function listItems(
  { messages, format }: Recording,
  { type, cleared }: RecordedCompaction,
  before: readonly Message[],
  after: readonly Message[],
  places: Places,
): readonly Item[] {
  const left = new Map(after.map((message) => [message.id, message]));
  const layer = `${format}: ${type}`;
  const blanked = new Set(cleared);
  return before.flatMap((message): readonly Item[] => {
    const place = places.get(message.id);
    if (place === undefined) return [];
    const at = { layer, ref: `#${place + 1}`, from: place, to: place };
    const now = left.get(message.id);
    if (now === undefined) return [{ ...at, kind: 'messages', count: 1, tokens: countOnce(message) }];
    if (now === message) return [];
    const calls = message.parts.filter((part) => part.type === 'result' && blanked.has(part.callId));
    const tokens = countOnce(message) - countOnce(now);
    const kind = calls.length > 0 ? 'result' : (messages[place]?.parts[0]?.type ?? 'text');
    return tokens <= 0 && calls.every((part) => estimatePart(part) === 0)
      ? []
      : [{ ...at, kind, count: Math.max(1, calls.length), tokens }];
  });
}
