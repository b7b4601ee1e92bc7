/** The server of 30-server.ts and on-postgres.ts: one keeper for all users, whoever keeps its sessions and their accounts. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { createKeeper, type KeeperOptions, recallTool } from '@palimpsest/sdk/keeper';

type Turn = { readonly role: 'user' | 'assistant'; readonly content: string };
/** What your database holds of a user: what was said, and which session keeps it. */
export type Account = { turns: Turn[]; session?: string };

export interface ChatServerOptions {
  readonly provider: string;
  readonly window: number;
  readonly store: NonNullable<KeeperOptions['store']>;
  /** So many conversations stay at hand; the others wait in the store: memory stays flat. */
  readonly live: number;
  readonly accounts: {
    read(user: string): Promise<Account | undefined>;
    write(user: string, account: Account): Promise<void>;
  };
  readonly port?: number;
}

export function startChatServer({ provider, window, store, live, accounts, port = 0 }: ChatServerOptions) {
  const counts = { requests: 0, restored: 0, forks: 0, compactions: 0, tokensHidden: 0 };
  const keeper = createKeeper({
    window,
    store,
    live: { conversations: live },
    on: (event) => {
      if (event.type !== 'view-compacted' || !event.receipt.declared) return;
      counts.compactions++;
      counts.tokensHidden += event.receipt.tokensBefore - event.receipt.tokensAfter;
    },
  });

  async function chat(user: string, said: string): Promise<string> {
    const account = (await accounts.read(user)) ?? { turns: [] };
    const messages: Turn[] = [...account.turns, { role: 'user', content: said }];
    // The mark has the provider cache what stands up to here: the next request begins with it.
    const marked = { role: 'user', content: [{ type: 'text', text: said, cache_control: { type: 'ephemeral' } }] };
    const body = { model: 'claude-sonnet-5', max_tokens: 300, messages: [...account.turns, marked] };
    // The tenant is whoever is logged in, never what a client says; the id is the conversation of your database.
    const kept = await keeper.keep({ wire: 'anthropic', body, tenant: user, id: 'support' });
    let response = await send(provider, kept?.body ?? body);
    if (!response.ok) {
      const smaller = await kept?.fail({ status: response.status, body: await response.json() });
      if (smaller !== undefined) response = await send(provider, smaller.body);
    }
    const answer = (await response.json()) as { content: { text: string }[] };
    kept?.hear(answer);
    const reply = answer.content.map((block) => block.text).join('');
    const turns: Turn[] = [...messages, { role: 'assistant', content: reply }];
    const session = kept?.id ?? account.session;
    await accounts.write(user, { turns, ...(session === undefined ? {} : { session }) });
    if (kept?.how === 'forked') counts.forks++;
    if (kept?.how === 'restored') counts.restored++;
    counts.requests++;
    return reply;
  }

  /** Undefined where it is not at hand: the next request of that user opens it again. */
  const recall = async (user: string, query: string): Promise<string | undefined> => {
    const session = keeper.find((await accounts.read(user))?.session ?? '', user);
    return session && recallTool(() => session).run({ query });
  };

  const metrics = (): string =>
    Object.entries({
      ...counts,
      live: keeper.status().conversations,
      liveBytes: keeper.status().bytes,
    })
      .map(([name, value]) => `palimpsest_${name} ${value}`)
      .join('\n');

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const user = String(request.headers['x-user']); // in life: out of a session or a token that you have checked
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
    if (pathname === '/chat') response.end(await chat(user, await readText(request)));
    else if (pathname === '/recall') response.end((await recall(user, searchParams.get('q') ?? '')) ?? '');
    else if (pathname === '/metrics') response.end(metrics());
    else response.writeHead(404).end();
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  });
  return new Promise<{ url: string; keeper: typeof keeper; stop(): Promise<void> }>((resolve) => {
    server.listen(port, '127.0.0.1', () =>
      resolve({
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        keeper,
        /** On SIGTERM: nobody new, whoever is inside is answered, then all is saved and the sessions are free for others. */
        async stop() {
          await new Promise((done) => server.close(done));
          await keeper.close();
        },
      }),
    );
  });
}

const send = (provider: string, body: object): Promise<Response> =>
  fetch(`${provider}/v1/messages`, {
    method: 'POST',
    headers: {
      'x-api-key': process.env.ANTHROPIC_API_KEY ?? 'any',
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
