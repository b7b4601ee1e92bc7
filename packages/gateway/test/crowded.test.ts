import { type RequestLine, startGateway } from '@palimpsest/gateway';
import { startSim } from '@palimpsest/sim';
import { describe, expect, it, onTestFinished } from 'vitest';

const TOOLS = Array.from({ length: 20 }, (_, n) => ({
  name: `tool_${n}`,
  description: 'what this tool is for, said at great length; '.repeat(40),
  input_schema: { type: 'object', properties: {} },
}));

async function ask(window: number, options: object = {}) {
  const lines: RequestLine[] = [];
  const sim = await startSim({ window });
  onTestFinished(sim.close);
  const onRequest = (line: RequestLine): void => void lines.push(line);
  const gateway = await startGateway({ upstreams: { '*': sim.url }, window, onRequest, ...options });
  onTestFinished(() => gateway.close({ graceMs: 0 }));
  const send = async (url: string) => {
    const answer = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({
        model: 'claude-sonnet-5',
        max_tokens: 32_000,
        tools: TOOLS,
        messages: [{ role: 'user', content: 'Hello.' }],
      }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  return { ...(await send(gateway.url)), alone: await send(sim.url), requests: sim.requests.length, lines };
}

describe('a window that system prompt and tools nearly fill', () => {
  it.each([{}, { recall: true }])('is named in the answer and in the log, and nothing is sent: %j', async (options) => {
    const { status, text, lines, requests } = await ask(5_000, options);
    expect([status, requests]).toEqual([400, 1]);
    const { type, error } = JSON.parse(text);
    expect([type, error.type]).toEqual(['error', 'invalid_request_error']);
    expect(error.message).toMatch(
      /^palimpsest: the window of 5,000 tokens is too small for this client, whose system prompt and tools take about [\d,]+; state a larger window/,
    );
    await expect.poll(() => lines[0]?.crowded).toContain('5,000');
  });

  it('is named in the log alone where an answer still has room', async () => {
    const { status, lines } = await ask(12_000);
    expect(status).toBe(200);
    await expect.poll(() => lines[0]?.crowded).toContain('12,000');
  });

  it('is not named where a conversation has room too', async () => {
    const { status, lines } = await ask(60_000);
    expect(status).toBe(200);
    await expect.poll(() => lines).toHaveLength(1);
    expect(lines[0]?.crowded).toBeUndefined();
  });

  it('is named by the simulator behind the vendor’s own words', async () => {
    const { alone } = await ask(7_000);
    expect(alone.status).toBe(400);
    expect(alone.text).toMatch(/prompt is too long: \d+ tokens > 7000 maximum \(simulator: system prompt and tools/);
  });
});
