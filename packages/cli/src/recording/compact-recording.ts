import { createHash } from 'node:crypto';
import {
  type Budget,
  estimateMessage,
  type Layer,
  type Message,
  type PresetName,
  presets,
  type Receipt,
  type Session,
  type Switches,
  type View,
  type Visit,
} from '@palimpsest/core';
import {
  type AboutCompaction,
  type Recording,
  type SessionRecord,
  withCompaction,
  writeClaudeCode,
  writePi,
} from '@palimpsest/formats';
import type { CompactedFile } from './compacted-file.ts';
import { liveThrough } from './live-through.ts';

export const TARGETS = ['claude-code', 'pi', 'json'] as const;
export type TargetFormat = (typeof TARGETS)[number];

export interface CompactOptions {
  readonly preset: PresetName;
  readonly window: number;
  readonly switches: Switches;
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
  const { preset, window, switches, instructions, signal, onCall } = options;
  const declared: Declared[] = [];
  let calls = 0;
  let visits: readonly Visit[] = [];
  let told: string | undefined;
  const session = await liveThrough(recording, {
    window,
    switches,
    layers: presets[preset]().map(onlyWhereItMust),
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
  const instructed = told !== undefined && view.messages.some((message) => holds(message, told!));
  return { session, view, budget, tokensBefore, calls, declared, walk, receipt, instructed };
}

/** A compaction that was only asked for need not reach its target at any price: the floor cuts words, for views that do not fit. */
const onlyWhereItMust = (layer: Layer): Layer =>
  layer.name !== 'drop-oldest-rounds'
    ? layer
    : { ...layer, decide: (look) => (look.given.trigger === 'manual' ? { edits: [] } : layer.decide(look)) };

const holds = (message: Message, words: string): boolean =>
  message.parts.some((part) => part.type === 'text' && part.text.includes(words));

/** A session of its own beside the recorded one; the same input gives the same id. */
function newId(recording: Recording): string {
  const hash = createHash('sha256')
    .update(`${recording.id ?? ''}/${recording.messages.length}/compacted`)
    .digest('hex');
  const variant = ((Number.parseInt(hash[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** The compacted session in another agent's words, or as data. `id` is what the agent will know it by. */
export function resultText(
  recording: Recording,
  file: string,
  compacted: Compacted,
  options: CompactOptions,
  to: TargetFormat,
): { readonly text: string; readonly id?: string } {
  if (to === 'json') return { text: `${JSON.stringify(fileOf(recording, file, compacted, options))}\n` };
  const id = newId(recording);
  const { view } = compacted;
  const own = recording.viewAt(recording.messages.length);
  const isChanged = own.length !== view.messages.length || own.some((message, i) => message !== view.messages[i]);
  const record = isChanged ? withCompaction(recording, view.messages, aboutOf(recording, compacted)) : recording;
  return { id, text: (to === 'pi' ? writePi : writeClaudeCode)(record, { sessionId: id }) };
}

function aboutOf(recording: SessionRecord, { view, tokensBefore }: Compacted): AboutCompaction {
  const summary = view.messages.find((message) => message.origin === 'palimpsest' && message.role === 'user');
  const when = recording.messages.findLast((message) => message.at !== undefined)?.at;
  const words = summary?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return {
    type: summary === undefined ? 'snapshot' : 'summary',
    trigger: 'manual',
    tokensBefore,
    tokensAfter: view.tokens,
    ...(when === undefined ? {} : { when }),
    ...(summary === undefined || words === undefined ? {} : { summary: words, summaryId: summary.id }),
  };
}

const fileOf = (
  { format, id, system }: Recording,
  file: string,
  { session, view }: Compacted,
  { preset, window }: CompactOptions,
): CompactedFile => ({
  type: 'palimpsest-session',
  version: 1,
  source: { file, format, ...(id === undefined ? {} : { id }) },
  preset,
  window,
  ...(system === undefined ? {} : { system }),
  view: view.messages,
  receipts: session.receipts(),
  transcript: session.transcript(),
  ledger: session.ledger(),
});

export const transcriptTokens = ({ messages }: SessionRecord): number =>
  messages.reduce((sum, message) => sum + estimateMessage(message), 0);
