import { createHash } from 'node:crypto';
import { AnthropicBedrock } from '@anthropic-ai/bedrock-sdk';
import type Anthropic from '@anthropic-ai/sdk';
import { AnthropicVertex } from '@anthropic-ai/vertex-sdk';
import { type KeptEvent, palimpsest } from '@palimpsest/sdk/anthropic';
import { type Sim, startSim } from '@palimpsest/sim';
import { type Arrived, type HttpServer, startServer } from '@palimpsest/testing/http-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const WINDOW = 16_000;
const ROUNDS = 60;
const MODEL = 'claude-sonnet-5';

let sim: Sim;
let cloud: HttpServer;
let events: KeptEvent[];

/** A cloud with its own paths and headers in front of the simulator, which checks bodies and their size as the vendor does. */
beforeEach(async () => {
  events = [];
  sim = await startSim({
    window: WINDOW,
    model: ({ turn }) => ({ text: `Answer ${turn}. ${'And so on. '.repeat(90)}` }),
  });
  cloud = await startServer(async (arrived, response) => {
    const { anthropic_version, anthropic_beta: _, ...body } = arrived.body;
    const answer = await fetch(`${sim.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': 'k', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, model: MODEL }),
    });
    const isRefused = typeof anthropic_version !== 'string' || 'model' in arrived.body;
    response.writeHead(isRefused ? 400 : answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  });
});
afterEach(async () => {
  await cloud.close();
  await sim.close();
});

const on = (event: KeptEvent): void => void events.push(event);
const keep = () => [palimpsest({ window: WINDOW, on, strict: true })];

interface Messages {
  create(body: Anthropic.MessageCreateParamsNonStreaming): Promise<Anthropic.Message>;
  stream(body: Anthropic.MessageCreateParamsNonStreaming): { finalMessage(): Promise<Anthropic.Message> };
}

async function talk(messages: Messages, isStreamed: boolean): Promise<void> {
  const history: Anthropic.MessageParam[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    history.push({ role: 'user', content: `Question ${n}. ${'Please mind the details. '.repeat(60)}` });
    const body = { model: MODEL, max_tokens: 500, messages: history };
    const answer = isStreamed ? await messages.stream(body).finalMessage() : await messages.create(body);
    history.push({ role: 'assistant', content: answer.content });
  }
}

/** Every request was taken, and the views were compacted, although the history is larger than the window. */
function expectKept(path: RegExp): void {
  expect(cloud.arrived).toHaveLength(ROUNDS);
  for (const arrived of cloud.arrived) expect(arrived.path).toMatch(path);
  expect(sim.requests.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  expect(events.filter(({ type }) => type === 'view-compacted').length).toBeGreaterThan(1);
  expect(events.some(({ type }) => type === 'passed')).toBe(false);
}

const hashOf = ({ text }: Arrived): string => createHash('sha256').update(text).digest('hex');

describe('Claude in a cloud, by the Anthropic middleware', () => {
  it('keeps a conversation on Bedrock, and the AWS signature covers the compacted body', async () => {
    const client = new AnthropicBedrock({
      baseURL: cloud.url,
      awsRegion: 'us-east-1',
      awsAccessKey: 'a',
      awsSecretKey: 's',
      middleware: keep(),
    });
    await talk(client.messages, false);
    expectKept(/^\/model\/claude-sonnet-5\/invoke$/);
    for (const arrived of cloud.arrived) {
      expect(arrived.headers['x-amz-content-sha256']).toBe(hashOf(arrived));
      expect(arrived.headers.authorization).toContain('x-amz-content-sha256');
    }
  });

  it.each([false, true])('keeps a conversation on Vertex, streamed: %s', async (isStreamed) => {
    const authClient = { projectId: 'p', getRequestHeaders: async () => new Headers({ authorization: 'Bearer t' }) };
    const client = new AnthropicVertex({
      baseURL: cloud.url,
      region: 'us-east5',
      projectId: 'p',
      authClient: authClient as never,
      middleware: keep(),
    });
    await talk(client.messages, isStreamed);
    expectKept(/^\/projects\/p\/locations\/us-east5\/publishers\/anthropic\/models\/claude-sonnet-5:/);
    for (const { headers } of cloud.arrived) expect(headers.authorization).toBe('Bearer t');
  });
});
