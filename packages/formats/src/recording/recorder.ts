import type { Message, MessageId, Part, Usage } from '@palimpsest/core';
import { given, same } from '../fields.ts';
import { brokenPairs } from './broken-pairs.ts';
import { type AboutCompaction, compactionOf } from './compaction.ts';
import type { Branch, FormatName, RecordedCompaction, RecordedUsage, Recording, SessionRecord } from './recording.ts';

/** What a reader learns about the session on its way. */
export interface About {
  id?: string | undefined;
  cwd?: string | undefined;
  model?: string | undefined;
  version?: string | undefined;
  system?: string | undefined;
}

interface Stage {
  readonly at: number;
  readonly view: readonly Message[];
  readonly compaction?: number;
}

/** A recording as it is being read, in the order in which things happened. */
export interface Draft {
  readonly messages: readonly Message[];
  /**
   * The next message; its index. Parts that say nothing are left out, and so is a message that has no others (its
   * index is undefined); `exact` takes it as it is.
   */
  say(message: Message, exact?: boolean): number | undefined;
  /** For the response at `after`; the last report for a response counts. */
  report(after: number | undefined, usage: Usage | undefined, window?: number): void;
  view(): readonly Message[];
  /** From here on the model sees `view`. */
  compact(about: AboutCompaction, view: readonly Message[]): void;
  /** From here on another, unrelated conversation. */
  restart(): void;
  branch(branch: Branch): void;
  note(text: string): void;
  finish(about: Readonly<About>): Recording;
}

const saysNothing = (part: Part): boolean =>
  (part.type === 'text' && part.text.trim() === '') ||
  (part.type === 'reasoning' && part.text === '' && part.signature === undefined);

/** Without parts that say nothing; undefined when none is left. */
export function solid(message: Message): Message | undefined {
  if (!message.parts.some(saysNothing)) return message.parts.length === 0 ? undefined : message;
  const parts = message.parts.filter((part) => !saysNothing(part));
  return parts.length === 0 ? undefined : { ...message, parts };
}

export function newDraft(format: FormatName): Draft {
  const messages: Message[] = [];
  const places = new Map<MessageId, number>();
  const usage = new Map<number, RecordedUsage>();
  const compactions: RecordedCompaction[] = [];
  const branches: Branch[] = [];
  const notes: string[] = [];
  const stages: Stage[] = [{ at: 0, view: [] }];
  let empty = 0;

  const view = (): readonly Message[] => viewSince(stages.at(-1)!, messages, messages.length);

  return {
    messages,
    view,
    say(message, exact = false) {
      let kept = exact ? message : solid(message);
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
    report(after, reported, window) {
      if (after === undefined || reported === undefined) return;
      if (Object.values(reported).every((count) => count === 0)) return;
      usage.set(after, { after, usage: reported, ...given({ window }) });
    },
    compact(about, next) {
      const shown = next.map((message) => {
        const own = messages[places.get(message.id) ?? -1];
        return own !== undefined && own !== message && same(own, message) ? own : message;
      });
      const isOwn = (message: Message): boolean => messages[places.get(message.id) ?? -1] === message;
      compactions.push(compactionOf(about, shown, view(), isOwn, messages.length));
      stages.push({ at: messages.length, view: shown, compaction: compactions.length - 1 });
    },
    restart() {
      stages.push({ at: messages.length, view: [] });
    },
    branch({ type, messages: told }) {
      const said = told.flatMap((message) => solid(message) ?? []);
      if (said.length > 0) branches.push({ type, messages: said });
    },
    note(text) {
      notes.push(text);
    },
    finish(about) {
      if (empty > 0) notes.push(`${empty} message(s) without any content were left out`);
      notes.push(...brokenPairs(messages));
      const record: SessionRecord = {
        ...given(about),
        messages,
        usage: [...usage.values()].sort((a, b) => a.after - b.after),
        compactions,
      };
      return { ...record, format, branches, notes, ...viewsOver(stages, messages) };
    },
  };
}

const viewSince = (stage: Stage, messages: readonly Message[], count: number): readonly Message[] => [
  ...stage.view,
  ...messages.slice(stage.at, count),
];

function viewsOver(
  stages: readonly Stage[],
  messages: readonly Message[],
): Pick<Recording, 'viewAt' | 'viewBefore' | 'viewAfter'> {
  const stageOf = (index: number): number => {
    const found = stages.findIndex((stage) => stage.compaction === index);
    if (found < 0) throw new RangeError(`there is no compaction ${index}; "compactions" has them all`);
    return found;
  };
  return {
    viewAt(count) {
      const upTo = Math.min(Math.max(count, 0), messages.length);
      return viewSince(stages.findLast((stage) => stage.at <= upTo)!, messages, upTo);
    },
    viewBefore(index) {
      const here = stageOf(index);
      return viewSince(stages[here - 1]!, messages, stages[here]!.at);
    },
    viewAfter: (index) => stages[stageOf(index)]!.view,
  };
}
