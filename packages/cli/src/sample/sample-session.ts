import type { Json } from '@palimpsest/core';
import { exports } from './chapters/export.ts';
import { page } from './chapters/page.ts';
import { crash, PINNED, quantities, slowness, smallCommits } from './chapters/quantities.ts';
import { dates, RULE, reminders } from './chapters/reminders.ts';
import { larder } from './larder.ts';
import { type Beat, newTale } from './tale.ts';

export interface SampleSession {
  readonly beats: readonly Beat[];
  readonly system: string;
  readonly tools: Json;
  /** The agent that it is about could recall, by a tool that it never needed to call. */
  readonly canRecall: true;
  /** What the user said that must be in view to the end. */
  readonly rules: readonly string[];
}

const TOOLS = ['read_file', 'write_file', 'edit_file', 'grep', 'glob', 'bash', 'web_fetch', 'screenshot'] as const;

/** A day's work of a coding agent on a small project. Made here, the same in every run. */
export function sampleSession(): SampleSession {
  const tale = newTale(Date.UTC(2025, 2, 4, 9, 12), larder());
  reminders(tale);
  dates(tale);
  quantities(tale);
  page(tale);
  slowness(tale);
  crash(tale);
  smallCommits(tale);
  exports(tale);
  return {
    beats: tale.beats,
    system: 'You are a coding agent in the folder of the project Larder. Work in small steps and say what you did.',
    tools: TOOLS.map((name) => ({ name, input_schema: { type: 'object' } })),
    canRecall: true,
    rules: [RULE, PINNED],
  };
}
