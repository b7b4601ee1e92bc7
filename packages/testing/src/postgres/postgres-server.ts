import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lchownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresBinaries, prepareBinaries } from './binaries.ts';

/** How to reach a server. The user owns it. */
export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** A real Postgres in a temporary folder, on a free port of this machine. */
export interface PostgresServer extends PostgresAddress {
  /** Ends every connection at once, as a crash does, and starts again on the same port when `whileAway` has ended. */
  restart(whileAway?: () => Promise<void>): Promise<void>;
  /** Stops it and removes all that it wrote. */
  stop(): Promise<void>;
}

/** Settings of the server. Without `fsync` it is fast; what it has outlives its own crash, not the machine's. */
export interface PostgresServerOptions {
  readonly fsync?: boolean;
}

/** Why there is no server here, in words for whoever runs the tests. */
export class NoPostgres extends Error {
  override readonly name = 'NoPostgres';
}

export const urlOf = ({ host, port, user, password }: PostgresAddress, database = 'postgres'): string =>
  `postgres://${user}:${password}@${host}:${port}/${database}`;

const USER = 'palimpsest';
const START_MS = 30_000;
/**
 * Runs the server until it is told a word, or until this process ends, however it ends: that closes the pipe. Then nobody is
 * left to clear up, and it does so itself.
 */
const KEEPER = '"$@" & child=$!; read word; kill -QUIT $child; wait $child; [ "$word" = keep ] || rm -rf "$HOME"';

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** Postgres refuses to run as root; then it runs as the user who owns nothing. */
function chooseAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(-?\d+):(-?\d+):/m);
  if (line === null) throw new NoPostgres('Postgres does not run as root, and there is no user "nobody" to run it as');
  return { uid: Number(line[1]) >>> 0, gid: Number(line[2]) >>> 0 };
}

/** What the server reads, writes and in the end removes has to be its own. */
function giveAll(folder: string, { uid, gid }: Account): void {
  if (uid === undefined || gid === undefined) return;
  for (const name of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    lchownSync(join(folder, name), uid, gid);
}

const findFreePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

function runProgram(program: string, args: readonly string[], options: Account & { env: NodeJS.ProcessEnv }) {
  return new Promise<void>((resolve, reject) => {
    let said = '';
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    child.once('error', (error) => reject(new NoPostgres(`${program} does not run here: ${error.message}`)));
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new NoPostgres(`${program} ended with ${code}: ${said.trim()}`)),
    );
  });
}

interface Home extends PostgresAddress {
  readonly folder: string;
  readonly data: string;
  readonly account: Account;
  readonly binaries: PostgresBinaries;
  readonly env: NodeJS.ProcessEnv;
  readonly flags: readonly string[];
}

/** Starts the server's process and answers when connections are taken. */
async function launch(home: Home): Promise<ChildProcess> {
  const words = [home.binaries.postgres, '-D', home.data, '-p', String(home.port), ...home.flags];
  const child = spawn('/bin/sh', ['-c', KEEPER, 'sh', ...words], {
    ...home.account,
    cwd: home.folder,
    env: home.env,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  const isReady = new Promise<boolean>((resolve) => {
    child.stderr?.on('data', (text) => {
      said = (said + text).slice(-4_000);
      if (said.includes('ready to accept connections')) resolve(true);
      else if (said.includes('database system is shut down')) resolve(false);
    });
    child.once('error', () => resolve(false));
    child.once('close', () => resolve(false));
  });
  const timer = new AbortController();
  const late = sleep(START_MS, false, { signal: timer.signal }).catch(() => false);
  const ready = await Promise.race([isReady, late]);
  timer.abort();
  // Nobody waits for these; a test that ends must not.
  child.unref();
  (child.stdin as unknown as { unref?(): void }).unref?.();
  (child.stderr as unknown as { unref?(): void }).unref?.();
  if (ready) return child;
  child.stdin?.end('keep\n');
  throw new NoPostgres(`the server did not start: ${said.trim()}`);
}

/** At once, as a crash would. */
async function endServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.ref();
  child.stdin?.end('keep\n');
  await ended;
}

/** Starts one, or throws `NoPostgres` where this machine cannot. */
export async function startPostgres({ fsync = false }: PostgresServerOptions = {}): Promise<PostgresServer> {
  const account = chooseAccount();
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-postgres-'));
  try {
    const binaries = prepareBinaries(folder, account.uid !== undefined);
    if (binaries === undefined)
      throw new NoPostgres(`npm installed no Postgres for ${process.platform}-${process.arch}`);
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o700 });
    const password = randomBytes(12).toString('hex');
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, password, { mode: 0o600 });
    giveAll(folder, account);
    const env = { ...process.env, ...binaries.env, HOME: folder };
    const words = `-U ${USER} -A scram-sha-256 -E UTF8 --locale=C --no-sync --no-instructions`.split(' ');
    await runProgram(binaries.initdb, ['-D', data, `--pwfile=${passwordFile}`, ...words], { ...account, env });
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      shared_buffers: '64MB',
      fsync: fsync ? 'on' : 'off',
      full_page_writes: fsync ? 'on' : 'off',
      autovacuum: 'off',
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const address = { host: '127.0.0.1', user: USER, password };
    for (let tries = 1; ; tries++) {
      const port = await findFreePort();
      try {
        return await keepServer({ ...address, port, folder, data, account, binaries, env, flags });
      } catch (error) {
        // Somebody else may have taken the port since it was found free.
        if (tries === 3) throw error;
      }
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function keepServer(home: Home): Promise<PostgresServer> {
  const { host, port, user, password, folder } = home;
  let child = await launch(home);
  return {
    host,
    port,
    user,
    password,
    async restart(whileAway) {
      await endServer(child);
      try {
        await whileAway?.();
      } finally {
        child = await launch(home);
      }
    },
    async stop() {
      await endServer(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
