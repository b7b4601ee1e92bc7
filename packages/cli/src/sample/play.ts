import {
  type BudgetOptions,
  createSession,
  type Layer,
  type Message,
  partText,
  type Receipt,
  type Session,
  type View,
} from '@palimpsest/core';
import type { StoredSession } from '@palimpsest/store';
import { systemClock } from '@palimpsest/wire';
import type { SampleSession } from './sample-session.ts';

/** A walk that hid something, and when. */
export interface Note {
  readonly turn: number;
  /** Before which model call. */
  readonly call: number;
  readonly why: readonly string[];
  readonly receipt: Receipt;
}

export interface Played {
  readonly session: Session;
  /** What was handed to the session, kept apart from it: what recall is compared with. */
  readonly said: readonly Message[];
  readonly notes: readonly Note[];
  readonly turns: number;
  readonly calls: number;
  /** What the next request would hold. */
  readonly view: View;
  /** Views that were handed out although they did not fit. */
  readonly unfit: number;
  /** What the user laid down, and at how many model calls since then the view held it. */
  readonly rules: readonly RuleKept[];
}

export interface RuleKept {
  readonly rule: string;
  readonly inViews: number;
  readonly ofViews: number;
}

/** Something was said; how full the view is now. */
export interface Beat {
  readonly turn: number;
  readonly call: number;
  readonly tokens: number;
  readonly window: number;
  readonly trigger: number;
  /** The view has just been made smaller. */
  readonly isCompacted: boolean;
}

export interface PlayOptions extends BudgetOptions {
  readonly layers: readonly Layer[];
  readonly signal?: AbortSignal;
  readonly onNote?: (note: Note) => void;
  /** The next beat comes when this settles. */
  readonly onBeat?: (beat: Beat) => Promise<void>;
}

/** Opens a session on what the store holds. */
export function sessionOn(stored: StoredSession, sample: SampleSession, options: PlayOptions): Session {
  const { onNote: _onNote, onBeat: _onBeat, signal: _signal, ...settings } = options;
  return createSession({
    ...settings,
    system: sample.system,
    tools: sample.tools,
    canRecall: sample.canRecall,
    records: stored.records,
    journal: stored.journal,
    ports: { stash: stored.stash, clock: systemClock },
  });
}

/** Lives the sample through as a host would: append what is said, ask for the view before every model call. */
export async function play(stored: StoredSession, sample: SampleSession, options: PlayOptions): Promise<Played> {
  const session = sessionOn(stored, sample, options);
  const waiting = options.signal === undefined ? {} : { signal: options.signal };
  const said: Message[] = [];
  const notes: Note[] = [];
  let turns = 0;
  let calls = 0;
  let unfit = 0;
  let refused = false;
  const rules = sample.rules.map((rule) => ({ rule, inViews: 0, ofViews: 0 }));

  const note = (receipt: Receipt | undefined, why: readonly string[]): void => {
    if (receipt === undefined) return;
    const made: Note = { turn: turns, call: calls, why, receipt };
    notes.push(made);
    options.onNote?.(made);
  };

  const look = async (): Promise<View> => {
    const why = findPressure(session, options);
    const view = await session.view(waiting);
    note(view.receipt, why);
    return view;
  };

  let noted = 0;
  const tellBeat = async (): Promise<void> => {
    if (options.onBeat === undefined) return;
    const { tokens, budget } = session.status();
    const isCompacted = notes.slice(noted).some(({ receipt }) => receipt.declared);
    noted = notes.length;
    await options.onBeat({
      turn: turns,
      call: calls,
      tokens,
      window: budget.window,
      trigger: budget.trigger,
      isCompacted,
    });
  };

  for (const beat of sample.beats) {
    if (beat.type === 'pinned') session.pin(said.at(-1)!.id);
    else if (beat.type === 'compact-asked') note(await session.compact(waiting), ['asked']);
    else if (beat.type === 'request-refused') refused = true;
    else {
      const { message } = beat;
      if (message.role === 'assistant') {
        calls++;
        let view = await look();
        if (refused) {
          refused = false;
          view = await session.overflowed({}, waiting);
          note(view.receipt, ['refused']);
        }
        if (!view.fits) unfit++;
        for (const one of rules) {
          if (!isSaid(one.rule, said)) continue;
          one.ofViews++;
          if (isSaid(one.rule, view.messages)) one.inViews++;
        }
      }
      if (message.origin === 'human') turns++;
      const id = session.append(message);
      said.push({ ...message, id, origin: message.origin! });
    }
    await tellBeat();
  }
  return { session, said, notes, turns, calls, view: await look(), unfit, rules };
}

/** Which limits the next request would break if nothing were done. */
function findPressure(session: Session, { limits = {} }: PlayOptions): readonly string[] {
  const { aboveTrigger, messages, images } = session.status();
  return [
    ...(aboveTrigger ? ['tokens'] : []),
    ...(messages > (limits.messages ?? Infinity) ? ['messages'] : []),
    ...(images > (limits.images ?? Infinity) ? ['images'] : []),
  ];
}

/** The model's own words do not count: it might repeat what it was told, or guess. */
const isSaid = (words: string, messages: readonly Message[]): boolean =>
  messages.some(
    (message) => message.origin !== 'model' && message.parts.some((part) => partText(part).includes(words)),
  );
