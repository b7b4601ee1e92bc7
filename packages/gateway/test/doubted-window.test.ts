import { startGateway } from '@palimpsest/gateway';
import { startSim } from '@palimpsest/sim';
import { expect, it, onTestFinished } from 'vitest';

const RULE = 'Never touch db/.';
const TURNS = 30;

interface Said {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** Where each API takes a conversation, and in which form. */
const APIS: Readonly<Record<string, { readonly model: string; readonly body: (said: readonly Said[]) => object }>> = {
  '/v1/messages': { model: 'claude-sonnet-5', body: (messages) => ({ max_tokens: 200, messages }) },
  '/v1/chat/completions': { model: 'gpt-5.6', body: (messages) => ({ messages }) },
  '/v1/responses': { model: 'gpt-5.6', body: (input) => ({ input, store: false }) },
};

it.each(Object.entries(APIS))(
  'a window that is far smaller than was stated reaches no client as a refusal, whether the provider states it or not: %s',
  async (path, { model, body }) => {
    const sim = await startSim({ window: 8_000 });
    onTestFinished(() => sim.close());
    const gateway = await startGateway({ upstreams: { '*': sim.url }, window: 150_000 });
    onTestFinished(() => gateway.close({ graceMs: 0 }));
    const headers = {
      'content-type': 'application/json',
      'x-api-key': 'k',
      authorization: 'Bearer k',
      'anthropic-version': '2023-06-01',
    };
    const said: Said[] = [];
    const statuses: number[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      said.push({ role: 'user', content: `${turn === 0 ? RULE : ''} Step ${turn}: ${`word${turn} `.repeat(300)}` });
      const answer = await fetch(gateway.url + path, {
        method: 'POST',
        headers,
        body: JSON.stringify({ model, ...body(said) }),
      });
      await answer.text();
      statuses.push(answer.status);
      said.push({ role: 'assistant', content: `Step ${turn} is done.` });
    }
    expect(statuses).toEqual(Array.from({ length: TURNS }, () => 200));
    const refused = sim.requests.filter(({ problem }) => problem?.rule === 'too-long');
    expect(refused.length).toBeGreaterThan(0);
    // The first one is sent again as it was kept; from then on the session knows.
    expect(refused.length).toBeLessThanOrEqual(4);
    expect(JSON.stringify(sim.requests.at(-1)?.body)).toContain(RULE);
  },
);
