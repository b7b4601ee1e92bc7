import { refusal } from '@palimpsest/testing';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  dropOldestRounds,
  estimateMessage,
  type FoldEdit,
  type Hooks,
  presets,
  type Session,
  type SessionEvent,
  type SessionOptions,
  summarizeHistory,
  user,
} from '../../src/index.ts';
import { good } from '../summarizers.ts';
import { long, textOf } from '../texts.ts';

const layers = [summarizeHistory(), dropOldestRounds()];
/** Fourteen windows of 8,000 tokens, with something at both ends. */
const huge = `FIRST ${'AGENTS.md says so. '.repeat(30_000)} LAST`;

function talk(session: Session, turns: number, words = 40): void {
  for (let i = 0; i < turns; i++) {
    session.append(user(`Do ${i}.`));
    session.append(assistant(`Done ${i} ${long('so and so', words)}`));
  }
}

const summaryFolds = (session: Session): FoldEdit[] =>
  session
    .ledger()
    .entries.flatMap((entry) => (entry.type === 'edits' ? entry.edits : []))
    .filter((edit): edit is FoldEdit => edit.type === 'fold' && edit.summary?.of === 'history');

describe('what a hook says after a summary', () => {
  for (const name of ['default', 'claude-code', 'open-code', 's08'] as const)
    it(`is bounded and fits, however long it is: twenty views in a row do not compact each time (${name})`, async () => {
      let heard = 0;
      const after = async (): Promise<{ context: string }> => {
        heard++;
        return { context: huge };
      };
      const session = createSession({ window: 8_000, layers: presets[name](), ports: { hooks: { after } } });
      talk(session, 60);
      let compactions = 0;
      for (let i = 0; i < 20; i++) {
        const { messages, tokens, fits, receipt } = await session.view();
        expect(fits).toBe(true);
        expect(tokens).toBeLessThan(session.status().budget.trigger);
        expect(refusal(messages, [user('x')])).toBeUndefined();
        if (receipt !== undefined) compactions++;
        session.append(user(`More ${i}`));
        session.append(assistant(`Ok ${i}`));
      }
      expect(compactions).toBeLessThanOrEqual(2);
      expect(heard).toBeLessThanOrEqual(compactions);
    });

  it('keeps its head and its tail, and says how much was cut', async () => {
    const session = createSession({ window: 8_000, layers, ports: { hooks: { after: () => ({ context: huge }) } } });
    talk(session, 60);
    const { messages } = await session.view();
    const words = textOf(messages.slice(-1));
    expect(words).toMatch(/^\[From the host, after the summary\]\nFIRST /);
    expect(words).toMatch(/\n\[… 5\d{5} characters of the host's words cut …\]\n/);
    expect(words).toMatch(/ LAST$/);
    expect(session.recall.read(messages.at(-1)!.id.replace('palimpsest/', '')).text).toContain(words);
  });

  it('takes half of the room below the trigger at most, where the view stays near it', async () => {
    const after = (): { context: string } => ({ context: huge });
    let narrow = 0;
    for (let times = 900; times <= 1_250; times += 50) {
      const session = createSession({ window: 8_000, layers: [summarizeHistory()], ports: { hooks: { after } } });
      talk(session, 20);
      session.pin(session.append(user(long('what must not be touched', times))));
      session.append(assistant('Noted.'));
      talk(session, 10);
      const { messages, tokens } = await session.view();
      const { trigger, effective } = session.status().budget;
      const words = messages.at(-1)!;
      if (!textOf([words]).includes('[From the host')) continue;
      const free = trigger - (tokens - estimateMessage(words));
      // The frame and the message itself come on top of the words.
      expect(estimateMessage(words)).toBeLessThan(Math.min(free / 2, effective * 0.05) + 30);
      if (free / 2 < effective * 0.05) narrow++;
      expect((await session.view()).receipt).toBeUndefined();
    }
    expect(narrow).toBeGreaterThan(0);
  });

  it('is left out, and that is told, where it cannot stand at the end', async () => {
    const events: SessionEvent[] = [];
    const session = createSession({
      window: 8_000,
      layers,
      ports: { hooks: { after: () => ({ context: 'the build is green' }) } },
      on: (event) => events.push(event),
    });
    talk(session, 60);
    session.append(assistant([call('c1', 'bash', { command: 'ls' })]));
    const { messages, fits } = await session.view();
    expect(fits).toBe(true);
    expect(refusal(messages, [user('x')])).toBeUndefined();
    expect(textOf(messages)).not.toContain('the build is green');
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'need-failed', need: 'hooks', key: 'after', code: 'no-room' }),
    );
  });
});

