import { startGateway } from '@palimpsest/gateway';
import { startSim } from '@palimpsest/sim';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerJson, sendRaw, startUpstream } from './raw-upstream.ts';

interface Span {
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

const BODY = {
  model: 'claude-sonnet-5',
  max_tokens: 100,
  messages: Array.from({ length: 41 }, (_, n) => ({
    role: n % 2 ? 'assistant' : 'user',
    content: `${n} secret words ${'word '.repeat(400)}`,
  })),
};

describe('OpenTelemetry', () => {
  it('a collector is told of every request: who, how much, whether compacted; no key and no word of it', async () => {
    const collector = await startUpstream((_, response) => answerJson(response, {}));
    const sim = await startSim({ window: 8_000 });
    const traces = { url: `${collector.url}/v1/traces`, headers: { 'x-team': 'a' } };
    const gateway = await startGateway({ upstreams: { '*': sim.url }, window: 8_000, patienceMs: 30_000, traces });
    onTestFinished(collector.close);
    onTestFinished(sim.close);
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const { headers } = await sendRaw(`${gateway.url}/v1/messages`, {
      headers: {
        'x-api-key': 'sk-secret',
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        traceparent: `00-${trace}-b7ad6b7169203331-01`,
      },
      body: JSON.stringify(BODY),
    });
    await gateway.close();
    const [arrived] = collector.arrived;
    expect(arrived!.rawHeaders).toContain('x-team');
    const told = JSON.parse(arrived!.bytes.toString()) as {
      resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
    };
    const [span] = told.resourceSpans[0]!.scopeSpans[0]!.spans;
    expect(span).toMatchObject({ name: 'chat claude-sonnet-5', traceId: trace, parentSpanId: 'b7ad6b7169203331' });
    expect(BigInt(span!.endTimeUnixNano)).toBeGreaterThan(BigInt(span!.startTimeUnixNano));
    const values = Object.fromEntries(span!.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
    expect(values).toMatchObject({
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.conversation.id': headers['x-palimpsest-session'],
      'gen_ai.conversation.compacted': true,
      'http.response.status_code': '200',
    });
    expect(Number(values['gen_ai.usage.output_tokens'])).toBeGreaterThan(0);
    expect(arrived!.bytes.toString()).not.toMatch(/sk-secret|secret words/);
  });

  it('a collector that is gone holds nobody up', async () => {
    const sim = await startSim();
    onTestFinished(sim.close);
    const gateway = await startGateway({
      upstreams: { '*': sim.url },
      traces: { url: 'http://127.0.0.1:9/v1/traces' },
    });
    const body = JSON.stringify({ ...BODY, messages: BODY.messages.slice(0, 1) });
    const headers = { 'x-api-key': 'k', 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
    expect((await sendRaw(`${gateway.url}/v1/messages`, { headers, body })).status).toBe(200);
    await gateway.close();
  });
});
