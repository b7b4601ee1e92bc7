import { assistant, type Message, type Part, partText, presets, type Summarizer, text, user } from '@palimpsest/core';
import type { RecordedCompaction } from '@palimpsest/formats';
import { describe, expect, it } from 'vitest';
import { liveThrough, type ModelCall } from '../src/replay/live-through.ts';
import { addOutcomes } from '../src/replay/outcome.ts';
import { replaySession } from '../src/replay/replay-session.ts';
import type { Replayable } from '../src/replay/review-recording.ts';
import { answerAsModel, STAND_IN_TOKENS } from '../src/replay/stand-in-model.ts';
import { callTool, numberMessages } from './conversation.ts';

const { signal } = new AbortController();

/** So many files are read, and the first and the last of them are named again at the end. */
const readFiles = (count: number): readonly Message[] =>
  numberMessages([
    user('Look through the folder.'),
    ...Array.from({ length: count }, (_, i) =>
      callTool(
        'Read',
        { file_path: `/app/src/module-${i}.ts` },
        `export const limit_${i} = ${70_000 + i};\n`.repeat(12),
      ),
    ).flat(),
    ...Array.from({ length: 10 }, (_, i) => [
      assistant(`limit_${i} and limit_${count - 1 - i} are left.`),
      user('Go on.'),
    ]).flat(),
  ]).map((message, i): Message => ({ ...message, at: i * 1_000 }));

const recordOf = (said: readonly Message[]): Replayable => ({
  usage: [],
  compactions: [],
  messages: said,
  viewAt: (count) => said.slice(0, count),
  viewBefore: () => said,
});

const messages = readFiles(40);
const record = recordOf(messages);

/** The same, by an agent that gave all up for `summary` once its files were read. */
function compactRecord(summary: string, part: Part = text(summary)): Replayable {
  const at = messages.findIndex((message) => message.parts.some((one) => partText(one).includes('are left')));
  const told: Message = { id: 'sum', role: 'user', origin: 'palimpsest', parts: [part] };
  const compaction: RecordedCompaction = {
    type: 'summary',
    at,
    ...(part.type === 'text' ? { summary, summaryId: 'sum' } : {}),
    visible: ['sum'],
    inserted: [told],
    hidden: messages.slice(0, at).map(({ id }) => id),
    cleared: [],
  };
  return {
    ...record,
    compactions: [compaction],
    viewAt: (count) => (count < at ? messages.slice(0, count) : [told, ...messages.slice(at, count)]),
    viewBefore: () => messages.slice(0, at),
  };
}

