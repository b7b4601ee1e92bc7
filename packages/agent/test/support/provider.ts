import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicMessages, gemini, openaiChat, openaiResponses, type Violation } from '@palimpsest/wire';
import { afterEach } from 'vitest';
import { type Dialect, dialectOf, streamIn } from './dialects.ts';

/** What the provider is to answer with. */
export interface Reply {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly tool: string; readonly input: unknown }[];
  readonly inputTokens?: number;
  /** An error in place of an answer. */
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Breaks the line in the middle of the answer. */
  readonly breaks?: boolean;
  /** Answers only when this settles; until then the request hangs. */
  readonly after?: Promise<unknown>;
}

export interface Asked {
  readonly dialect: Dialect;
  readonly body: Record<string, unknown>;
  readonly headers: IncomingMessage['headers'];
  /** The text of everything that was sent, for a quick look. */
  readonly source: string;
  readonly isSummary: boolean;
}

export interface TestProvider {
  readonly url: string;
  readonly asked: readonly Asked[];
}

const open = new Set<() => Promise<void>>();
afterEach(async () => {
  for (const close of [...open]) await close();
});

/** A provider over real HTTP that speaks all four dialects and refuses what the vendors would refuse. */
export async function testProvider(reply: (asked: Asked, number: number) => Reply): Promise<TestProvider> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let source = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      source += chunk;
    });
    request.on('end', () => void answer(request, response, source));
  });

  async function answer(request: IncomingMessage, response: ServerResponse, source: string): Promise<void> {
    const dialect = dialectOf(request.url ?? '');
    const body = JSON.parse(source) as Record<string, unknown>;
    const one = { dialect, body, headers: request.headers, source, isSummary: source.includes('</summary>') };
    asked.push(one);
    const wrong = violations(dialect, body);
    const given =
      wrong.length > 0
        ? { status: 400, body: { error: { message: `invalid: ${JSON.stringify(wrong)}` } } }
        : reply(one, asked.length);
    await given.after;
    if (given.status !== undefined) {
      response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers });
      response.end(given.body === undefined ? '' : JSON.stringify(given.body));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const events = streamIn(dialect, given);
    const sent = given.breaks === true ? events.slice(0, Math.ceil(events.length / 2)) : events;
    for (const event of sent) response.write(event);
    if (given.breaks === true) response.destroy();
    else response.end();
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    open.delete(close);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  open.add(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function violations(dialect: Dialect, body: Record<string, unknown>): readonly Violation[] {
  switch (dialect) {
    case 'anthropic':
      return anthropicMessages.validate(body as never);
    case 'openai-chat':
      return openaiChat.validate(body as never);
    case 'openai-responses':
      return openaiResponses.validate(body as never);
    case 'gemini':
      return gemini.validate(body as never);
  }
}
