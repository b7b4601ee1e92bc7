import { createSession, type Message, type PresetName, presets, type View } from '@palimpsest/core';

/** The engine's shares (of a summary, of evidence) are of the window: with this one a summary may take all of the room, and need not take more. */
const ROOM_SHARE = 0.12;

/** What a preset would have made of the same view, in as many tokens as the recorded compaction left. */
export async function ourView(
  before: readonly Message[],
  room: { readonly tokens: number; readonly keepsTail: boolean },
  preset: PresetName,
  count: (message: Message) => number,
  signal: AbortSignal,
): Promise<View> {
  const session = createSession({
    window: Math.ceil(Math.max(1, room.tokens) / ROOM_SHARE),
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
