import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, PostgresClient, PostgresPool } from './pool.ts';
import { isPassing, Passing, toServerError } from './server-error.ts';

/** A statement with its values. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** What to call the work in errors, and what ends the waiting for it. */
export interface Doing {
  readonly doing: string;
  readonly signal?: AbortSignal | undefined;
  /** Not tried again where the server is away. */
  readonly once?: boolean;
}

/** Sends one statement inside a transaction. */
export type Send = (statement: Statement) => Promise<Answer>;

/** Transactions on one server. While it is away they are tried again, so whatever is done here can be done twice. */
export interface Database {
  /** The statements in one transaction, in one round trip where the connection allows it. */
  run(statements: readonly Statement[], doing: Doing): Promise<readonly Answer[]>;
  /** A transaction whose statements depend on each other's answers. */
  transact<T>(work: (send: Send) => Promise<T>, doing: Doing): Promise<T>;
}

/** How long things may take. */
export interface Limits {
  /** One transaction's statement, on the server. */
  readonly statementMs: number;
  /** Waiting for a lock inside of it. */
  readonly lockMs: number;
  /** Trying again while the server is away. */
  readonly retryMs: number;
}

const PAUSE_MS = { first: 20, most: 500 };
/** The server ends what takes too long by itself; where it does not answer at all, the connection is given up this much later. */
const GRACE_MS = 1_000;

/** `settings` are set for each transaction alone: a pooler between may give the next one another connection. */
export function database(pool: PostgresPool, limits: Limits, settings: Readonly<Record<string, string>>): Database {
  const set = { ...settings, statement_timeout: String(limits.statementMs), lock_timeout: String(limits.lockMs) };
  const begin = [
    // Whatever the database has as its default: a statement must see what was committed while the one before it waited.
    'begin isolation level read committed',
    ...Object.entries(set).map(([name, value]) => `set local ${name} = '${value.replaceAll("'", "''")}'`),
  ].join('; ');
  const patienceMs = limits.statementMs + GRACE_MS;

  const retry = async <T>(attempt: () => Promise<T>, { doing, signal, once }: Doing): Promise<T> => {
    let giveUpAt = 0;
    for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS.most)) {
      signal?.throwIfAborted();
      try {
        return await attempt();
      } catch (error) {
        signal?.throwIfAborted();
        giveUpAt ||= performance.now() + limits.retryMs;
        if (once || !isPassing(error) || performance.now() >= giveUpAt) throw toServerError(error, doing);
      }
      await sleep(pauseMs * (0.5 + Math.random()), undefined, signal && { signal }).catch(() => {});
    }
  };

  return {
    run: (statements, doing) =>
      retry(() => withClient(pool, patienceMs, doing.signal, (client) => runAll(client, begin, statements)), doing),
    transact: (work, doing) =>
      retry(
        () => withClient(pool, patienceMs, doing.signal, (client, prolong) => runWork(client, begin, work, prolong)),
        doing,
      ),
  };
}

async function runAll(
  client: PostgresClient,
  begin: string,
  statements: readonly Statement[],
): Promise<readonly Answer[]> {
  if (client.pipeline !== true)
    return runWork(
      client,
      begin,
      (send) => sendInTurn(send, statements),
      () => {},
    );
  const sent = [
    client.query(begin),
    ...statements.map(({ text, values = [] }) => client.query(text, [...values])),
    client.query('commit'),
  ];
  const settled = await Promise.allSettled(sent);
  // After the first failure the transaction is void, and the server says only that of the others.
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
  return (await Promise.all(sent)).slice(1, -1);
}

async function sendInTurn(send: Send, statements: readonly Statement[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const statement of statements) answers.push(await send(statement));
  return answers;
}

async function runWork<T>(
  client: PostgresClient,
  begin: string,
  work: (send: Send) => Promise<T>,
  prolong: () => void,
): Promise<T> {
  await client.query(begin);
  try {
    const answer = await work(({ text, values = [] }) => {
      prolong();
      return client.query(text, [...values]);
    });
    prolong();
    await client.query('commit');
    return answer;
  } catch (error) {
    if (!isPassing(error)) await client.query('rollback').catch(() => {});
    throw error;
  }
}

/**
 * Work on a connection of the pool. Where it fails in a way that leaves the connection in doubt, or is silent for longer than
 * `patienceMs`, the connection is thrown away, also when the work is called off. `prolong` begins the silence anew.
 */
async function withClient<T>(
  pool: PostgresPool,
  patienceMs: number,
  signal: AbortSignal | undefined,
  work: (client: PostgresClient, prolong: () => void) => Promise<T>,
): Promise<T> {
  let giveUp = (_error: Error): void => {};
  const silence = new Promise<never>((_resolve, reject) => {
    giveUp = reject;
  });
  silence.catch(() => {});
  const startTimer = () => setTimeout(() => giveUp(new Passing(`no answer within ${patienceMs} ms`)), patienceMs);
  let timer = startTimer();
  const prolong = (): void => {
    clearTimeout(timer);
    timer = startTimer();
  };
  const stop = (): void => giveUp(new Passing('called off'));
  signal?.addEventListener('abort', stop);
  // The same is said to whoever waits for an answer; an event that nobody hears would end the process.
  const ignore = (): void => {};
  let client: PostgresClient | undefined;
  let failure: Error | undefined;
  try {
    const connecting = pool.connect();
    connecting.then(
      (late) => failure !== undefined && client === undefined && late.release(),
      () => {},
    );
    client = await Promise.race([connecting, silence]);
    client.on('error', ignore);
    return await Promise.race([work(client, prolong), silence]);
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    client?.removeListener('error', ignore);
    client?.release(failure !== undefined && isPassing(failure) ? failure : undefined);
  }
}
