import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  dropOldestRounds,
  type Hooks,
  type MediaPart,
  type Message,
  presets,
  result,
  results,
  type Session,
  type SessionEvent,
  type SessionOptions,
  type Summarizer,
  summarizeHistory,
  text,
  user,
} from '../../src/index.ts';
import { good } from '../summarizers.ts';
import { long, textOf } from '../texts.ts';

const picture: MediaPart = { type: 'media', kind: 'image', mediaType: 'image/png', data: 'aGVsbG8=', name: 'shot.png' };

function talk(session: Session): void {
  for (let i = 0; i < 50; i++) {
    session.append(user(`Do ${i} ${long('this and that', 20)}`));
    session.append(assistant([call(`c${i}`, 'bash', { command: `run ${i}` })]));
    session.append(results([result(`c${i}`, i === 3 ? [text('a shot'), picture] : `ran ${i}`)]));
    session.append(assistant(`Done ${i} ${long('so and so', 20)}`));
  }
}

function start(transform: Hooks['transform'], more: Partial<Summarizer> = {}, options: Partial<SessionOptions> = {}) {
  const events: SessionEvent[] = [];
  const summarizer = good(more);
  const session = createSession({
    window: 100_000,
    layers: [summarizeHistory(), dropOldestRounds()],
    drafts: false,
    ports: { summarizer, ...(transform === undefined ? {} : { hooks: { transform } }) },
    on: (event) => events.push(event),
    ...options,
  });
  talk(session);
  const failures = () => events.filter((event) => event.type === 'need-failed');
  return { session, summarizer, failures };
}

const hide = (messages: readonly Message[]): readonly Message[] =>
  messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => (part.type === 'text' ? text(part.text.replaceAll('Do 7', 'Do seven')) : part)),
  }));

describe('a hook that transforms what the summarizing model is shown', () => {
  it('changes that request, live or alone, and nothing else', async () => {
    for (const sharesPrefix of [true, false]) {
      const plain = start(undefined, { sharesPrefix });
      const changed = start(({ messages }) => hide(messages), { sharesPrefix });
      const before = JSON.stringify((await plain.session.view()).messages);
      expect(JSON.stringify((await changed.session.view()).messages)).toBe(before);
      await changed.session.compact();
      const asked = textOf(changed.summarizer.requests[0]!.messages);
      expect(changed.summarizer.requests[0]!.form).toBe(sharesPrefix ? 'same-prefix' : 'stand-alone');
      expect(asked).toContain('Do seven');
      expect(asked).not.toContain('Do 7 ');
      expect(changed.session.transcript().some((message) => textOf([message]).includes('Do seven'))).toBe(false);
      expect(changed.failures()).toEqual([]);
    }
  });

  it('comes in by the same door: what is no conversation is not used, and an event tells', async () => {
    const broken: readonly Hooks['transform'][] = [
      ({ messages }) => messages.filter((message) => message.parts[0]?.type !== 'result'),
      () => [],
      () => 'no list' as never,
      () => [{ role: 'user', parts: [{ type: 'text' }] }] as never,
      ({ messages }) => [...messages, messages[0]!],
      () => {
        throw new Error('no');
      },
    ];
    for (const transform of broken) {
      const { session, summarizer, failures } = start(transform);
      const receipt = await session.compact();
      expect(receipt!.summary).toMatchObject({ by: 'model' });
      expect(textOf(summarizer.requests[0]!.messages)).toContain('Do 7 ');
      expect(failures()).toMatchObject([{ need: 'hooks', key: 'transform' }]);
    }
  });

  it('that says nothing changes nothing; one that an abort finds waiting is not waited for', async () => {
    const silent = start(() => undefined);
    await silent.session.compact();
    expect(silent.failures()).toEqual([]);
    const controller = new AbortController();
    const hanging = start(() => new Promise(() => controller.abort(new Error('enough'))));
    await expect(hanging.session.compact({ signal: controller.signal })).rejects.toThrow('enough');
    expect(hanging.session.receipts()).toEqual([]);
  });
});

describe('pictures in a request for a summary', () => {
  it('are markers where it stands alone, also inside results; behind the live prefix they stay, or its cache would end there', async () => {
    const alone = start(undefined);
    await alone.session.compact();
    expect(JSON.stringify(alone.summarizer.requests[0]!.messages)).not.toContain('aGVsbG8=');
    expect(textOf(alone.summarizer.requests[0]!.messages)).toContain('[image: shot.png]');
    const live = start(undefined, { sharesPrefix: true });
    const { messages } = await live.session.view();
    await live.session.compact();
    const [request] = live.summarizer.requests;
    expect(JSON.stringify(request!.messages.slice(0, messages.length))).toBe(JSON.stringify(messages));
  });

  it('preset open-code: the request stands alone though the prefix could be shared, without media, outputs of 2,000 characters', async () => {
    const { session, summarizer } = start(undefined, { sharesPrefix: true }, { layers: presets['open-code']() });
    session.append(user('one more'));
    session.append(assistant([call('big', 'bash', { command: 'cat' })]));
    session.append(results([result('big', 'z'.repeat(9_000))]));
    await session.compact({ form: 'all' });
    const [request] = summarizer.requests;
    expect(request!.form).toBe('stand-alone');
    const asked = textOf(request!.messages);
    expect(asked).toContain('[image: shot.png]');
    expect(asked).toContain('[… 7000 characters more]');
    expect(asked).toContain('## Constraints & Preferences');
  });
});
