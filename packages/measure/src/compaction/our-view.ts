import { createSession, type Message, type PresetName, presets, type Summarizer, type View } from '@palimpsest/core';

/** What a preset is given for the view it is asked for. */
export interface Room {
  /** The window of the recording's model. */
  readonly window: number;
  /** What the recorded compaction left. */
  readonly tokens: number;
  /** The head of the conversation, which stays in ours and that its client sends anew with every request: it comes on top. */
  readonly headTokens: number;
  /** Where the recording kept no message as it was, ours need not either. */
  readonly keepsTail: boolean;
  /** Who writes the summary; without one the digest is all. */
  readonly summarizer?: Summarizer;
}

/** What a preset would have made of the same view, in as many tokens as the recorded compaction left. */
export async function makeOurView(
  before: readonly Message[],
  { window, tokens, headTokens, keepsTail, summarizer }: Room,
  preset: PresetName,
  count: (message: Message) => number,
  signal: AbortSignal,
): Promise<View> {
  const session = createSession({
    window,
    keep: { tokens: Math.max(1, tokens + headTokens) },
    // A small room is not overstepped for the sake of evidence or of files that come back: the sizes are to be equal.
    layers: presets[preset]({ summarizeHistory: { evidenceLeast: 0, attachWithin: 'target' } }),
    broken: 'mend',
    count,
    ...(summarizer === undefined ? {} : { ports: { summarizer } }),
  });
  for (const message of before) session.append(message);
  await session.compact({ signal, ...(keepsTail ? {} : { form: 'all' }) });
  return session.view({ signal });
}
