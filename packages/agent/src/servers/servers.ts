import { estimateText, type Json } from '@palimpsest/core';
import { keepHead } from '@palimpsest/terminal';
import { explain } from '../agent-error.ts';
import { newTrustGate } from '../hooks/trust-gate.ts';
import { definitionOf, failure, type Tool, type ToolAnswer } from '../tools/tool.ts';
import type { Permission } from '../world/permission.ts';
import type { McpConnection } from './mcp-connection.ts';
import {
  commandLine,
  type ServerCommand,
  type ServerEvent,
  type ServerReport,
  type ServerState,
  type SettingsServers,
} from './server-settings.ts';
import { makeServerTools } from './server-tools.ts';

/** What servers bring to an agent, once. */
export interface Brought {
  readonly tools: readonly Tool[];
  /** What they say of themselves, for the system prompt. */
  readonly instructions: string;
}

/** The MCP servers of an agent. */
export interface Servers {
  /** Asks where it must, then starts all; the first time it answers with what they bring, later with nothing. */
  settle(signal: AbortSignal): Promise<Brought | undefined>;
  reports(): readonly ServerReport[];
  /** Ends all of them, and waits for it. */
  end(): Promise<void>;
}

interface ServersParts {
  readonly settings: readonly SettingsServers[];
  readonly root: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly permission: Permission;
  readonly emit: (event: ServerEvent) => void;
  /** Tokens that the definitions of all may take. */
  readonly room: () => number;
}

/** One server and how it stands. */
interface Seat {
  readonly name: string;
  readonly source: string;
  readonly server: ServerCommand;
  state: ServerState;
  connection?: McpConnection | undefined;
  starting?: Promise<McpConnection> | undefined;
  tools: readonly Tool[];
}

const INSTRUCTIONS_CHARS = 2_000;

export function newServers(parts: ServersParts): Servers {
  const { settings, permission, emit } = parts;
  const over = new AbortController();
  // A name that stands in two files is the later one's: the folder's.
  const seats = new Map<string, Seat>();
  for (const { servers, source } of settings)
    for (const [name, server] of Object.entries(servers))
      seats.set(name, { name, source, server, state: { type: 'waiting' }, tools: [] });
  const gates = settings.map((file) => ({ file, gate: gateOf(file, permission, emit) }));
  let brought: Promise<Brought> | undefined;
  let isTaken = false;

  const startAll = async (): Promise<Brought> => {
    const allowed = [...seats.values()].filter((seat) => {
      const mayRun = gates.some(({ file, gate }) => file.source === seat.source && gate.mayRun());
      if (!mayRun) seat.state = { type: 'refused', why: `nobody has trusted ${seat.source}` };
      return mayRun;
    });
    await Promise.all(allowed.map((seat) => connect(seat, parts, over.signal).catch(() => {})));
    return gatherTools(allowed, parts);
  };

  return {
    async settle(signal) {
      if (seats.size === 0 || isTaken) return undefined;
      for (const { gate } of gates) await gate.settle(signal);
      brought ??= startAll();
      const found = await untilAborted(brought, signal);
      isTaken = true;
      return found;
    },
    reports: () =>
      [...seats.values()].map(({ name, source, server, state, tools }) => ({
        name,
        source,
        command: commandLine(server),
        state,
        tools: tools.map((tool) => tool.name),
      })),
    async end() {
      over.abort(new DOMException('the agent ends', 'AbortError'));
      await Promise.all([...seats.values()].map(({ starting }) => starting?.catch(() => {})));
      await Promise.all([...seats.values()].map(({ connection }) => connection?.end()));
    },
  };
}

const gateOf = ({ servers, source, trust }: SettingsServers, permission: Permission, emit: ServersParts['emit']) =>
  newTrustGate({
    trust,
    permission,
    refused: (why) => emit({ type: 'servers-refused', source, why }),
    ask: {
      tool: 'MCP servers',
      noun: 'these, as they are now',
      what: Object.entries(servers)
        .map(([name, server]) => `${name}: ${commandLine(server)}${tellVariables(server)}`)
        .join('\n'),
      why: `${source} wants programs started`,
    },
  });

