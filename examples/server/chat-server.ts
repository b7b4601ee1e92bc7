/** The server of 30-server.ts and on-postgres.ts: one keeper for all users, whoever keeps its sessions and their accounts. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKeeper, type KeeperOptions, type KeeperStatus, recallTool } from '@palimpsest/sdk/keeper';

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
    /** Adds turns and never replaces any: another process may have added some since they were read. */
    append(user: string, turns: readonly Turn[], session: string | undefined): Promise<void>;
  };
  readonly port?: number;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
}

type Counts = Record<'requests' | 'restored' | 'forks' | 'compactions' | 'tokensHidden', number>;

const MAX_BODY_BYTES = 1_000_000;

export async function startChatServer({ provider, window, store, live, accounts, port = 0 }: ChatServerOptions) {
  const counts: Counts = { requests: 0, restored: 0, forks: 0, compactions: 0, tokensHidden: 0 };
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
  const inTurn = newQueues();

  async function chat(user: string, said: string): Promise<Reply> {
    const account = (await accounts.read(user)) ?? { turns: [] };
    // The mark has the provider cache what stands up to here: the next request begins with it.
    const marked = { role: 'user', content: [{ type: 'text', text: said, cache_control: { type: 'ephemeral' } }] };
    const body = { model: 'claude-sonnet-5', max_tokens: 300, messages: [...account.turns, marked] };
    // The tenant is whoever is logged in, never what a client says; the id is the conversation of your database.
    const kept = await keeper.keep({ wire: 'anthropic', body, tenant: user, id: 'support' });
    let answer = await send(provider, kept?.body ?? body);
    if (answer.status !== 200) {
      const smaller = await kept?.fail({ status: answer.status, body: answer.body });
      if (smaller !== undefined) answer = await send(provider, smaller.body);
    }
    if (answer.status !== 200) {
      // A rate limit, an overload: the client is told as the provider told us, and when to try again.
      kept?.release();
      return answer;
    }
    kept?.hear(answer.body);
    const { content } = answer.body as { content: { text: string }[] };
    const reply = content.map((block) => block.text).join('');
    const turns: Turn[] = [
      { role: 'user', content: said },
      { role: 'assistant', content: reply },
    ];
    await accounts.append(user, turns, kept?.id ?? account.session);
    if (kept?.how === 'forked') counts.forks++;
    if (kept?.how === 'restored') counts.restored++;
    counts.requests++;
    return { status: 200, text: reply };
  }

  /** Undefined where it is not at hand: the next request of that user opens it again. */
  const recall = async (user: string, query: string): Promise<string | undefined> => {
    const session = keeper.find((await accounts.read(user))?.session ?? '', user);
    return session && recallTool(() => session).run({ query });
  };

  async function answer(request: IncomingMessage): Promise<Reply> {
    const user = String(request.headers['x-user']); // in life: out of a session or a token that you have checked
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
    if (pathname === '/chat') {
      const said = await readBody(request);
      if (said === undefined) return { status: 413, text: `More than ${MAX_BODY_BYTES} bytes.` };
      // One after the other: a second request begins with what the first one said.
      return inTurn(user, () => chat(user, said));
    }
    if (pathname === '/recall') return { status: 200, text: (await recall(user, searchParams.get('q') ?? '')) ?? '' };
    return pathname === '/metrics' ? describeMetrics(counts, keeper.status()) : { status: 404, text: '' };
  }

  const server = createServer((request, response) => {
    answer(request)
      .catch((error: Error): Reply => ({ status: 500, text: error.message }))
      .then(({ status, headers = {}, text }) => response.writeHead(status, headers).end(text));
  });
  return {
    url: await listen(server, port),
    keeper,
    /** On SIGTERM: nobody new, whoever is inside is answered, then all is saved and the sessions are free for others. */
    async stop() {
      await new Promise((done) => server.close(done));
      await keeper.close();
    },
  };
}

const listen = (server: Server, port: number): Promise<string> =>
  new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

interface Answer extends Reply {
  /** Parsed where it is JSON. */
  readonly body: unknown;
}

/** The body is read once, whatever the status; of the headers go on what a client needs. */
async function send(provider: string, body: object): Promise<Answer> {
  const response = await fetch(`${provider}/v1/messages`, {
    method: 'POST',
    headers: {
      'x-api-key': process.env.ANTHROPIC_API_KEY ?? 'any',
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const names = ['content-type', 'retry-after', 'x-should-retry'];
  const headers = Object.fromEntries(
    names.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  return { status: response.status, headers, text, body: parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Undefined: it is longer than allowed. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString();
}

/** Work of one name waits for the work before it; that of other names does not. */
function newQueues(): <Result>(name: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const result = (last.get(name) ?? Promise.resolve()).then(work);
    const ended = result.then(
      () => {},
      () => {},
    );
    last.set(name, ended);
    void ended.then(() => last.get(name) === ended && last.delete(name));
    return result;
  };
}

/** In the text format of Prometheus. */
function describeMetrics(counts: Counts, { conversations, bytes }: KeeperStatus): Reply {
  const lines = [
    ...describeMetric('requests_total', 'counter', 'Requests that were answered.', counts.requests),
    ...describeMetric('restored_total', 'counter', 'Conversations that came back from the store.', counts.restored),
    ...describeMetric('forks_total', 'counter', 'Conversations that left another one.', counts.forks),
    ...describeMetric('compactions_total', 'counter', 'Compactions.', counts.compactions),
    ...describeMetric('tokens_hidden_total', 'counter', 'Tokens that compactions hid.', counts.tokensHidden),
    ...describeMetric('live_conversations', 'gauge', 'Conversations in memory.', conversations),
    ...describeMetric('live_bytes', 'gauge', 'About the memory that they take.', bytes),
  ];
  const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };
  return { status: 200, headers, text: `${lines.join('\n')}\n` };
}

const describeMetric = (name: string, type: 'counter' | 'gauge', help: string, value: number): readonly string[] => [
  `# HELP palimpsest_${name} ${help}`,
  `# TYPE palimpsest_${name} ${type}`,
  `palimpsest_${name} ${value}`,
];
