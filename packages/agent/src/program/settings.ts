import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { CompactionError, type CompactionSettings, type Prices, parseCompactionSettings } from '@palimpsest/core';
import { isFields } from '@palimpsest/core/json';
import { z } from 'zod';
import { AgentError } from '../agent-error.ts';
import type { HookCommands } from '../hooks/command-hooks.ts';
import type { SettingsHooks, Trust } from '../hooks/trust-gate.ts';
import type { ServerCommand, SettingsServers } from '../servers/server-settings.ts';
import { fingerprintCommands, type TrustedFolders, trustedFolders } from '../world/trusted-folders.ts';

/** What the settings files say, taken together. */
export interface FoundSettings {
  readonly compaction: CompactionSettings;
  readonly summaryModel?: string;
  /** What a million tokens cost, in place of what is known of the model. */
  readonly prices?: Prices;
  readonly settingsHooks: readonly SettingsHooks[];
  readonly settingsServers: readonly SettingsServers[];
}

/** In the folder, and in the user's own. */
const PROJECT_FILE = '.palimpsest/settings.json';
const FILE = 'settings.json';

/** The folder's settings count before the user's own, key by key; hooks of both are heard, servers of both started. */
export async function readSettings(root: string, home: string): Promise<FoundSettings> {
  const [user, project] = await Promise.all([readFileSettings(join(home, FILE)), readProject(root, home)]);
  const summaryModel = project.summaryModel ?? user.summaryModel;
  const prices = project.prices ?? user.prices;
  const [own, theirs] = [join(home, FILE), PROJECT_FILE];
  return {
    compaction: mergeCompaction(user.compaction, project.compaction),
    ...(summaryModel === undefined ? {} : { summaryModel }),
    ...(prices === undefined ? {} : { prices }),
    settingsHooks: [
      ...(user.hooks === undefined ? [] : [{ commands: user.hooks, source: own }]),
      ...(project.hooks === undefined
        ? []
        : [{ commands: project.hooks, source: theirs, trust: trustHooks(root, home, project.hooks) }]),
    ],
    settingsServers: [
      ...(user.servers === undefined ? [] : [{ servers: user.servers, source: own }]),
      ...(project.servers === undefined
        ? []
        : [{ servers: project.servers, source: theirs, trust: trustServers(root, home, project.servers) }]),
    ],
  };
}

/** Whoever works in the folder above the user's own has one file for both: it is the user's. */
async function readProject(root: string, home: string): Promise<FileSettings> {
  const [there, own] = await Promise.all(
    [join(root, PROJECT_FILE), join(home, FILE)].map((file) => realpath(file).catch(() => file)),
  );
  return there === own ? NONE : readFileSettings(join(root, PROJECT_FILE));
}

const trustHooks = (root: string, home: string, hooks: HookCommands): Trust => {
  const commands = Object.values(hooks).flatMap((list) => list.map(({ command }) => command));
  return newTrust(root, trustedFolders(home, 'trusted-hooks.json'), commands, JSON.stringify(hooks));
};

const trustServers = (root: string, home: string, servers: Servers): Trust => {
  const commands = Object.values(servers).flatMap(({ command, args = [] }) => [command, ...args]);
  return newTrust(root, trustedFolders(home, 'trusted-servers.json'), commands, JSON.stringify(servers));
};

const newTrust = (root: string, folders: TrustedFolders, commands: readonly string[], shape: string): Trust => {
  const fingerprint = (): Promise<string> => fingerprintCommands(root, commands, shape);
  return {
    isGiven: async () => folders.isTrusted(root, await fingerprint()),
    remember: async () => folders.remember(root, await fingerprint()),
  };
};

interface FileSettings {
  readonly compaction: CompactionSettings;
  readonly summaryModel?: string | undefined;
  readonly prices?: Prices | undefined;
  readonly hooks?: HookCommands | undefined;
  readonly servers?: Servers | undefined;
}

type Servers = Readonly<Record<string, ServerCommand>>;

const NONE: FileSettings = { compaction: {} };

/** Another preset has layers of its own: what was said about those of the first is not for it. */
function mergeCompaction(user: CompactionSettings, project: CompactionSettings): CompactionSettings {
  const isSame = project.preset === undefined || project.preset === (user.preset ?? 'default');
  const layers = { ...(isSame ? user.layers : {}), ...project.layers };
  return { ...user, ...project, ...(Object.keys(layers).length === 0 ? {} : { layers }) };
}

const commandList = z
  .array(
    z.strictObject({
      command: z.string().min(1),
      tools: z.array(z.string().min(1)).optional(),
      timeoutSeconds: z.number().positive().max(60).optional(),
    }),
  )
  .min(1)
  .optional();

const price = z.number().nonnegative();

