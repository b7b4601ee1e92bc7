import {
  budget,
  DEFAULT_PRICES,
  estimateText,
  findRules,
  type JournalRecord,
  type Layer,
  type PresetName,
  presets,
} from '@palimpsest/core';
import type { Recording } from '@palimpsest/formats';
import { liveThrough } from '@palimpsest/measure';
import { describeMessages } from './describe-messages.ts';
import { followRecording } from './follow-recording.ts';
import { type Followed, followSession } from './follow-session.ts';
import type { Inspection, MessageTable, PriceList } from './inspection.ts';

/** What the page reckons with where nobody says otherwise. */
export const USUAL_PRICES: PriceList = { name: 'default', ...DEFAULT_PRICES };

/** A foreign recording as the page shows it: its own course, without any of ours. */
export function inspectRecording(recording: Recording, title: string): Inspection {
  const messages = describeMessages(recording.messages);
  return {
    version: 1,
    title,
    format: recording.format,
    ...(recording.model === undefined ? {} : { model: recording.model }),
    ...(recording.id === undefined ? {} : { id: recording.id }),
    prices: USUAL_PRICES,
    messages,
    courses: [followRecording(recording, messages.tokens)],
    pinned: [],
    notes: recording.notes,
  };
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