describe('what a hook wants minded', () => {
  async function untilSummaries(session: Session, count: number): Promise<void> {
    for (let i = 0; i < 400 && summaryFolds(session).length < count; i++) {
      talk(session, 1);
      await session.view();
      await session.settled();
    }
    expect(summaryFolds(session)).toHaveLength(count);
  }
  const drafting = (hooks: Hooks, more: Partial<SessionOptions> = {}) => {
    const summarizer = good();
    return { summarizer, session: createSession({ window: 8_000, layers, ports: { summarizer, hooks }, ...more }) };
  };

  it('is in every summary, drafted or not; a hook that always says the same costs one draft', async () => {
    let heard = 0;
    const before = (): { instructions: string } => {
      heard++;
      return { instructions: 'mind the fence' };
    };
    const { summarizer, session } = drafting({ before });
    await untilSummaries(session, 4);
    expect(summaryFolds(session).map((edit) => edit.summary!.by)).toEqual(['model', 'draft', 'draft', 'draft']);
    expect(heard).toBe(4);
    // The first draft was written before the hook had ever been heard.
    for (const request of summarizer.requests.slice(1)) expect(textOf(request.messages)).toContain('mind the fence');
  });

  it('is not lost where it changes: a draft written by other words is not used', async () => {
    let heard = 0;
    const { summarizer, session } = drafting({ before: () => ({ instructions: `mind fence ${++heard}` }) });
    await untilSummaries(session, 3);
    expect(summaryFolds(session).map((edit) => edit.summary!.by)).toEqual(['model', 'model', 'model']);
    const asked = summarizer.requests.map((request) => textOf(request.messages));
    for (const n of [1, 2, 3]) expect(asked.some((text) => text.includes(`mind fence ${n}`))).toBe(true);
    expect(heard).toBe(3);
  });

  it('costs a hook that wants nothing no draft', async () => {
    const { session } = drafting({ before: () => ({ message: 'compacting' }) });
    await untilSummaries(session, 2);
    expect(summaryFolds(session).map((edit) => edit.summary!.by)).toEqual(['draft', 'draft']);
  });

  it('is bounded: instructions of many windows reach the model in short', async () => {
    const { summarizer, session } = drafting({ before: () => ({ instructions: huge }) }, { drafts: false });
    await untilSummaries(session, 1);
    expect(summaryFolds(session)[0]!.summary!.by).toBe('model');
    const [asked = ''] = summarizer.requests.map((request) => textOf(request.messages));
    expect(asked).toContain("characters of the host's words cut …]");
    expect(asked.length).toBeLessThan(40_000);
  });
});

describe('what a host carries', () => {
  it('may be ten megabytes: the view fits, and making it takes no minute', async () => {
    const text = `${'0123456789abcdef '.repeat(60_000)}\n`;
    const kinds = ['file', 'skill', 'note', 'constructor'] as const;
    const items = Array.from({ length: 10 }, (_, i) => ({ kind: kinds[i % 4] as 'file', name: `big ${i}`, text }));
    const odd = { kind: kinds[3] as 'note', name: 'odd', text: 'of a kind that is no kind' };
    const carry = { carry: async () => [odd, ...items] };
    const session = createSession({ window: 60_000, layers, ports: { carry } });
    talk(session, 100, 200);
    session.append(user('and now?'));
    const began = performance.now();
    const { messages, fits, tokens } = await session.view();
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(fits).toBe(true);
    expect(tokens).toBeLessThan(session.status().budget.target * 1.2);
    expect(textOf(messages)).toContain('<carried kind="file" name="big 0">');
    expect(textOf(messages)).toContain('of a kind that is no kind');
  });
});
