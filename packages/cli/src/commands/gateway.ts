import { once } from 'node:events';
import type { Gateway } from '@palimpsest/gateway';
import { jsonText } from '@palimpsest/terminal';
import { Command } from 'commander';
import { codeOf } from '../files/system-failure.ts';
import { describeSettings } from '../gateway/describe-settings.ts';
import { addGatewayOptions, type GatewayFlags } from '../gateway/gateway-flags.ts';
import { GATEWAY_PORT } from '../gateway/gateway-port.ts';
import { requestText } from '../gateway/request-text.ts';
import { runGateway } from '../gateway/run-gateway.ts';
import { jsonOption, parsePort } from '../options/shared-options.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

interface OwnFlags extends GatewayFlags {
  readonly port?: number;
  readonly host?: string;
  readonly json?: true;
}

export const gatewayCommand = (terminal: Terminal): Command =>
  addGatewayOptions(
    new Command('gateway')
      .summary('put it in front of any agent: set a base URL, nothing else')
      .description('stand between agents and their providers, and keep every conversation inside its window')
      .option('--port <number>', `the port to listen on; 0 for any free one (default: ${GATEWAY_PORT})`, parsePort)
      .option(
        '--host <address>',
        'the address to listen on (default: 127.0.0.1); any other needs PALIMPSEST_GATEWAY_KEY',
      ),
  )
    .addOption(jsonOption().default(undefined))
    .addHelpText(
      'after',
      `
Requests go on as they came until something has to go, with the client's own key.
Without --store nothing is written down.
Environment: PALIMPSEST_UPSTREAM, PALIMPSEST_GATEWAY_KEY, PALIMPSEST_GATEWAY_SECRET.

Example:
  palimpsest gateway
  ANTHROPIC_BASE_URL=http://127.0.0.1:${GATEWAY_PORT} claude`,
    )
    .action((flags: OwnFlags) => run(terminal, flags));

async function run(terminal: Terminal, flags: OwnFlags): Promise<void> {
  const { print, signal } = terminal;
  const gateway = await listen(terminal, flags);
  const ended = new AbortController();
  process.once('SIGTERM', () => ended.abort());
  try {
    if (flags.json) print(jsonText({ type: 'started', url: gateway.url, inspect: gateway.inspectUrl }));
    else printStart(terminal, gateway, flags);
    const any = AbortSignal.any([signal, ended.signal]);
    if (!any.aborted) await once(any, 'abort');
  } finally {
    await gateway.close();
  }
}

async function listen(terminal: Terminal, { port, host, json, ...flags }: OwnFlags): Promise<Gateway> {
  const { print } = terminal;
  let chosen = GATEWAY_PORT;
  try {
    return await runGateway(terminal, flags, (stated) => {
      chosen = port ?? stated.port ?? GATEWAY_PORT;
      return {
        port: chosen,
        ...(host === undefined ? {} : { host }),
        onRequest: (line) => print(json ? jsonText({ type: 'request', ...line }) : requestText(line)),
      };
    });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EADDRINUSE')
      throw new Error(`port ${chosen} is in use: perhaps by a gateway (palimpsest doctor looks); name another one.`);
    if (code === 'EACCES') throw new Error(`no permission to listen on port ${chosen}: name one from 1024 on.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UsageError(`${host} is no address of this machine: name one that is, or 0.0.0.0 for all.`);
    throw error;
  }
}

function printStart({ print, paint, environment }: Terminal, { url, inspectUrl }: Gateway, flags: OwnFlags): void {
  print(paint.bold(url));
  print(paint.dim(describeSettings(environment, flags)));
  print();
  print(`Claude Code   ANTHROPIC_BASE_URL=${url} claude`);
  print(`OpenAI SDKs   OPENAI_BASE_URL=${url}/v1`);
  print(`Gemini CLI    GOOGLE_GEMINI_BASE_URL=${url} gemini`);
  print(`What it keeps ${inspectUrl}${inspectUrl.includes('?') ? '' : '?key=…'}`);
  print();
  print('One line for each request follows. Ctrl-C ends it.');
}
