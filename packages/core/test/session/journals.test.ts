import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createSession, type JournalRecord, type Message, presets } from '../../src/index.ts';

/**
 * Sessions that an earlier version wrote (commit c32d70e), with what it showed then: edits, folds, summaries by the digest,
 * pins, a walk taken back, usage that was believed and usage that was not. People have such journals on disk.
 */
interface Recorded {
  readonly options: { readonly window: number; readonly maxOutput: number; readonly system: string };
  readonly now: number;
  readonly view: readonly Message[];
  readonly tokens: number;
  /** What was said after the journal was closed, and the view of then. */
  readonly appended: readonly Message[];
  readonly nextNow: number;
  readonly next: readonly Message[];
  readonly nextTokens: number;
}

const read = (name: string): string => readFileSync(new URL(`../goldens/journals/${name}`, import.meta.url), 'utf8');

describe('a journal of an earlier version', () => {
  it.each(['default', 'claude-code', 'open-code'] as const)(
    'gives the same view, and the same next view (%s)',
    async (name) => {
      const recorded = JSON.parse(read(`${name}.json`)) as Recorded;
      const records = read(`${name}.jsonl`)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as JournalRecord);
      const kinds = new Set(records.map((record) => (record.type === 'entry' ? record.entry.type : record.type)));
      expect([...kinds].sort()).toEqual(['edits', 'message', 'pin', 'revert', 'seen', 'unpin', 'usage']);

      const session = createSession({ ...recorded.options, layers: presets[name](), records });
      const view = await session.view({ now: recorded.now });
      expect(JSON.stringify(view.messages)).toBe(JSON.stringify(recorded.view));
      expect(view.tokens).toBe(recorded.tokens);
      for (const message of recorded.appended) session.append(message);
      const next = await session.view({ now: recorded.nextNow });
      expect(JSON.stringify(next.messages)).toBe(JSON.stringify(recorded.next));
      expect(next.tokens).toBe(recorded.nextTokens);
    },
  );
});
