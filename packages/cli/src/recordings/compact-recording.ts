import {
  type Budget,
  estimateMessage,
  type Message,
  type PresetName,
  type Preview,
  type Receipt,
  type Session,
  type SessionOptions,
  type SettledOptions,
  type View,
  type Visit,
} from '@palimpsest/core';
import type { Recording, SessionRecord } from '@palimpsest/formats';
import { liveThrough } from '@palimpsest/measure';

export interface CompactOptions {
  readonly preset: PresetName;
  readonly window: number;
  readonly session: Omit<SettledOptions, 'preset' | 'window'>;
  readonly instructions?: string;
  /** Whether whoever goes on from it can recall. */
  readonly canRecall: boolean;
  readonly signal: AbortSignal;
  readonly onCall?: (number: number) => void;
}

/** A walk that changed what the model had been shown, and before which model call. */
export interface Declared {
  readonly call: number;
  readonly receipt: Receipt;
}

export interface Compacted {
  readonly session: Session;
  readonly view: View;
  readonly budget: Budget;
  readonly tokensBefore: number;
  readonly calls: number;
  readonly declared: readonly Declared[];
  /** What each layer did in the last walk that did something. */
  readonly walk: readonly Visit[];
  /** What the last walk hid; undefined where there was nothing to gain. */
  readonly receipt: Receipt | undefined;
  /** Whether the instructions stand in the view. */
  readonly instructed: boolean;
}

/** A recording lived through in a session of ours, as it stands at its end. */
interface Lived {
  readonly session: Session;
  readonly calls: number;
  readonly declared: readonly Declared[];
}

interface LiveOptions extends CompactOptions, Pick<SessionOptions, 'ports' | 'on'> {}

async function liveRecording(recording: Recording, options: LiveOptions): Promise<Lived> {
  const { window, session: settings, canRecall, signal, onCall, ports = {}, on = () => {} } = options;
  const declared: Declared[] = [];
  let calls = 0;
  const session = await liveThrough(recording, {
    window,
    ...settings,
    canRecall,
    signal,
    ports,
    on,
    onCall({ number, view }) {
      calls = number;
      if (view.receipt?.declared) declared.push({ call: number, receipt: view.receipt });
      onCall?.(number);
    },
  });
  return { session, calls, declared };
}

/** What was asked for of a compaction. */
const askedOf = ({ signal, instructions }: CompactOptions) => ({
  signal,
  ...(instructions === undefined ? {} : { instructions }),
});

export interface Previewed extends Omit<Lived, 'session'> {
  readonly preview: Preview;
  readonly budget: Budget;
}

/** Lives the recording through, then looks at what `compactRecording` would do to what is left. */
export async function previewRecording(recording: Recording, options: CompactOptions): Promise<Previewed> {
  const { session, ...lived } = await liveRecording(recording, options);
  return { ...lived, preview: await session.preview(askedOf(options)), budget: session.status().budget };
}

/** Lives the recording through, then compacts what is left as `/compact` would. */
export async function compactRecording(recording: Recording, options: CompactOptions): Promise<Compacted> {
  const { instructions, signal } = options;
  let visits: readonly Visit[] = [];
  let told: string | undefined;
  const { session, calls, declared } = await liveRecording(recording, {
    ...options,
    // No model is asked for a summary here, so the instructions go to the one that goes on from it.
    ports: { hooks: { after: () => (told === undefined ? undefined : { context: told }) } },
    on(event) {
      if (event.type === 'view-made') visits = event.visits;
    },
  });
  const tokensBefore = session.status().tokens;
  if (instructions !== undefined) told = `The user said at this compaction: ${instructions}`;
  const receipt = await session.compact(askedOf(options));
  const walk = visits;
  const view = await session.view({ signal });
  const { budget } = session.status();
  const instructed = view.messages.some((message) => told !== undefined && hasWords(message, told));
  return {
    session,
    view,
    budget,
    tokensBefore,
    calls,
    declared: receipt?.declared ? [...declared, { call: calls + 1, receipt }] : declared,
    walk,
    receipt,
    instructed,
  };
}

const hasWords = (message: Message, words: string): boolean =>
  message.parts.some((part) => part.type === 'text' && part.text.includes(words));

export const countTranscriptTokens = ({ messages }: SessionRecord): number =>
  messages.reduce((sum, message) => sum + estimateMessage(message), 0);
