import type { Message, MessageId, Part, Usage } from '@palimpsest/core';
import { isSameJson } from '@palimpsest/core/json';
import { omitUndefined } from '../fields.ts';
import { type AboutCompaction, makeCompaction } from './compaction.ts';
import { describeBrokenPairs } from './describe-broken-pairs.ts';
import type { Branch, FormatName, RecordedCompaction, RecordedUsage, Recording, SessionRecord } from './recording.ts';

/** What a reader learns about the session on its way. */
export interface AboutSession {
  id?: string | undefined;
  cwd?: string | undefined;
  model?: string | undefined;
  version?: string | undefined;
  system?: string | undefined;
}

/** What is known of a report besides its counts. */
interface AboutReport {
  readonly window?: number | undefined;
  readonly model?: string | undefined;
  readonly request?: string | undefined;
}

interface Stage {
  readonly at: number;
  readonly view: readonly Message[];
  readonly compaction?: number;
}

/** A recording as it is being read, in the order in which things happened. */
export interface Recorder {
  readonly messages: readonly Message[];
  /**
   * The next message; its index. Parts that say nothing are left out, and so is a message that has no others (its
   * index is undefined); `exact` takes it as it is.
   */
  say(message: Message, exact?: boolean): number | undefined;
  /** For the response at `after`; the last report for a response counts. */
  report(after: number | undefined, usage: Usage | undefined, about?: AboutReport): void;
  view(): readonly Message[];
  /** From here on the model sees `view`. */
  compact(about: AboutCompaction, view: readonly Message[]): void;
  /** From here on another, unrelated conversation. */
  restart(): void;
  branch(branch: Branch): void;
  note(text: string): void;
  finish(about: Readonly<AboutSession>): Recording;
}

const isEmptyPart = (part: Part): boolean =>
  (part.type === 'text' && part.text.trim() === '') ||
  (part.type === 'reasoning' && part.text === '' && part.signature === undefined);

/** Without parts that say nothing; undefined when none is left. */
export function dropEmptyParts(message: Message): Message | undefined {
  if (!message.parts.some(isEmptyPart)) return message.parts.length === 0 ? undefined : message;
  const parts = message.parts.filter((part) => !isEmptyPart(part));
  return parts.length === 0 ? undefined : { ...message, parts };
}

export function newRecorder(format: FormatName): Recorder {
  const messages: Message[] = [];
  const places = new Map<MessageId, number>();
  const usage = new Map<number, RecordedUsage>();
  const compactions: RecordedCompaction[] = [];
  const branches: Branch[] = [];
  const notes: string[] = [];
  let stage: Stage = { at: 0, view: [] };
  const stages = [stage];
  let empty = 0;

  const view = (): readonly Message[] => joinView(stage, messages, messages.length);

  const enter = (next: Stage): void => {
    stage = next;
    stages.push(next);
  };

  return {
    messages,
    view,
    say(message, exact = false) {
      let kept = exact ? message : dropEmptyParts(message);
      if (kept === undefined) {
        empty++;
        return undefined;
      }
      let id = kept.id;
      for (let n = 2; places.has(id); n++) id = `${kept.id}~${n}`;
      if (id !== kept.id) kept = { ...kept, id };
      places.set(id, messages.length);
      return messages.push(kept) - 1;
    },
    report(after, reported, about = {}) {
      if (after === undefined || reported === undefined) return;
      if (Object.values(reported).every((count) => count === 0)) return;
      usage.set(after, { after, usage: reported, ...omitUndefined(about) });
    },
    compact(about, next) {
      const shown = next.map((message) => {
        const own = messages[places.get(message.id) ?? -1];
        return own !== undefined && own !== message && isSameJson(own, message) ? own : message;
      });
      const isOwn = (message: Message): boolean => messages[places.get(message.id) ?? -1] === message;
      compactions.push(makeCompaction(about, shown, view(), isOwn, messages.length));
      enter({ at: messages.length, view: shown, compaction: compactions.length - 1 });
    },
    restart() {
      enter({ at: messages.length, view: [] });
    },
    branch({ type, messages: told }) {
      const said = told.flatMap((message) => dropEmptyParts(message) ?? []);
      if (said.length > 0) branches.push({ type, messages: said });
    },
    note(text) {
      notes.push(text);
    },
    finish(about) {
      if (empty > 0) notes.push(`${empty} message(s) without any content were left out`);
      notes.push(...describeBrokenPairs(messages));
      const record: SessionRecord = {
        ...omitUndefined(about),
        messages,
        usage: [...usage.values()]
          .sort((a, b) => a.after - b.after)
          .map(({ model, ...one }) => (model === undefined || model === about.model ? one : { ...one, model })),
        compactions,
      };
      return { ...record, format, branches, notes, ...makeViews(stages, messages) };
    },
  };
}

const joinView = (stage: Stage, messages: readonly Message[], count: number): readonly Message[] => [
  ...stage.view,
  ...messages.slice(stage.at, count),
];

function makeViews(
  stages: readonly Stage[],
  messages: readonly Message[],
): Pick<Recording, 'viewAt' | 'viewBefore' | 'viewAfter'> {
  const findStage = (index: number): number => {
    const found = stages.findIndex((stage) => stage.compaction === index);
    if (found < 0) throw new RangeError(`there is no compaction ${index}; "compactions" has them all`);
    return found;
  };
  return {
    viewAt(count) {
      const upTo = Math.min(Math.max(count, 0), messages.length);
      return joinView(stages.findLast((stage) => stage.at <= upTo)!, messages, upTo);
    },
    viewBefore(index) {
      const here = findStage(index);
      return joinView(stages[here - 1]!, messages, stages[here]!.at);
    },
    viewAfter: (index) => stages[findStage(index)]!.view,
  };
}
