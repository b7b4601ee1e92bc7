import { presets, summarizeHistory } from '@palimpsest/core';
import { memoryStore } from '@palimpsest/store';
import { describe, expect, it } from 'vitest';
import { createKeeper, type KeptEvent, type UpstreamRequest } from '../src/keeper.ts';
import { body, history } from './conversing.ts';

const SECRET = 'sk-secret-of-the-newest-request';

const summary = `## Goal\nRead every file.\n## State\n${'All of them were read, one after the other. '.repeat(20)}`;
const answer = () =>
  new Response(
    JSON.stringify({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: summary }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 5 },
    }),
    { headers: { 'content-type': 'application/json' } },
  );

describe('summaries of the conversation’s own model', () => {
  it('are asked for by the newest request’s wire, model and credentials, which stay in memory', async () => {
    const store = memoryStore();
    const events: KeptEvent[] = [];
    const asked: { readonly body: object; readonly request: UpstreamRequest }[] = [];
    const keeper = createKeeper({
      window: 8_000,
      layers: [summarizeHistory()],
      drafts: false,
      store,
      summarizer: 'upstream',
      on: (event) => events.push(event),
      send: async (sent, request) => {
        asked.push({ body: sent, request });
        return answer();
      },
    });
    for (let n = 0; n < 40; n++) {
      const kept = (await keeper.keep({
        wire: 'anthropic',
        body: body(history(n)),
        headers: { 'anthropic-beta': 'some-beta' },
        credentials: { key: `${SECRET}-${n}` },
      }))!;
      if (asked.length > 0) {
        expect(asked[0]!.request).toMatchObject({
          wire: 'anthropic',
          model: 'claude-sonnet-5',
          credentials: { key: `${SECRET}-${n}` },
          headers: { 'anthropic-beta': expect.stringContaining('some-beta') },
        });
        expect(kept.receipt).toBeDefined();
        break;
      }
    }
    expect(events.some(({ type }) => type === 'summary-paid')).toBe(true);
    expect(JSON.stringify(asked[0]!.body)).not.toContain(SECRET);
    expect(JSON.stringify(events)).not.toContain(SECRET);
    await keeper.close();
    for (const { id } of await store.list())
      expect(JSON.stringify((await store.read(id)).records)).not.toContain(SECRET);
  });

  it('that cannot be had are the digest’s', async () => {
    let asked = 0;
    const keeper = createKeeper({
      window: 8_000,
      layers: presets.default({ summarizeHistory: { modelFrom: 0 } }),
      drafts: false,
      summarizer: 'upstream',
      send: async () => {
        asked++;
        return new Response('{"error":{"message":"no"}}', { status: 400 });
      },
    });
    for (let n = 0; n < 40; n++) await keeper.keep({ wire: 'anthropic', body: body(history(n)), credentials: SECRET });
    expect(asked).toBeGreaterThan(0);
    expect(keeper.status().conversations).toBe(1);
  });

  it('need something that sends', () => {
    expect(() => createKeeper({ window: 8_000, summarizer: 'upstream' })).toThrow(/needs `send`/);
  });
});
