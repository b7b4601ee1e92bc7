import { CompactionError, type Journal } from '@palimpsest/core';
import { memoryStore } from '@palimpsest/store';
import { anthropicMessages, gemini, openaiResponses } from '@palimpsest/wire';
import { describe, expect, it } from 'vitest';
import type { ConversationStore } from '../src/conversations/keep-options.ts';
import { type Body, body, conversations, history, plain } from './conversing.ts';

describe('conversations out of requests', () => {
  it('a growing history is one session, to which only what is new is appended', async () => {
    const { keep, sessions } = conversations();
    for (let n = 0; n < 40; n++) await keep(body(history(n)));
    expect(sessions).toHaveLength(1);
    expect(sessions[0]!.transcript()).toHaveLength(79);
    expect(sessions[0]!.receipts().length).toBeGreaterThan(1);
  });

  it('every body that goes out is one that the provider takes, and a prefix of the next until a compaction', async () => {
    const { keep, events } = conversations();
    let before: Body['messages'] = [];
    for (let n = 0; n < 40; n++) {
      events.length = 0;
      const kept = await keep(body(history(n)));
      expect(anthropicMessages.validate(kept.body)).toEqual([]);
      const sent = plain(kept.body.messages);
      const declared = events.some((event) => event.type === 'view-compacted' && event.receipt.declared);
      if (!declared) expect(sent.slice(0, before.length)).toEqual(before);
      before = sent;
    }
  });

  it('the same request again is the same body, however often', async () => {
    const { keep, sessions } = conversations();
    for (let n = 0; n < 30; n++) {
      const [first, second, third] = [
        await keep(body(history(n))),
        await keep(body(history(n))),
        await keep(body(history(n))),
      ].map((kept) => JSON.stringify(kept.body));
      expect(second).toBe(first);
      expect(third).toBe(first);
    }
    expect(sessions).toHaveLength(1);
  });

  it('conversations that take turns do not mix', async () => {
    const { keep, sessions } = conversations();
    for (let n = 0; n < 25; n++)
      for (const name of ['a', 'b', 'c']) {
        const text = JSON.stringify((await keep(body(history(n, name)))).body);
        for (const other of ['a', 'b', 'c']) if (other !== name) expect(text).not.toContain(`${other} line of file`);
      }
    expect(sessions).toHaveLength(3);
  });

  it('a history that was changed further up is a conversation of its own', async () => {
    const { keep, sessions } = conversations();
    await keep(body(history(5)));
    const changed = history(5).map((message, i) => (i === 4 ? history(5, 'z')[4]! : message));
    const kept = await keep(body(changed));
    expect(sessions).toHaveLength(2);
    expect(JSON.stringify(kept.body)).toContain('z line of file 2');
    await keep(body([...history(5), { role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Thanks.' }]));
    expect(sessions).toHaveLength(2);
  });

  it('tools that change along the way count from that request on', async () => {
    const { keep, sessions } = conversations({ window: 100_000 });
    const tools = (words: number) => [
      { name: 'x', description: 'word '.repeat(words), input_schema: { type: 'object' } },
    ];
    await keep({ ...body(history(1)), tools: tools(10) } as Body);
    const before = sessions[0]!.status().tokens;
    await keep({ ...body(history(2)), tools: tools(8_000) } as Body);
    expect(sessions[0]!.status().tokens).toBeGreaterThan(before + 6_000);
    await keep({ ...body(history(3)), tools: tools(10) } as Body);
    expect(sessions[0]!.status().tokens).toBeLessThan(before + 2_000);
    expect(sessions).toHaveLength(1);
  });

  it('requests of one conversation that come at once each show their own messages alone', async () => {
    const { keep } = conversations({ window: 100_000 });
    const kept = await Promise.all([1, 2, 3, 4].map((n) => keep(body(history(n)))));
    for (const [i, one] of kept.entries()) expect(plain(one.body.messages)).toEqual(plain(history(i + 1)));
  });

  it('a conversation that was evicted comes back as a session of its own, whole', async () => {
    const { keep, sessions } = conversations({ live: { conversations: 64 } });
    await keep(body(history(3)));
    for (let n = 0; n < 64; n++) await keep(body(history(0, `other ${n}`)));
    await keep(body(history(4)));
    expect(sessions).toHaveLength(66);
    expect(sessions.at(-1)!.transcript()).toHaveLength(9);
  });

  it('goes on after a restart from what a store holds, byte for byte', async () => {
    const store = memoryStore();
    const lasting = conversations();
    for (let n = 0; n < 30; n++) {
      const expected = await lasting.keep(body(history(n)));
      const open: Journal[] = [];
      const opened: ConversationStore = {
        async open(id) {
          const stored = await store.open(id);
          open.push(stored.journal);
          return stored;
        },
      };
      const kept = await conversations({ store: opened }).keep(body(history(n)));
      expect(JSON.stringify(kept.body)).toBe(JSON.stringify(expected.body));
      // The process ends: its locks go with it.
      for (const journal of open) await journal.close();
    }
    expect(await store.list()).toHaveLength(1);
  });

  it('two branches of one beginning are stored apart', async () => {
    const store = memoryStore();
    const { keep, sessions } = conversations({ store });
    await keep(body(history(2)));
    await keep(body([...history(1), { role: 'assistant', content: 'No.' }, { role: 'user', content: 'Why?' }]));
    expect(sessions).toHaveLength(2);
    expect(await store.list()).toHaveLength(2);
  });

  it('another model with another window takes over what was said', async () => {
    const { keep, sessions } = conversations({ window: (model) => (model === 'large' ? 100_000 : 8_000) });
    for (let n = 0; n < 30; n++) await keep(body(history(n)));
    const large = await keep(body(history(30), 'large'));
    expect(plain(large.body.messages)).toEqual(plain(history(30)));
    const small = await keep(body(history(31)));
    expect(JSON.stringify(small.body).length).toBeLessThan(JSON.stringify(large.body).length / 2);
    expect(sessions).toHaveLength(1);
  });

  it('a window that nobody stated is an error that says how to state it', async () => {
    expect(() => conversations({ window: Number.NaN })).toThrow(CompactionError);
    const { keep, sessions } = conversations({ window: () => undefined });
    await expect(keep(body(history(1), 'unheard-of'))).rejects.toMatchObject({
      code: 'window-unknown',
      message: expect.stringMatching(/unheard-of.*window: \(model\)/s),
    });
    expect(sessions).toHaveLength(0);
  });

  it('what a request asks for does not take its room from the conversation: what is left behind it is told instead', async () => {
    const { keep, sessions } = conversations();
    for (const [n, maxOutput] of [100, 3_000, 4_000, 9_000].entries()) {
      const { outputRoom } = await keep(body(history(n + 1)), { maxOutput });
      const { budget, tokens } = sessions[0]!.status();
      expect(budget.trigger).toBeGreaterThan(5_000);
      expect(outputRoom).toBeLessThanOrEqual(Math.min(maxOutput, 8_000 - tokens));
      expect(outputRoom).toBeGreaterThanOrEqual(Math.min(maxOutput, 7_900 - tokens));
    }
  });

  it('a refusal brings a smaller body, and nothing once nothing more can go', async () => {
    const { keep } = conversations({ window: 100_000 });
    const kept = await keep(body(history(20)));
    const smaller = await kept.shrinkBody({ maximum: 8_000, actual: 9_000 });
    expect(JSON.stringify(smaller!.body).length).toBeLessThan(JSON.stringify(kept.body).length / 2);
    expect(anthropicMessages.validate(smaller!.body)).toEqual([]);
    expect(await kept.shrinkBody({ maximum: 8_000 })).toBeUndefined();
  });

  it('a maximum that can be none (0, less, no number) is not learned, for this conversation or the next', async () => {
    for (const maximum of [0, -1, Number.NaN]) {
      const { keep, sessions } = conversations({ window: 100_000 });
      const kept = await keep(body(history(20)));
      const smaller = await kept.shrinkBody({ maximum });
      expect(JSON.stringify(smaller!.body).length).toBeLessThan(JSON.stringify(kept.body).length);
      await keep(body(history(5, 'b')));
      expect(sessions.map((one) => one.status().budget.window)).toEqual([100_000, 100_000]);
    }
  });

  it('what a refusal without a maximum shows holds for its conversation, as long as that stays with the model', async () => {
    const { keep, sessions } = conversations({ window: 100_000 });
    const windows = (): readonly number[] => sessions.map((one) => one.status().budget.window);
    const kept = await keep(body(history(20), 'first'));
    const { tokens } = sessions[0]!.status();
    await kept.shrinkBody({});
    await keep(body(history(21), 'first'));
    expect(windows()).toEqual([Math.floor(tokens * 0.75)]);
    await keep(body(history(5, 'b'), 'first'));
    expect(windows()[1]).toBe(100_000);
    await keep(body(history(22), 'second'));
    expect(windows()).toEqual([100_000, 100_000]);
  });

  it('a request that is refused at every size shows nothing of the window, also where the client writes the failure down as an answer', async () => {
    const { keep, sessions } = conversations({ window: 100_000 });
    const kept = await keep(body(history(40)));
    let tries = 1;
    while ((await kept.shrinkBody({})) !== undefined) tries++;
    expect(tries).toBe(4);
    const failed = { role: 'assistant', content: 'API Error: 400' };
    await keep(body([...history(40), failed, { role: 'user', content: 'Once more.' }]));
    expect(sessions.map((one) => one.status().budget.window)).toEqual([100_000]);
  });

  it('what is sent besides the messages is known behind every request, also where each names another model', async () => {
    const { keep, sessions } = conversations({ window: 100_000 });
    for (let n = 1; n < 6; n++) {
      const system = 'Work with care. '.repeat(100 * n);
      await keep({ ...body(history(n), n % 2 === 0 ? 'first' : 'second'), system });
      const known = sessions[0]!.status().overhead.system;
      expect(known).toBeGreaterThan(300 * n);
    }
  });

  it('what the provider cleared or compacted itself is in the ledger', async () => {
    const { keep, sessions } = conversations();
    const { noteAnswer } = await keep(body(history(3)));
    const appliedEdits = [
      { type: 'clear-results', tokens: 300, count: 2 },
      { type: 'clear-reasoning', tokens: 50, count: 1 },
    ] as const;
    noteAnswer({ usage: { input: 800 }, appliedEdits, compaction: { input: 5_000, output: 70 } });
    const [entry] = sessions[0]!.ledger().entries.filter(({ type }) => type === 'usage');
    expect(entry).toMatchObject({
      usage: { input: 800, cleared: 350, compaction: { input: 5_000, output: 70 } },
    });
  });

  it("what `/responses/compact` gave back stays whole: the user's messages and the item behind them", async () => {
    const { all, sessions } = conversations({ window: 3_000 });
    const compacted = [
      { role: 'user', content: 'Never push.' },
      { role: 'user', content: 'And hurry.' },
      { type: 'compaction', encrypted_content: 'c2VhbGVk' },
    ];
    const keep = async (more: readonly object[]) => {
      const given = { model: 'm', input: [...compacted, ...more] };
      return (await all.keep({ format: openaiResponses, body: given, model: 'm' }))!.body.input as readonly object[];
    };
    expect(await keep([{ role: 'user', content: 'Go on.' }])).toEqual([
      ...compacted,
      { role: 'user', content: 'Go on.' },
    ]);
    const long = Array.from({ length: 40 }, (_, n) => ({
      role: n % 2 === 0 ? 'user' : 'assistant',
      content: `${n} `.repeat(300),
    }));
    const input = await keep(long);
    expect(sessions.at(-1)!.receipts().length).toBeGreaterThan(0);
    expect(input).toContainEqual(compacted[2]);
    expect(JSON.stringify(input)).toContain('Never push.');
  });

  it('what is on the server goes as it is, and what the server compacted stays', async () => {
    const { all, keep, sessions } = conversations();
    const partial = { model: 'm', input: [{ role: 'user', content: 'And now?' }], previous_response_id: 'resp_1' };
    expect(await all.keep({ format: openaiResponses, body: partial, model: 'm' })).toBeUndefined();
    const contents = [{ role: 'user', parts: [{ text: 'And now?' }] }];
    for (const cached of [{ cachedContent: 'cachedContents/1' }, { cached_content: 'cachedContents/1' }])
      expect(await all.keep({ format: gemini, body: { contents, ...cached }, model: 'm' })).toBeUndefined();
    expect(sessions).toHaveLength(0);

    const compaction = { type: 'compaction', content: 'Much was read.' };
    for (let n = 0; n < 100; n += 4) {
      const given = [...history(2), { role: 'assistant', content: [compaction] }, ...history(n, 'b')];
      const { messages } = (await keep(body(given))).body;
      expect(messages[0]).toMatchObject({ role: 'assistant', content: [compaction] });
      expect(JSON.stringify(messages)).not.toContain('a line of file');
    }
    expect(sessions[0]!.receipts().length).toBeGreaterThan(0);
  });

  it('an aborted request throws its reason and leaves the conversation whole', async () => {
    const { keep, sessions } = conversations();
    await keep(body(history(2)));
    const reason = new Error('enough');
    await expect(keep(body(history(3)), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await keep(body(history(4)));
    expect(sessions).toHaveLength(1);
    expect(sessions[0]!.transcript()).toHaveLength(9);
  });
});
