import {
  createSession,
  estimateMessage,
  type Message,
  type PresetName,
  presets,
  type View,
} from '@palimpsest/core';

/** Counting is most of the work, and every preset counts the same messages. */
export function sharedCount(): (message: Message) => number {
  const sizes = new WeakMap<Message, number>();
  return (message) => {
    let size = sizes.get(message);
    if (size === undefined) sizes.set(message, (size = estimateMessage(message)));
    return size;
  };
}

/** Room enough that nothing but the compaction asked for happens. */
const ROOM = 1.5;
const LEAST_WINDOW = 16_000;

/** What a preset would have made of the same view, in as many tokens as the recorded compaction left. */
export async function ourView(
  before: readonly Message[],
  tokens: number,
  preset: PresetName,
  count: (message: Message) => number,
  signal: AbortSignal,
): Promise<View> {
  const size = before.reduce((sum, message) => sum + count(message), 0);
  const session = createSession({
    window: Math.max(LEAST_WINDOW, Math.ceil(size * ROOM)),
    keep: { tokens: Math.max(1, tokens) },
    layers: presets[preset](),
    broken: 'mend',
    count,
  });
  for (const message of before) session.append(message);
  await session.compact({ signal });
  return session.view({ signal });
}
