import {
  budget,
  DEFAULT_PRICES,
  estimateText,
  findRules,
  type JournalRecord,
  type Layer,
  type Message,
  type PresetName,
  presets,
} from '@palimpsest/core';
import type { Recording } from '@palimpsest/formats';
import { liveThrough } from '@palimpsest/measure';
import { knownPrices } from '@palimpsest/wire';
import { describeMessages } from './describe-messages.ts';
import { followRecording } from './follow-recording.ts';
import { type Followed, followSession } from './follow-session.ts';
import type { Inspection, MessageTable, PriceList } from './inspection.ts';

/** For sessions of ours, which do not say what model they were for. */
export const EXAMPLE_PRICES: PriceList = { name: 'example', ...DEFAULT_PRICES };

/** A foreign recording as the page shows it: its own course, without any of ours. */
export const inspectRecording = (recording: Recording, title: string): Inspection =>
  readRecording(recording, title).inspection;

/** The same, with the excerpts that its views showed, by `#place@call`. */
export function readRecording(
  recording: Recording,
  title: string,
): { readonly inspection: Inspection; readonly excerpts: ReadonlyMap<string, Message> } {
  const messages = describeMessages(recording.messages);
  const prices = knownPrices(recording.model ?? '');
  const { course, excerpts } = followRecording(recording, messages.tokens);
  const inspection: Inspection = {
    version: 1,
    title,
    format: recording.format,
    ...(recording.model === undefined ? {} : { model: recording.model }),
    ...(recording.id === undefined ? {} : { id: recording.id }),
    ...(prices === undefined ? {} : { prices: { name: recording.model ?? '', ...prices } }),
    messages,
    courses: [course],
    pinned: [],
    notes: recording.notes,
  };
  return { inspection, excerpts };
}

/** Under which preset and in which window a recording is to be led through once more. */
export interface WhatIf {
  readonly preset: PresetName;
  readonly window: number;
  readonly layers?: readonly Layer[];
  readonly signal: AbortSignal;
}

/** What is led through a preset: what was said, whoever recorded it. */
export type Lived = Pick<Recording, 'messages' | 'system'>;

/** The course that the same messages would have taken under a preset, by the engine itself. */
export async function followPreset(said: Lived, table: MessageTable, whatIf: WhatIf): Promise<Followed> {
  const { preset, window, layers = presets[preset](), signal } = whatIf;
  const records: JournalRecord[] = [];
  const record = { usage: [], compactions: [], ...said };
  await liveThrough(record, {
    window,
    layers,
    signal,
    journal: {
      append: async (added) => void records.push(...added),
      close: async () => {},
    },
  }).then((session) => session.saved());
  const { budget: rule } = findRules(layers);
  const room = budget({ window, ...(rule === undefined ? {} : { rule }) });
  const places = new Map(table.ids.map((id, place) => [id, place]));
  return followSession(records, {
    name: preset,
    budget: { window, trigger: room.trigger, target: room.target },
    systemTokens: estimateText(said.system ?? ''),
    sizes: table.tokens,
    placeOf: (id) => places.get(id),
  });
}