const tellVariables = ({ env = {} }: ServerCommand): string =>
  Object.keys(env).length === 0
    ? ''
    : ` (with ${Object.entries(env)
        .map(([name, value]) => `${name}=${value}`)
        .join(' ')})`;

/** One start at a time; whoever comes meanwhile waits for it. */
function connect(seat: Seat, { root, environment, emit }: ServersParts, signal: AbortSignal): Promise<McpConnection> {
  if (seat.connection?.isOpen() === true) return Promise.resolve(seat.connection);
  const fail = (why: string): void => {
    seat.state = { type: 'gone', why };
    emit({ type: 'server-failed', server: seat.name, why });
  };
  const start = async (): Promise<McpConnection> => {
    try {
      const env = fillVariables(seat.server.env ?? {}, environment);
      // Loaded where there is a server: all others start without it.
      const { connectServer } = await import('./mcp-connection.ts');
      const connection = await connectServer(seat.server, { cwd: root, env, signal, onEnd: fail });
      seat.connection = connection;
      seat.state = { type: 'ready', tools: connection.tools.length };
      return connection;
    } catch (error) {
      if (!signal.aborted) fail(explain(error));
      throw error;
    } finally {
      seat.starting = undefined;
    }
  };
  seat.starting ??= start();
  return seat.starting;
}

function fillVariables(
  env: Readonly<Record<string, string>>,
  environment: ServersParts['environment'],
): Record<string, string> {
  const fill = (value: string): string =>
    value.replace(/\$\{(\w+)\}/g, (_, name: string) => {
      const found = environment[name];
      if (found === undefined) throw new Error(`the variable ${name}, which its settings name, is not set`);
      return found;
    });
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]));
}

/** Tools of all that are ready, as far as there is room for their definitions; what is left out is said. */
function gatherTools(seats: readonly Seat[], parts: ServersParts): Brought {
  const { permission, emit, room } = parts;
  const tools: Tool[] = [];
  const instructions: string[] = [];
  let free = room();
  for (const seat of seats) {
    const { connection, name } = seat;
    if (connection === undefined) continue;
    const call = (tool: string, input: Json, signal: AbortSignal) => callServer(seat, parts, tool, input, signal);
    const made = makeServerTools(connection.tools, { server: name, permission, call });
    seat.tools = made.tools.filter((tool) => {
      const size = estimateText(JSON.stringify(definitionOf(tool)));
      const hasRoom = size <= free;
      if (hasRoom) free -= size;
      return hasRoom;
    });
    tools.push(...seat.tools);
    seat.state = { type: 'ready', tools: seat.tools.length };
    if (connection.instructions.trim() !== '')
      instructions.push(
        `The MCP server ${name} says of itself:\n${keepHead(connection.instructions, INSTRUCTIONS_CHARS)}`,
      );
    const missing = connection.tools.length - seat.tools.length;
    emit({
      type: 'server-ready',
      server: name,
      tools: seat.tools.length,
      ...(missing === 0 ? {} : { note: `${missing} left out: no room in the window, or no fit name or schema` }),
    });
  }
  return { tools, instructions: instructions.join('\n\n') };
}

/** A server that has ended is started again; one that cannot be is told of. */
async function callServer(
  seat: Seat,
  parts: ServersParts,
  tool: string,
  input: Json,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const say = (why: string): ToolAnswer => failure(`The MCP server ${seat.name} did not answer: ${why}.`);
  let connection: McpConnection;
  try {
    connection = await untilAborted(connect(seat, parts, signal), signal);
  } catch (error) {
    signal.throwIfAborted();
    return say(explain(error));
  }
  const answer = await connection.call(tool, input, signal);
  return answer.isError === true && !connection.isOpen() ? say(answer.text) : answer;
}

/** Waits no longer than the signal; what was begun goes on. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
