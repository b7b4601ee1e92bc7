import { refusal } from '@palimpsest/testing';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  dropOldestRounds,
  estimateText,
  judge,
  type Message,
  result,
  results,
  type Session,
  type SessionEvent,
  type SessionOptions,
  type SummaryAnswer,
  summarizeHistory,
  user,
} from '../../src/index.ts';
import { PATIENCE } from '../../src/summary/patient-call.ts';
import { good, type Scripted, scripted, summaryText } from '../summarizers.ts';
import { long, textOf } from '../texts.ts';

const layers = [summarizeHistory({ evidenceTokens: 500 }), dropOldestRounds()];
const setUp = (summarizer: Scripted, more: Partial<SessionOptions> = {}): Session => {
  const session = createSession({
    window: 20_000,
    maxOutput: 1_000,
    layers,
    drafts: false,
    ports: { summarizer },
    ...more,
  });
  for (let i = 0; i < 12; i++) {
    session.append(user(`Look at part ${i} of the mill.`));
    session.append(assistant([call(`c${i}`, 'bash', { command: `cat part-${i}` })]));
    session.append(results([result(`c${i}`, `${long(`line of part ${i}`, 150)} END-${i}`)]));
    session.append(assistant(`Part ${i} turns.`));
  }
  return session;
};
const wordsOfRequest = (summarizer: Scripted, at = 0): string => textOf(summarizer.requests[at]!.messages);

