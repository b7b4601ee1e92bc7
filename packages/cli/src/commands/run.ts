import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestLine } from '@palimpsest/gateway';
import { Command } from 'commander';
import { codeOf } from '../files/system-failure.ts';
import { CLIENTS, type Client, type ClientRun } from '../gateway/clients.ts';
import { describeSettings } from '../gateway/describe-settings.ts';
import { addGatewayOptions, type GatewayFlags } from '../gateway/gateway-flags.ts';
import { createRunAccount, type RunAccount } from '../gateway/run-account.ts';
import { type RunningGateway, runGateway } from '../gateway/run-gateway.ts';
import { quoteWord } from '../options/quote-word.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

interface RunFlags extends GatewayFlags {
  readonly quiet?: true;
}

export const runCommand = (terminal: Terminal, onEnd: (exitCode: number) => void): Command =>
  addGatewayOptions(
    new Command('run')
      .argument('<client>', `one of ${Object.keys(CLIENTS).join(', ')}`)
      .argument('[arguments...]', "the client's own")
      .summary('start an agent with a gateway in front of it, for this one run')
      .description('start a gateway on a free port and an agent that uses it; both end together'),
  )
    .option('--quiet', 'say nothing but what went wrong')
    .passThroughOptions()
    .addHelpText(
      'after',
      `
Nothing is written into the agent's settings. Options for the gateway stand before the
agent's name, all behind it is the agent's. The exit code is the agent's. One line on
stderr says at the start where the page of this run is, one at the end what was saved.

Example:
  palimpsest run --window 200000 claude -p "why is the build slow?"`,
    )
    .action(async (name: string, words: readonly string[], flags: RunFlags) => {
      const client = Object.hasOwn(CLIENTS, name) ? CLIENTS[name] : undefined;
      if (client === undefined)
        throw new UsageError(
          `there is no client ${JSON.stringify(name)}; there are ${Object.keys(CLIENTS).join(', ')}.`,
        );
      onEnd(await runClient(terminal, client, words, flags));
    });

async function runClient(
  terminal: Terminal,
  client: Client,
  words: readonly string[],
  { quiet, ...flags }: RunFlags,
): Promise<number> {
  const account = createRunAccount();
  const passed = new Map<string, number>();
  let crowded: string | undefined;
  const onRequest = (line: RequestLine): void => {
    account.add(line);
    crowded = line.crowded ?? crowded;
    if (line.passed !== undefined) passed.set(line.passed, (passed.get(line.passed) ?? 0) + 1);
  };
  const gateway = await runGateway(terminal, flags, () => ({ port: 0, onRequest }));
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-run-'));
  if (!quiet) terminal.complain(describeStart(terminal, client, flags, gateway));
  try {
    const run: ClientRun = { url: gateway.url, folder, environment: terminal.environment };
    for (const [name, text] of Object.entries(client.files?.(run) ?? {})) await writeFile(join(folder, name), text);
    const child = spawn(client.program, [...(client.words?.(run) ?? []), ...words], {
      stdio: 'inherit',
      env: { ...terminal.environment, ...client.environment(run) },
    });
    return await waitForEnd(child, client);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await gateway.close({ graceMs: 1_000 });
    // Not before: the screen is the client's until then.
    for (const [why, times] of passed)
      terminal.complain(
        `palimpsest: ${times === 1 ? '1 request went on as it' : `${times} requests went on as they`} came: ${why}`,
      );
    if (crowded !== undefined) terminal.complain(`palimpsest: ${crowded}; state a larger one (--window)`);
    if (!quiet) terminal.complain(`palimpsest: ${account.describe()}${await describePage(account, gateway)}`);
  }
}

const describeStart = (
  { environment }: Terminal,
  { name }: Client,
  flags: GatewayFlags,
  { inspectUrl }: RunningGateway,
): string =>
  `palimpsest: in front of ${name}, ${describeSettings(environment, flags)} · page: ${inspectUrl}${inspectUrl.includes('?') ? '' : '?key=…'}`;

/** Where the page of the run can be had when the gateway is gone. */
async function describePage({ newest }: RunAccount, { findSession }: RunningGateway): Promise<string> {
  if (newest === undefined) return '';
  const found = await findSession?.(newest.session, newest.tenant);
  if (found === undefined) return ' · its page ended with the run (--store keeps conversations)';
  return ` · page: palimpsest inspect ${quoteWord(found.id)} --dir ${quoteWord(found.folder)}`;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Signals are the client's to answer; a terminal sends its own to both. As shells say it, 128 and the number of the signal. */
async function waitForEnd(child: ChildProcess, { program, name }: Client): Promise<number> {
  const handlers = SIGNALS.map((signal) => {
    const handle = (): void => {
      if (signal !== 'SIGINT' || process.stdin.isTTY !== true) child.kill(signal);
    };
    process.on(signal, handle);
    return () => process.off(signal, handle);
  });
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (error) =>
        reject(
          codeOf(error) === 'ENOENT'
            ? new Error(`${name} is not installed here: there is no ${program} on the path.`)
            : error,
        ),
      );
      child.once('exit', (code, signal) =>
        resolve(code ?? 128 + (signal === null ? 0 : (constants.signals[signal] ?? 0))),
      );
    });
  } finally {
    for (const off of handlers) off();
  }
}
