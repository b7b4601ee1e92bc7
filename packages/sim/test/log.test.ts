import { afterEach, describe, expect, it } from 'vitest';
import { type Sim, startSim } from '../src/index.ts';

let sim: Sim;
afterEach(() => sim.close());

const KEY = 'sk-live-0123456789abcdef';

const REQUESTS = [
  ['/v1/messages', { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' }],
  ['/v1/messages', { authorization: `Bearer ${KEY}`, 'anthropic-version': '2023-06-01' }],
  ['/v1/chat/completions', { authorization: `Bearer ${KEY}`, cookie: `session=${KEY}` }],
  ['/v1/responses', { authorization: `Bearer ${KEY}`, 'proxy-authorization': `Basic ${KEY}` }],
  ['/v1beta/models/gemini-2.5-pro:generateContent', { 'x-goog-api-key': KEY }],
  [`/v1beta/models/gemini-2.5-pro:generateContent?key=${KEY}`, {}],
] as const;

describe('the log of requests', () => {
  it.each(REQUESTS)('holds no key, whether the request was good or not: %s', async (path, headers) => {
    sim = await startSim();
    for (const body of ['{}', 'not json'])
      await fetch(`${sim.url}${path}`, { method: 'POST', headers: { ...headers, 'x-note': 'kept' }, body });
    expect(sim.requests).toHaveLength(2);
    expect(JSON.stringify(sim.requests)).not.toContain(KEY);
    expect(sim.requests[0]!.headers['x-note']).toBe('kept');
  });

  it('still tells two keys apart', async () => {
    sim = await startSim();
    const send = (key: string) =>
      fetch(`${sim.url}/v1/messages`, { method: 'POST', headers: { 'x-api-key': key }, body: '{}' });
    for (const key of ['one', 'two', 'one']) await send(key);
    const [first, second, third] = sim.requests.map(({ key }) => key);
    expect(first).toBe(third);
    expect(first).not.toBe(second);
  });
});
