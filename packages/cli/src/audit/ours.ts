import { createSession, type Message, type PresetName, presets, type View } from '@palimpsest/core';

/** Room enough that nothing but the compaction asked for happens. */
const ROOM = 1.5;
const LEAST_WINDOW = 16_000;

/** What a preset would have made of the same view, in as many tokens as the recorded compaction left. */
export async function ourView(
  before: readonly Message[],
  room: { readonly tokens: number; readonly keepsTail: boolean },
  preset: PresetName,
  count: (message: Message) => number,
  signal: AbortSignal,
): Promise<View> {
  const size = before.reduce((sum, message) => sum + count(message), 0);
  const session = createSession({
    window: Math.max(LEAST_WINDOW, Math.ceil(size * ROOM)),
    keep: { tokens: Math.max(1, room.tokens) },
    layers: presets[preset](),
    broken: 'mend',
    count,
  });
  for (const message of before) session.append(message);
  // Where the recording kept no message as it was, ours need not either.
  await session.compact({ signal, ...(room.keepsTail ? {} : { form: 'all' }) });
  return session.view({ signal });
}
