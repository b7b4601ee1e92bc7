import { createSession, type PresetName, partText, presets } from '@palimpsest/core';
import { expect, it } from 'vitest';
import { sampleSession } from '../src/sample/sample-session.ts';

const PRINTED = /\brecall(?:="| )((?:e|m)\d+(?: to (?:e|m)\d+)?)/g;

it.each(
  (Object.keys(presets) as PresetName[]).flatMap((name) =>
    [8_000, 16_000, 64_000].map((window) => [name, window] as const),
  ),
)('every reference that a view of the sample prints is read by recall: %s in %i tokens', async (name, window) => {
  const session = createSession({ window, layers: presets[name]({}) });
  const printed = new Set<string>();
  for (const beat of sampleSession().beats) {
    if (beat.type !== 'said') continue;
    if (beat.message.role === 'assistant') {
      const { messages } = await session.view();
      for (const text of messages.flatMap(({ parts }) => parts.map(partText)))
        for (const [, ref = ''] of text.matchAll(PRINTED)) printed.add(ref);
    }
    session.append(beat.message);
  }
  expect(printed.size).toBeGreaterThan(0);
  for (const ref of printed) expect(session.recall.read(ref).text, ref).not.toBe('');
});