describe('a recording that is lived through', () => {
  it('is asked for a view before every answer, with all that was said until then', async () => {
    const calls: ModelCall[] = [];
    const session = await liveThrough(record, {
      window: 400_000,
      layers: [],
      signal,
      onCall: (call) => calls.push(call),
    });
    expect(calls.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    for (const { at, answer, view, when } of calls) {
      expect(answer).toBe(record.messages[at]);
      expect(view.messages.map(({ id }) => id)).toEqual(record.messages.slice(0, at).map(({ id }) => id));
      expect(when).toBe(record.messages[at - 1]?.at);
    }
    expect(session.transcript()).toHaveLength(record.messages.length);
  });

  it('ends where it is told to', async () => {
    const stop = new AbortController();
    const live = liveThrough(record, {
      window: 400_000,
      layers: presets.default(),
      signal: stop.signal,
      onCall: ({ number }) => number === 3 && stop.abort(),
    });
    await expect(live).rejects.toThrow();
  });
});

describe('a replay', () => {
  it('asks every preset for the same, and holds less where more was hidden', async () => {
    const [roomy, tight] = [
      await replaySession(record, { window: 400_000, presets: ['default'], signal }),
      // More names than the window has room for.
      await replaySession(recordOf(readFiles(600)), { window: 5_000, presets: ['default', 's08'], signal }),
    ];
    expect(roomy[0]).toMatchObject({ calls: 50, compactions: 0, unfit: 0, recall: { identifiers: { needed: 0 } } });
    const [one, other] = tight;
    expect(one?.compactions).toBeGreaterThan(0);
    expect(one?.recall.identifiers.needed).toBeGreaterThan(0);
    expect(one?.recall.identifiers.needed).toBe(other?.recall.identifiers.needed);
    for (const { recall } of tight.slice(0, 2)) {
      expect(recall.identifiers.held).toBeGreaterThan(0);
      expect(recall.identifiers.held).toBeLessThan(recall.identifiers.needed);
    }
  });

  it('reads from the cache what stays, and writes anew what a compaction changed', async () => {
    const [roomy] = await replaySession(record, { window: 400_000, presets: ['default'], signal });
    const [tight] = await replaySession(record, { window: 5_000, presets: ['default'], signal });
    const cached = ({ cacheRead = 0, cacheWrite = 1 } = {}): number => cacheRead / (cacheRead + cacheWrite);
    expect(cached(roomy)).toBeGreaterThan(0.9);
    expect(cached(tight)).toBeLessThan(cached(roomy));
  });

  it('of several sessions is added up preset by preset', async () => {
    const outcomes = await replaySession(record, { window: 5_000, presets: ['default', 's08'], signal });
    const twice = addOutcomes([...outcomes, ...outcomes], 's08');
    expect(twice).toMatchObject({
      preset: 's08',
      calls: 100,
      compactions: 2 * (outcomes[1]?.compactions ?? 0),
      cacheRead: 2 * (outcomes[1]?.cacheRead ?? 0),
      recall: { identifiers: { needed: 2 * (outcomes[1]?.recall.identifiers.needed ?? 0) } },
    });
  });
});

describe("the recording's own row", () => {
  const run = (given: Replayable, window = 5_000) =>
    replaySession(given, { window, presets: ['default'], signal }).then(([ours, own]) => ({ ours, own }));

  it('stands last, with every call, and without a compaction holds and writes all that was said', async () => {
    const { ours, own } = await run(record);
    expect(own).toMatchObject({ preset: 'recording', calls: 50, compactions: 0, unfit: 0, summaries: 0 });
    expect(own?.recall.identifiers.needed).toBe(ours?.recall.identifiers.needed);
    expect(own?.recall.identifiers.held).toBe(own?.recall.identifiers.needed);
    const roomy = await run(record, 400_000);
    expect(own).toMatchObject({ cacheRead: roomy.ours?.cacheRead, cacheWrite: roomy.ours?.cacheWrite });
  });

  it('is asked for the same as the presets, and holds of it what its summary says', async () => {
    const { ours, own } = await run(compactRecord('limit_3 = 70003'));
    expect(own?.recall.identifiers.needed).toBe(ours?.recall.identifiers.needed);
    expect(own?.recall.identifiers.held).toBeGreaterThan(0);
    expect(own?.recall.identifiers.held).toBeLessThan(own?.recall.identifiers.needed ?? 0);
  });

  it('is billed for the summaries that its agent had written', async () => {
    const [short, long] = [await run(compactRecord('Done.')), await run(compactRecord('Done. '.repeat(500)))];
    expect(short.own?.compactions).toBe(1);
    expect(short.own?.summaries).toBeGreaterThan(0);
    expect(long.own?.summaries).toBeGreaterThan(100 * (short.own?.summaries ?? 0));
    expect(long.own?.calls).toBe(50);
    expect(long.ours?.summaries).toBe(0);
  });

  it('says nothing of calls behind an encrypted summary, rather than that all was lost', async () => {
    const sealed: Part = {
      type: 'native',
      wire: 'openai-responses',
      block: { type: 'compaction', encrypted_content: 'gAAAA' },
    };
    const { ours, own } = await run(compactRecord('', sealed));
    expect(own?.sealed).toBe(10);
    expect(own?.recall.identifiers.held).toBe(own?.recall.identifiers.needed);
    expect(own?.recall.identifiers.needed).toBeLessThan(ours?.recall.identifiers.needed ?? 0);
  });

  it('says nothing of calls behind a summary that the file does not hold, either', async () => {
    const record = compactRecord('');
    const compactions = record.compactions.map((one) => ({ ...one, unread: 'unrecorded' as const }));
    const { own } = await run({ ...record, compactions });
    expect(own?.sealed).toBe(10);
    expect(own?.recall.identifiers.held).toBe(own?.recall.identifiers.needed);
  });
});

describe('what the views of a replay are asked for besides names', () => {
  const rule = 'Never rename the limits.';
  const edited = numberMessages([
    user(`Look through the folder. ${rule}`),
    ...callTool('Read', { file_path: '/app/a.ts' }, 'export const first_limit = 70000;\n'),
    user('Leave the loaders as they are.'),
    ...Array.from({ length: 120 }, (_, i) =>
      callTool(
        'Read',
        { file_path: `/app/src/module-${i}.ts` },
        `export const limit_${i} = ${70_000 + i};\n`.repeat(40),
      ),
    ).flat(),
    ...callTool(
      'Edit',
      { file_path: '/app/a.ts', old_string: 'export const first_limit = 70000;', new_string: 'x' },
      'ok',
    ),
    ...callTool('Edit', { file_path: '/app/a.ts', old_string: 'a line from nowhere at all', new_string: 'x' }, 'ok'),
  ]);
  const whole: Replayable = { ...record, messages: edited, viewAt: (count) => edited.slice(0, count) };

  it('are lines that its edits replace, where they had been shown, and what the user had said', async () => {
    const [ours, own] = await replaySession(whole, { window: 4_000, presets: ['default'], signal });
    expect(own).toMatchObject({ editLines: { held: 1, needed: 1 } });
    expect(ours?.editLines).toEqual({ held: 0, needed: 1 });
    for (const kind of ['rules', 'words'] as const) {
      expect(own?.[kind].needed).toBeGreaterThan(0);
      expect(own?.[kind]).toEqual({ held: own?.[kind].needed, needed: ours?.[kind].needed });
    }
    expect(ours).toMatchObject({ rules: own?.rules, words: own?.words });
  });

  it('a view that lost the words is seen to have lost them', async () => {
    const blind: Replayable = {
      ...whole,
      viewAt: (count) => edited.slice(0, count).filter(({ origin }) => origin !== 'human'),
    };
    const [, own] = await replaySession(blind, { window: 8_000, presets: ['default'], signal });
    expect(own).toMatchObject({ rules: { held: 0 }, words: { held: 0 } });
  });
});

describe('summaries of a stand-in model', () => {
  const replay = (summaries: boolean) =>
    replaySession(record, { presets: ['claude-code', 'open-code'], window: 6_000, summaries, signal });

  it('are written where a preset asks for them, counted, and billed as tokens read and written', async () => {
    const [without, withOne] = [await replay(false), await replay(true)];
    for (const [i, one] of withOne.slice(0, 2).entries()) {
      const digest = without[i];
      expect(digest).toMatchObject({ preset: one.preset, written: 0, summaries: 0 });
      expect(one.compactions).toBeGreaterThan(0);
      expect(one.written).toBeGreaterThan(0);
      expect(one.summaries).toBeGreaterThan(0);
      expect(one.unfit).toBe(0);
    }
  });

  it('have come before the answer they were begun beside, and reach no further, however long the model takes', async () => {
    const live = async (turns: number): Promise<readonly string[]> => {
      const order: string[] = [];
      const summarizer: Summarizer = {
        window: 9_000,
        async summarize(request) {
          for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
          const [about = ''] = request.messages.flatMap(({ parts }) => parts.map(partText));
          order.push(`told ${Math.max(...[...about.matchAll(/limit_(\d+)/g)].map(([, limit]) => Number(limit)))}`);
          return answerAsModel(request);
        },
      };
      const onCall = ({ number }: ModelCall): unknown => order.push(`call ${number}`);
      const layers = presets['open-code']();
      await liveThrough(record, { window: 9_000, ports: { summarizer }, layers, signal, onCall });
      return order;
    };
    const order = await live(200);
    expect(order.join()).toMatch(/told \d/);
    expect(order).toEqual(await live(20));
  });

  it('leave the recording itself as it is', async () => {
    expect((await replay(true)).at(-1)).toEqual((await replay(false)).at(-1));
  });

  it('have the form that is asked for, and hold no more than the newest lines', () => {
    const told = Array.from({ length: 3_000 }, (_, i) => `line ${i} of what was said`).join('\n');
    const request = (messages: readonly Message[]) => ({ form: 'same-prefix' as const, messages, maxOutput: 4_000 });
    const ask = '<summary>\n## Goal\n- […]\n## Progress\n### Done\n- […]\n</summary>\nNo tools.';
    const answer = answerAsModel(request(numberMessages([user(told), user(ask)])));
    expect(answer.text.match(/^#.*$/gm)).toEqual(['## Goal', '## Progress', '### Done']);
    expect(answer.text).toContain('line 2999 of');
    expect(answer.text).not.toContain('line 0 of');
    expect(answer.written).toBeLessThanOrEqual(STAND_IN_TOKENS * 1.1);
    expect(answer.read).toBeGreaterThan(10_000);
  });
});
