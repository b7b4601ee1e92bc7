import { type Message, partText } from '@palimpsest/core';
import { asFields, asString } from '@palimpsest/core/json';
import { type Course, stateNumber } from './inspection.ts';

/** A call by which the model read something again, and the words of the answer that say what. */
export interface RecallRead {
  /** The call that made it, from 0. */
  readonly call: number;
  /** References, places and ids that were asked for or are named in the answer. */
  readonly names: readonly string[];
}

const RECALL = /(?:^|__|[.:/])(?:palimpsest[_-]?)?recall$/i;
const NAMES = /\be\d+\b|#\d+|\bm\d+\b/g;
/** The heads of passages stand at the beginning of lines; more of a long answer is not looked at. */
const LOOKED_CHARS = 20_000;

/** Notes what a model read by recall, message by message. */
export function newRecallReader() {
  const reads: { call: number; names: string[] }[] = [];
  const open = new Map<string, { call: number; names: string[] }>();
  return {
    note({ parts }: Message, calls: number): void {
      for (const part of parts) {
        if (part.type === 'call' && RECALL.test(part.tool)) {
          const { reference } = asFields(part.input);
          const read = {
            call: Math.max(0, calls - 1),
            names: [...(asString(reference) ?? '').matchAll(NAMES)].map(String),
          };
          open.set(part.callId, read);
          reads.push(read);
        }
        const asked = part.type === 'result' ? open.get(part.callId) : undefined;
        if (asked !== undefined && asked.names.length === 0)
          asked.names.push(...readHeads(partText(part).slice(0, LOOKED_CHARS)));
      }
    },
    list: (): readonly RecallRead[] => reads,
  };
}

/** The messages that an answer to a query quotes, by the heads of its passages: `— m15 · result of read`. */
const readHeads = (text: string): readonly string[] => [...text.matchAll(/^— (\S+) · /gm)].map(([, id = '']) => id);

/** Messages that were out of view and were read again, from then on until they come back. */
export function markRecalled(
  course: Course,
  reads: readonly RecallRead[],
  placeOf: (id: string) => number | undefined,
): Course {
  if (reads.length === 0) return course;
  const items = new Map(course.cliffs.flatMap((cliff) => cliff.items.map((item) => [item.ref, item] as const)));
  const lifelines = course.lifelines.map((runs) => [...runs]);
  for (const { call, names } of reads)
    for (const name of names) {
      const item = items.get(name);
      const own = /^#\d+$/.test(name) ? Number(name.slice(1)) - 1 : placeOf(name);
      const [from, to] = item === undefined ? [own, own] : [item.from, item.to];
      for (let place = from ?? 0; place <= (to ?? -1); place++) addRecall(lifelines[place], call + 1);
    }
  return { ...course, lifelines };
}

/** Only what a view does not show whole is read again. */
function addRecall(runs: number[] | undefined, call: number): void {
  if (runs === undefined) return;
  let i = 0;
  while (i + 2 < runs.length && (runs[i + 2] ?? 0) <= call) i += 2;
  const state = runs[i + 1];
  if ((runs[i] ?? call) > call || state === undefined || state === stateNumber('whole')) return;
  const recalled = stateNumber('recalled');
  if (state === recalled) return;
  if (runs[i] === call) runs[i + 1] = recalled;
  else runs.splice(i + 2, 0, call, recalled);
}
