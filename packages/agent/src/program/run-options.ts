import type { ModelChoice } from '../models/choose-model.ts';

/** What a person can say about a run of the agent; the command line has a flag for each. */
export interface RunOptions extends ModelChoice {
  /** Requests that are answered in order, and then it ends; `-` is read from the input. Without them, a screen. */
  readonly prompts?: readonly string[];
  /** With `prompts`: every event as one line of JSON. */
  readonly json?: boolean;
  /** True: the folder's newest session; a string: that one. */
  readonly resume?: string | true;
  /** The name of a preset: how the conversation is kept within its window. */
  readonly preset?: string;
  /** Who writes the summaries: a model by its name, or `NAME@WINDOW` where its window is not known. */
  readonly summaryModel?: string;
  /** Runs commands and writes outside the folder without asking. */
  readonly allow?: boolean;
  /** Where `NAME/SKILL.md` are; `skills` in the folder by default. */
  readonly skills?: string;
  /** On the offline model, in a small shop that is written for it below `$PALIMPSEST_HOME`: enough files to fill the window. */
  readonly practice?: boolean;
  /** The folder to work in; the world's by default. */
  readonly cwd?: string;
}
