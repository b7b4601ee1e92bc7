import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  dropOldestRounds,
  type PresetName,
  presets,
  result,
  results,
  type Session,
  type SessionOptions,
  summarizeHistory,
  user,
} from '../../src/index.ts';
import { good, scripted } from '../summarizers.ts';
import { askingLayers } from '../support/asking-layers.ts';
import { long } from '../texts.ts';

/** Turns of four steps: a share of them calls a tool, the others talk. Every step is viewed, and what is drafted is waited for. */
async function work(session: Session, turns: number, toolShare: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    session.append(user(`please do thing ${turn} ${long('now', 30)}`));
    for (let step = 0; step < 4; step++) {
      const n = session.transcript().length;
      if (step / 4 < toolShare) {
        session.append(assistant([call(`c${n}`, 'bash', { command: `make part_${n}` })]));
        session.append(results([result(`c${n}`, `out ${n} ${long('line', 400)}`)]));
      } else {
        session.append(assistant(`thought ${n} ${long('word', 300)}`));
        session.append(user(`ok ${n}`));
      }
      await session.view();
      await session.settled();
    }
    session.append(assistant('done'));
  }
}

const setUp = (options: Partial<SessionOptions> = {}) => {
  const summarizer = good();
  const session = createSession({
    window: 40_000,
    maxOutput: 1_000,
    layers: askingLayers(),
    ports: { summarizer },
    ...options,
  });
  return { session, summarizer };
};
const writtenBy = (session: Session): readonly string[] =>
  session
    .ledger()
    .entries.flatMap((entry) => (entry.type === 'edits' ? entry.edits : []))
    .flatMap((edit) => (edit.type === 'fold' && edit.summary?.of === 'history' ? edit.summary.by : []));

describe('a draft', () => {
  // `faithful` and `lean` compact so late or so far that a draft may not be ready.
  const always = (Object.keys(presets) as PresetName[]).filter((name) => name !== 'faithful' && name !== 'lean');
  const shapes = always.flatMap((name) => [0, 0.5, 1].map((share) => [name, share] as const));

  it.each(shapes)(
    'is paid for once and used: no other summary is asked for in its place (%s, %d of tools)',
    async (name, share) => {
      const { session, summarizer } = setUp({ layers: askingLayers(name) });
      await work(session, 50, share);
      const summaries = writtenBy(session);
      expect(summaries.filter((by) => by !== 'draft')).toEqual([]);
      // The newest may still wait for its trigger.
      expect(summarizer.requests.length - summaries.length).toBeGreaterThanOrEqual(0);
      expect(summarizer.requests.length - summaries.length).toBeLessThanOrEqual(1);
    },
  );

  it('is not made where cheaper layers are enough, however often the trigger fires', async () => {
    const { session, summarizer } = setUp({
      keep: { fraction: 0.35 },
      layers: presets.default({ clearOldResults: true, capResults: false }),
      ports: { summarizer: good() },
    });
    for (let turn = 0; turn < 40; turn++) {
      session.append(user(`next ${turn}`));
      for (let step = 0; step < 2; step++) {
        session.append(assistant([call(`r${turn}-${step}`, 'bash', { command: `make ${turn} ${step}` })]));
        session.append(results([result(`r${turn}-${step}`, long(`out_${turn}`, 900))]));
        await session.view();
      }
      session.append(assistant('ok'));
      await session.view();
      await session.settled();
    }
    expect(session.receipts().length).toBeGreaterThan(2);
    expect(writtenBy(session)).toEqual([]);
    expect(summarizer.requests).toEqual([]);
  });

  const talk = async (session: Session, turns: number): Promise<void> => {
    for (let i = 0; i < turns; i++) {
      session.append(user(`Do ${i}.`));
      session.append(assistant(`Done ${i} ${long('so', 400)}`));
      await session.view();
      await session.settled();
    }
  };
  /** Nothing but the summary and the floor, and no rules of a preset. */
  const layers = [summarizeHistory(), dropOldestRounds()];
  /** Between the place where drafts begin and the trigger, at 29,929 tokens. */
  const NEAR = 72;

  it.each<[string, Partial<SessionOptions>]>([
    ['drafts are off', { drafts: false }],
    ['compaction is not automatic', { switches: { autoDisabled: true } }],
    ['the provider is to refuse first', { switches: { reactiveOnly: true } }],
    ['compaction is switched off', { switches: { disabled: true } }],
    ['the layer does without a model', { layers: presets.default({ summarizeHistory: { model: 'off' } }) }],
    ['no layer summarizes', { layers: presets.default({ summarizeHistory: false }) }],
    ['what is sent besides the messages fills the window', { system: long('be careful', 18_000) }],
  ])('is not made where %s', async (_, options) => {
    const { session, summarizer } = setUp({ layers, ...options });
    await talk(session, NEAR);
    expect(session.status().tokens).toBeGreaterThan(26_000);
    expect(summarizer.requests).toEqual([]);
  });

  it('is made where none of that is so', async () => {
    const { session, summarizer } = setUp({ layers });
    await talk(session, NEAR);
    expect(summarizer.requests).toHaveLength(1);
  });

  it('is not made after an undo, after three failures, nor twice at once', async () => {
    const { session, summarizer } = setUp({ layers });
    await talk(session, NEAR);
    await session.compact();
    expect(writtenBy(session)).toEqual(['draft']);
    session.undo();
    await talk(session, 2);
    expect(summarizer.requests).toHaveLength(1);
    const failing = scripted(() => ({ text: '', stop: 'end' }));
    const tired = setUp({ layers, ports: { summarizer: failing } });
    await talk(tired.session, 300);
    expect(failing.requests.length).toBeLessThanOrEqual(3 * 2);
    const hanging = scripted(() => new Promise<never>(() => {}));
    const one = createSession({ window: 40_000, maxOutput: 1_000, layers, ports: { summarizer: hanging } });
    for (let i = 0; i < NEAR; i++) {
      one.append(user(`Do ${i} ${long('this', 200)}`));
      one.append(assistant(`Done ${i} ${long('so', 200)}`));
      await one.view();
    }
    expect(hanging.requests).toHaveLength(1);
  });
});