const schema = z.strictObject({
  compaction: z.looseObject({}).optional(),
  summaryModel: z.string().min(1).optional(),
  prices: z.strictObject({ input: price, output: price, cacheRead: price, cacheWrite: price }).optional(),
  hooks: z
    .strictObject({
      beforeTool: commandList,
      afterTool: commandList,
      beforeCompaction: commandList,
      afterCompaction: commandList,
    })
    .optional(),
  mcpServers: z
    .record(
      z.string().regex(/^[\w-]{1,32}$/),
      z.strictObject({
        type: z.literal('stdio').optional(),
        command: z.string().min(1),
        args: z.array(z.string()).optional(),
        env: z.record(z.string(), z.string()).optional(),
        timeoutSeconds: z.number().positive().max(600).optional(),
      }),
    )
    .optional(),
});

/** What to write, by the name that stands last in a path. */
const WORDS: Readonly<Record<string, string>> = {
  compaction: 'an object such as { "preset": "s08" }',
  summaryModel: 'the name of a model, such as "claude-haiku-4-5" or "NAME@64000" with its window',
  prices: 'an object of input, output, cacheRead and cacheWrite, each in money a million tokens',
  input: 'a price of 0 or more, in money a million tokens',
  output: 'a price of 0 or more, in money a million tokens',
  cacheRead: 'a price of 0 or more, in money a million tokens',
  cacheWrite: 'a price of 0 or more, in money a million tokens',
  hooks: 'an object of beforeTool, afterTool, beforeCompaction and afterCompaction',
  command: 'a command, as text',
  tools: 'a list of tool names',
  timeoutSeconds: 'a number of seconds, 60 at most for a hook and 600 for a server',
  mcpServers: 'an object such as { "name": { "command": "npx", "args": ["-y", "server"] } }',
  type: '"stdio": servers are started here, not called over a network',
  args: 'a list of texts',
  env: 'an object of texts',
};
const LIST = 'a list of { "command": "…" }';
const SERVER = 'an object such as { "command": "npx", "args": ["-y", "server"] }';

async function readFileSettings(file: string): Promise<FileSettings> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw badSettings(file, `cannot be read: ${error.message}`);
  });
  return text === undefined ? NONE : checkSettings(file, parseSettings(file, text));
}

function parseSettings(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badSettings(file, `is no JSON (${(error as Error).message})`);
  }
}

function checkSettings(file: string, value: unknown): FileSettings {
  if (!isFields(value)) throw badSettings(file, 'must hold an object such as { "compaction": { "preset": "s08" } }');
  const read = schema.safeParse(value);
  if (!read.success) throw badSettings(file, `: ${read.error.issues.map(describeIssue).join('; ')}`);
  const { compaction = {}, summaryModel, prices, hooks, mcpServers } = read.data;
  try {
    parseCompactionSettings(compaction);
  } catch (error) {
    if (!(error instanceof CompactionError)) throw error;
    throw badSettings(file, `, "compaction": ${error.message.replace(/[.\s]+$/, '')}`);
  }
  return {
    compaction: compaction as CompactionSettings,
    summaryModel,
    prices,
    hooks: hooks as HookCommands | undefined,
    servers: mcpServers as Servers | undefined,
  };
}

const KEYS: Readonly<Record<string, readonly string[]>> = {
  hooks: ['beforeTool', 'afterTool', 'beforeCompaction', 'afterCompaction'],
  prices: ['input', 'output', 'cacheRead', 'cacheWrite'],
};

/** The keys of what lies deeper: of a hook's command, of a server. */
const INNER_KEYS: Readonly<Record<string, readonly string[]>> = {
  hooks: ['command', 'tools', 'timeoutSeconds'],
  mcpServers: ['type', 'command', 'args', 'env', 'timeoutSeconds'],
};

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String);
  const [first = ''] = path;
  const place = path.map((key, i) => (/^\d+$/.test(key) ? `[${key}]` : `${i === 0 ? '' : '.'}${key}`)).join('');
  if (issue.code === 'unrecognized_keys') {
    const known = path.length === 0 ? Object.keys(schema.shape) : (path.length === 1 ? KEYS : INNER_KEYS)[first];
    const keys = issue.keys.map((key) => `"${place === '' ? '' : `${place}.`}${key}"`).join(', ');
    return `${keys} is not known; there are ${(known ?? []).join(', ')}`;
  }
  if (issue.code === 'invalid_key') return `"${place}" must be a name of letters, digits, - and _, 32 at most`;
  if (first === 'mcpServers' && path[2] === 'env' && path.length === 4) return `"${place}" must be a text`;
  const name = path.findLast((key) => !/^\d+$/.test(key)) ?? '';
  return `"${place}" must be ${WORDS[name] ?? (first === 'mcpServers' ? SERVER : LIST)}`;
}

const badSettings = (file: string, problem: string): AgentError =>
  new AgentError(
    'bad-option',
    `${file}${/^[:,]/.test(problem) ? '' : ' '}${problem}. Mend it or remove it; nothing was begun.`,
  );
