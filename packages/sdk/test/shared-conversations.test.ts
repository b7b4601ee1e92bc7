import { dropOldestRounds, summarizeHistory } from '@palimpsest/core';
import { memoryStore } from '@palimpsest/store';
import { anthropicMessages, openaiChat } from '@palimpsest/wire';
import { describe, expect, it } from 'vitest';
import type { ConversationStore } from '../src/conversations/keep-options.ts';
import { body, conversations, history, plain } from './conversing.ts';

describe('conversations that others share, and providers that refuse', () => {
  it('a conversation with the same beginning that another process has open is stored apart', async () => {
    const store = memoryStore();
    const hasty: ConversationStore = { open: (id) => store.open(id, { waitMs: 0 }) };
    const theirs = conversations({ store: hasty });
    const ours = conversations({ store: hasty });
    for (const { keep } of [theirs, ours]) await keep(body(history(2)));
    expect(await store.list()).toHaveLength(2);
    expect(ours.sessions[0]!.transcript()).toHaveLength(5);
  });

  it('a refusal that comes after the conversation went on brings a body with its own messages alone', async () => {
    const { keep, sessions } = conversations({ window: 100_000 });
    const asked = body(history(20));
    const titled = body([...history(20), { role: 'user', content: 'Give this a title.' }]);
    const [kept] = await Promise.all([keep(asked), keep(titled)]);
    kept!.noteAnswer({ usage: { input: 9_000 } });
    const smaller = JSON.stringify((await kept!.shrinkBody({ maximum: 8_000 }))!.body);
    expect(smaller).not.toContain('title');
    expect(smaller.length).toBeLessThan(JSON.stringify(asked).length / 2);
    expect(sessions.flatMap((one) => one.ledger().entries.filter(({ type }) => type === 'usage'))).toEqual([]);
  });

  it('a refusal that comes after the conversation was evicted brings a smaller body all the same', async () => {
    const { keep } = conversations({ window: 100_000, store: memoryStore(), live: { conversations: 64 } });
    const kept = await keep(body(history(20)));
    for (let n = 0; n < 64; n++) await keep(body(history(0, `other ${n}`)));
    const smaller = await kept.shrinkBody({ maximum: 8_000 });
    expect(JSON.stringify(smaller!.body).length).toBeLessThan(JSON.stringify(kept.body).length / 2);
  });

  it('a window that a provider stated holds for all conversations with the model, whatever else changes', async () => {
    const { keep, sessions } = conversations({ window: 100_000 });
    const kept = await keep(body(history(20)), { maxOutput: 100 });
    await kept.shrinkBody({ maximum: 8_000 });
    await keep(body(history(21)), { maxOutput: 200 });
    await keep(body(history(0, 'b')));
    await keep(body(history(0, 'c'), 'another-model'));
    expect(sessions.map((one) => one.status().budget.window)).toEqual([8_000, 8_000, 100_000]);
  });

  it('a twin of a request that was refused gets the smaller body that is at hand', async () => {
    const { keep } = conversations({ window: 100_000 });
    const twins = await Promise.all([keep(body(history(20))), keep(body(history(20)))]);
    const smaller = await Promise.all(twins.map((kept) => kept.shrinkBody({ maximum: 8_000 })));
    expect(JSON.stringify(smaller[0]!.body).length).toBeLessThan(JSON.stringify(history(20)).length / 2);
    expect(smaller[1]).toEqual(smaller[0]);
  });

  it('a request of more messages or bytes than the provider takes is made smaller, whatever the window', async () => {
    const { all, keep } = conversations({ window: 10_000_000 });
    const messages = Array.from({ length: 2_501 }, (_, n) => ({
      role: n % 2 ? 'assistant' : 'user',
      content: `n${n}`,
    }));
    const chat = await all.keep({ format: openaiChat, body: { model: 'm', messages }, model: 'm' });
    expect(openaiChat.validate(chat!.body)).toEqual([]);
    expect(chat!.body.messages.at(-1)).toEqual(messages.at(-1));

    const shot = (n: number) => {
      const source = { type: 'base64', media_type: 'image/png', data: `${n}`.padStart(4, '0').repeat(500_000) };
      return {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `c${n}`, content: [{ type: 'image', source }] }],
      };
    };
    const shots = history(17).map((message, i) => (i > 0 && message.role === 'user' ? shot(i / 2) : message));
    const kept = await keep(body(shots));
    expect(anthropicMessages.validate(kept.body)).toEqual([]);
    expect(plain(kept.body.messages).at(-1)).toEqual(shots.at(-1));

    const own = conversations({ limits: { messages: 10 } });
    expect((await own.keep(body(history(9)))).body.messages.length).toBeLessThanOrEqual(10);
  });

  it('a request that is aborted while it waits for another one ends at once', async () => {
    let answer = (): void => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let release = (): void => {};
    const summarize = () => {
      answer();
      return new Promise<never>((_resolve, reject) => {
        release = () => reject(new Error('not now'));
      });
    };
    const { keep } = conversations({
      layers: [summarizeHistory(), dropOldestRounds()],
      ports: { summarizer: { window: 100_000, summarize } },
      drafts: false,
    });
    const first = keep(body(history(30)));
    await asked;
    const stop = new AbortController();
    const second = keep(body(history(30)), { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    release();
    expect(anthropicMessages.validate((await first).body)).toEqual([]);
  });
});
