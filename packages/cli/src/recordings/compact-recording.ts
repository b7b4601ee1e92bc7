import {
  type Budget,
  estimateMessage,
  type Message,
  type PresetName,
  type Receipt,
  type Session,
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

/** Lives the recording through, then compacts what is left as `/compact` would. */
export async function compactRecording(recording: Recording, options: CompactOptions): Promise<Compacted> {
  const { window, session: settings, instructions, signal, onCall } = options;
  const declared: Declared[] = [];
  let calls = 0;
  let visits: readonly Visit[] = [];
  let told: string | undefined;
  const session = await liveThrough(recording, {
    window,
    ...settings,
    signal,
    // No model is asked for a summary here, so the instructions go to the one that goes on from it.
    ports: { hooks: { after: () => (told === undefined ? undefined : { context: told }) } },
    on(event) {
      if (event.type === 'view-made') visits = event.visits;
    },
    onCall({ number, view }) {
      calls = number;
      if (view.receipt?.declared) declared.push({ call: number, receipt: view.receipt });
      onCall?.(number);
    },
  });
  const last = await session.view({ signal });
  let walk = visits;
  let { receipt } = last;
  const tokensBefore = receipt?.declared ? receipt.tokensBefore : last.tokens;
  if (!receipt?.declared || instructions !== undefined) {
    if (instructions !== undefined) told = `The user said at this compaction: ${instructions}`;
    const asked = await session.compact({ signal, ...(instructions === undefined ? {} : { instructions }) });
    if (asked !== undefined) [receipt, walk] = [asked, visits];
  }
  if (receipt?.declared) declared.push({ call: calls + 1, receipt });
  const view = await session.view({ signal });
  const { budget } = session.status();
  const instructed = view.messages.some((message) => told !== undefined && hasWords(message, told));
  return { session, view, budget, tokensBefore, calls, declared, walk, receipt, instructed };
}

const hasWords = (message: Message, words: string): boolean =>
  message.parts.some((part) => part.type === 'text' && part.text.includes(words));

export const countTranscriptTokens = ({ messages }: SessionRecord): number =>
  messages.reduce((sum, message) => sum + estimateMessage(message), 0);