describe('what a model is told that is asked for a summary', () => {
  const asking = async (instructions?: string): Promise<string> => {
    const summarizer = good();
    await setUp(summarizer).compact({ form: 'up-to', ...(instructions === undefined ? {} : { instructions }) });
    const words = wordsOfRequest(summarizer);
    return words.slice(words.indexOf('</conversation>'));
  };

  it('no tools, first and last, what a call would cost, and that everything needed is there', async () => {
    const words = (await asking()).replace('</conversation>', '').trim();
    for (const line of [words.split('\n')[0], words.split('\n').at(-1)])
      expect(line).toMatch(/everything you need.*tools are not available.*thrown away.*only turn/i);
  });

  it('the work must go on from it: analysis first, in the order of the messages, then nine sections', async () => {
    const words = await asking();
    expect(words).toMatch(/carry on the work/);
    expect(words.indexOf('<analysis>')).toBeLessThan(words.indexOf('<summary>'));
    expect(words).toMatch(/in order/);
    expect([...words.matchAll(/^## (.+?):/gm)].map(([, name]) => name)).toEqual([
      'Request and intent',
      'Key concepts',
      'Files and code',
      'Errors and fixes',
      'Problem solving',
      'User messages',
      'Pending tasks',
      'Current work',
      'Next step',
    ]);
  });

  it.each([
    ['Files and code', /why[\s\S]*(?:lines|code|snippet)/],
    ['Errors and fixes', /what the user said about it/],
    ['User messages', /everything the user said.*word for word; no results/],
    ['Next step', /literal quote/],
  ])('section %s asks for what the documents ask for there', async (name, asked) => {
    const line = (await asking()).split('\n').find((one) => one.startsWith(`## ${name}:`));
    expect(line).toMatch(asked);
  });

  it('instructions stand before the closing words; blank ones are none', async () => {
    const plain = await asking();
    expect(await asking('   ')).toBe(plain);
    const words = await asking('mind the mill race');
    expect(words.indexOf('mind the mill race')).toBeGreaterThan(words.indexOf('## Next step'));
    expect(words.indexOf('mind the mill race')).toBeLessThan(words.lastIndexOf('Tools are not available'));
  });

  it('a result in a request that stands alone is cut to 2,000 characters, and says how many were left out', async () => {
    const summarizer = good();
    await setUp(summarizer).compact({ form: 'up-to' });
    const [, quoted, more] = /result: (line of part 0[^[]*)\[… (\d+) characters more\]/.exec(
      wordsOfRequest(summarizer),
    )!;
    expect(quoted!.trimEnd().length).toBeLessThanOrEqual(2_000);
    expect(quoted!.trimEnd().length + Number(more)).toBeGreaterThanOrEqual(
      `${long('line of part 0', 150)} END-0`.length - 1,
    );
    expect(wordsOfRequest(summarizer)).not.toContain('END-0');
  });
});

it('a summarizer shares the live prefix only where it says so: without the word it gets the span alone', async () => {
  for (const [sharesPrefix, form] of [
    [true, 'same-prefix'],
    [false, 'stand-alone'],
    [undefined, 'stand-alone'],
  ] as const) {
    const summarizer = good(sharesPrefix === undefined ? {} : { sharesPrefix });
    const session = setUp(summarizer);
    await session.view();
    await session.compact({ form: 'up-to' });
    expect(summarizer.requests.map((request) => request.form)).toEqual([form]);
  }
});

describe('what is taken of an answer', () => {
  const source: readonly Message[] = [
    { id: 'u', role: 'user', origin: 'human', parts: [{ type: 'text', text: long('Turn the mill.') }] },
  ];
  const taken = (text: string): string | undefined => {
    const answer: SummaryAnswer = { text, stop: 'end' };
    const verdict = judge(answer, { source, sourceTokens: 5_000, maxTokens: 2_000, countText: estimateText });
    return verdict.type === 'accepted' ? verdict.text.trim() : undefined;
  };
  const body = summaryText({ 'Current work': 'The mill turns.' });

  it('the summary between its tags, without the analysis; where there are no tags, all of the text', () => {
    expect(taken(`<analysis>first I think</analysis>\n<summary>\n${body}\n</summary>\nBye.`)).toBe(body);
    expect(taken(`<analysis>first I think</analysis>\n${body}`)).toBe(body);
    expect(taken(body)).toBe(body);
    expect(taken('<analysis>first I think</analysis>')).toBeUndefined();
  });
});

describe('a summary that does not come', () => {
  const failing = (fields: object) => (): never => {
    throw Object.assign(new Error('no'), fields);
  };

  it.each([
    ['too-long', failing({ code: 'too-long' })],
    ['empty', () => ({ text: '', stop: 'end' }) as const],
    ['failed', failing({ status: 500 })],
    ['tool-call', () => ({ text: '', stop: 'tool' }) as const],
  ])('has a typed reason: %s', async (code, answer) => {
    const events: SessionEvent[] = [];
    const session = setUp(scripted(answer), { on: (event) => events.push(event) });
    await session.compact({ form: 'up-to' });
    expect(events.find((event) => event.type === 'need-failed')).toMatchObject({ need: 'summary', code });
  });

  it('because a stream broke is asked for two times more, and then given up', async () => {
    const summarizer = scripted(failing({ retryable: true }));
    await setUp(summarizer).compact({ form: 'up-to' });
    expect(PATIENCE.repeats).toBe(2);
    expect(summarizer.requests).toHaveLength(3);
  });

  it('because every request is too long is asked for three times more, each time with half of it, and then given up', async () => {
    const summarizer = scripted(failing({ code: 'too-long' }));
    await setUp(summarizer).compact({ form: 'up-to' });
    const sizes = summarizer.requests.map(({ messages }) => textOf(messages).indexOf('</conversation>'));
    expect(sizes).toHaveLength(4);
    for (const [i, size] of sizes.slice(1).entries()) expect(size).toBeLessThan(sizes[i]! * 0.6);
  });

  it('because the live prefix is too long is asked for by the span alone, each time less of it at once', async () => {
    const fine = good();
    const summarizer = scripted(
      (request, number) => (number < 4 ? failing({ code: 'too-long' })() : fine.summarize(request, {})),
      { sharesPrefix: true },
    );
    const session = setUp(summarizer);
    await session.view();
    await session.compact({ form: 'up-to' });
    const [first, ...others] = summarizer.requests;
    expect(first!.form).toBe('same-prefix');
    expect(others.map(({ form }) => form)).toEqual(others.map(() => 'stand-alone'));
    for (const { messages } of summarizer.requests) expect(refusal(messages, messages)).toBeUndefined();
    const sizes = others.map(({ messages }) => textOf(messages).length);
    expect(sizes[1]).toBeLessThan(sizes[0]! * 0.7);
    expect(sizes[2]).toBeLessThan(sizes[1]! * 0.7);
    expect(textOf((await session.view()).messages)).toContain('The user wants the work done.');
  });

  it('because a tool was called in its only turn is asked for once more, and then the digest stands', async () => {
    const summarizer = scripted(() => ({ text: '', stop: 'tool' }));
    const session = setUp(summarizer);
    await session.compact({ form: 'up-to' });
    expect(summarizer.requests).toHaveLength(2);
    expect(textOf((await session.view()).messages)).toContain('[Summary of');
  });
});
