import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import type { SimEntry } from '../account/log.ts';
import { createAnthropicApi } from '../anthropic/api.ts';
import type { Api, Prepared } from '../api/api.ts';
import type { World } from '../decision/world.ts';
import { createGeminiApi } from '../gemini/api.ts';
import { createChatApi, createResponsesApi } from '../openai/api.ts';
import { exchange } from './exchange.ts';
import { listGeminiModels, listModels } from './list-models.ts';

type Env = { Bindings: HttpBindings };

async function readBytes(incoming: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The vendors' paths. Answers are written to the socket itself, because faults happen there. */
export function createApp(world: World, log: (entry: SimEntry) => void): Hono<Env> {
  const app = new Hono<Env>();
  let n = 0;
  const serve =
    <P extends Prepared>(api: Api<P>) =>
    async (c: Context<Env>): Promise<Response> => {
      const number = ++n;
      const url = new URL(c.req.url);
      const arrived = {
        n: number,
        path: url.pathname,
        query: url.searchParams,
        headers: c.req.header(),
        bytes: await readBytes(c.env.incoming),
      };
      await exchange(api, world, arrived, c.env.outgoing, log);
      return RESPONSE_ALREADY_SENT;
    };

  const anthropic = serve(createAnthropicApi(world.counter));
  app.post('/v1/messages', anthropic);
  app.post('/v1/messages/count_tokens', anthropic);
  app.post('/v1/chat/completions', serve(createChatApi(world.counter)));
  app.post('/v1/responses', serve(createResponsesApi(world.counter)));
  app.post(
    '/:version{v1|v1beta|v1alpha}/models/:call{[^/]+:(?:generateContent|streamGenerateContent|countTokens)}',
    serve(createGeminiApi(world.counter)),
  );
  app.get('/v1/models', (c) => {
    const isGoogle = c.req.header('x-goog-api-key') !== undefined || c.req.query('key') !== undefined;
    if (isGoogle) return c.json(listGeminiModels(world.listModels()));
    return c.json(listModels(world.listModels(), c.req.header('anthropic-version') !== undefined));
  });
  app.get('/:version{v1beta|v1alpha}/models', (c) => c.json(listGeminiModels(world.listModels())));
  app.notFound((c) => c.json({ error: { message: `Unknown request URL: ${c.req.method} ${c.req.path}.` } }, 404));
  // A mistake in a test's own script is told once, not retried.
  app.onError((error, c) =>
    c.json({ error: { message: `The simulator failed: ${error.message}` } }, 500, { 'x-should-retry': 'false' }),
  );
  return app;
}
