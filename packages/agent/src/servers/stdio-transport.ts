import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { keepHead, keepTail, oneLine } from '@palimpsest/terminal';
import { killGroup } from '../tools/process-group.ts';
import { releaseGroup, spawnGuarded } from '../world/child-guard.ts';
import { commandLine, type ServerCommand } from './server-settings.ts';

/** One message at most. */
const LONGEST_LINE_BYTES = 10_000_000;
/** So much may come without anything having been asked meanwhile. */
const MOST_BYTES = 64_000_000;
const LAST_WORDS_CHARS = 300;
/** A server that is told to end has so long before it is ended, and once more. */
const GRACE_MS = 1_000;

export interface StdioTransport extends Transport {
  /** Why nothing comes any more, or what has come that was no message; empty where all is well. */
  trouble(): string;
}

/**
 * The SDK's own transport leaves the child in this process's group and its output without an end: here it has a group that
 * is ended as a whole, also when this process is killed, and what it may send is bounded.
 */
export function newStdioTransport(server: ServerCommand, cwd: string, env: Record<string, string>): StdioTransport {
  let child: ChildProcess | undefined;
  let errors = '';
  let nonsense: string | undefined;
  let end: string | undefined;
  const reader = newReader({
    onMessage: (message) => transport.onmessage?.(message),
    onNonsense(line) {
      nonsense ??= keepHead(line, 80);
    },
    giveUp(why) {
      end ??= why;
      if (child !== undefined) killGroup(child, 'SIGKILL');
    },
  });
  const transport: StdioTransport = {
    async start() {
      const started = startChild(server, cwd, env);
      child = started;
      started.stdout?.on('data', reader.hear).on('error', () => {});
      started.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
        errors = keepTail(errors + chunk, LAST_WORDS_CHARS);
      });
      started.stdin?.on('error', () => {});
      started.on('close', (code, signal) => {
        end ??= code === null ? `it was ended by ${signal}` : `it ended with exit code ${code}`;
        killGroup(started, 'SIGKILL');
        releaseGroup(started.pid);
        transport.onclose?.();
      });
      await once(started, 'spawn').catch((error: Error) => {
        end = `${commandLine(server)} could not be started: ${error.message}`;
        throw error;
      });
    },
    async send(message) {
      if (child?.stdin?.writable !== true) throw new Error(end ?? 'it does not listen any more');
      reader.expectAnswer();
      if (!child.stdin.write(serializeMessage(message))) await once(child.stdin, 'drain').catch(() => {});
    },
    async close() {
      if (child !== undefined) await endChild(child);
    },
    trouble() {
      const words = oneLine(errors.trim());
      const said = [
        end,
        nonsense === undefined ? undefined : `it printed what is no message: “${oneLine(nonsense)}”`,
        words === '' ? undefined : `its last words: ${words}`,
      ];
      return said.filter((one) => one !== undefined).join('; ');
    },
  };
  return transport;
}

function parseMessage(line: string): JSONRPCMessage | undefined {
  try {
    return deserializeMessage(line);
  } catch {
    return undefined;
  }
}

interface Reading {
  readonly onMessage: (message: JSONRPCMessage) => void;
  readonly onNonsense: (line: string) => void;
  readonly giveUp: (why: string) => void;
}

/** Reads messages line by line, so many and so long as a server may send them. */
function newReader({ onMessage, onNonsense, giveUp }: Reading) {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  let bytes = 0;
  const readLine = (line: string): void => {
    const message = parseMessage(line);
    if (message === undefined) onNonsense(line);
    else onMessage(message);
  };
  return {
    expectAnswer(): void {
      bytes = 0;
    },
    hear(chunk: Buffer): void {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) giveUp(`it sent more than ${MOST_BYTES / 1e6} MB that nobody had asked for`);
      const end = chunk.lastIndexOf('\n');
      if (end >= 0) {
        const lines = Buffer.concat([...begun, chunk.subarray(0, end)]).toString('utf8');
        begun = [];
        begunBytes = 0;
        for (const line of lines.split('\n')) readLine(line.replace(/\r$/, ''));
      }
      begun.push(chunk.subarray(end + 1));
      begunBytes += chunk.length - end - 1;
      if (begunBytes > LONGEST_LINE_BYTES) giveUp(`it sent a line of more than ${LONGEST_LINE_BYTES / 1e6} MB`);
    },
  };
}

const startChild = (server: ServerCommand, cwd: string, env: Record<string, string>): ChildProcess =>
  spawnGuarded([server.command, ...(server.args ?? [])], {
    cwd,
    env: { ...getDefaultEnvironment(), ...env },
    // `npx` is a script there.
    shell: process.platform === 'win32',
  });

/** As MCP asks for: no more input, then a signal, then one that cannot be ignored, to all that it started. */
async function endChild(child: ChildProcess): Promise<void> {
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  const wait = (): Promise<unknown> =>
    isOver()
      ? Promise.resolve()
      : Promise.race([once(child, 'exit'), new Promise((go) => setTimeout(go, GRACE_MS).unref())]);
  // Its number may be another's by now.
  if (isOver()) return;
  child.stdin?.end();
  await wait();
  killGroup(child, 'SIGTERM');
  await wait();
  killGroup(child, 'SIGKILL');
  child.stdout?.destroy();
  child.stderr?.destroy();
}
