import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { viewOf } from '../src/index.ts';
import { readFixture } from './sketch.ts';

const names = readdirSync(new URL('fixtures', import.meta.url));

describe.each(names)('views of %s', (name) => {
  const recording = readFixture(name);
  const { messages, compactions } = recording;

  it('ids are unique, in the transcript and in every view', () => {
    const views = [messages, ...messages.map((_, index) => recording.viewAt(index + 1))];
    for (const view of views) expect(new Set(view.map((message) => message.id)).size).toBe(view.length);
  });

  it('what a compaction says of itself is what the views show', () => {
    for (const [index, compaction] of compactions.entries()) {
      const [before, after] = [recording.viewBefore(index), recording.viewAfter(index)];
      const shown = new Set(after.map((message) => message.id));
      expect(compaction.visible).toEqual(after.map((message) => message.id));
      expect(compaction.hidden).toEqual(before.flatMap((message) => (shown.has(message.id) ? [] : message.id)));
      expect(viewOf(compaction, messages)).toEqual(after);
      expect(JSON.parse(JSON.stringify(compaction))).toEqual(compaction);
    }
    expect(() => recording.viewAfter(compactions.length)).toThrow(RangeError);
  });

  it('no message is empty', () => {
    for (const message of recording.viewAt(messages.length)) expect(message.parts.length).toBeGreaterThan(0);
  });

  it('a count out of range is the nearest one in it', () => {
    expect(recording.viewAt(-3)).toEqual(recording.viewAt(0));
    expect(recording.viewAt(1e9)).toEqual(recording.viewAt(messages.length));
  });
});

// The resolver's file holds two conversations; trajectories.test.ts looks at it.
it.each(names.filter((name) => name !== 'openhands.jsonl'))(
  'a view of %s grows by what was said until a compaction',
  (name) => {
    const { messages, compactions, viewAt } = readFixture(name);
    const changed = new Set(compactions.map((compaction) => compaction.at));
    for (let count = 1; count <= messages.length; count++)
      if (!changed.has(count)) expect(viewAt(count)).toEqual([...viewAt(count - 1), messages[count - 1]]);
  },
);
