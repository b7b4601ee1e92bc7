import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { homedir, platform } from 'node:os';
import { join } from 'node:path';
import type { Terminal } from '../terminal.ts';

/** Where an agent keeps its sessions on this machine. */
interface Place {
  readonly agent: string;
  readonly root: string;
  /** On the path below the root. */
  readonly looksLike: RegExp;
  /** Folders below the root that may hold one. */
  readonly depth: number;
  /** How to get a file that can be read here, where what lies there cannot. */
  readonly readBy?: string;
}

export interface FoundSession {
  readonly file: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

export interface AgentSessions {
  readonly agent: string;
  readonly root: string;
  /** Newest first. */
  readonly sessions: readonly FoundSession[];
  readonly readBy?: string;
}

type Environment = Terminal['environment'];

const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];

const EXTENSIONS: readonly (readonly [agent: string, folder: string])[] = [
  ['Cline', 'saoudrizwan.claude-dev'],
  ['Roo Code', 'rooveterinaryinc.roo-cline'],
];

function listPlaces(environment: Environment, home: string): readonly Place[] {
  const at = (variable: string, ...usual: readonly string[]): string => environment[variable] || join(home, ...usual);
  const settings =
    platform() === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform() === 'win32'
        ? at('APPDATA', 'AppData', 'Roaming')
        : at('XDG_CONFIG_HOME', '.config');
  const data = at('XDG_DATA_HOME', '.local', 'share');
  const codex = at('CODEX_HOME', '.codex');
  const task = /^[^/]+\/api_conversation_history\.json$/;
  return [
    {
      agent: 'Claude Code',
      root: join(at('CLAUDE_CONFIG_DIR', '.claude'), 'projects'),
      looksLike: /^[^/]+\/(?!agent-)[^/]+\.jsonl$/,
      depth: 1,
    },
    { agent: 'Codex', root: join(codex, 'sessions'), looksLike: /(?:^|\/)rollout-[^/]+\.jsonl$/, depth: 3 },
    { agent: 'Codex', root: join(codex, 'archived_sessions'), looksLike: /(?:^|\/)rollout-[^/]+\.jsonl$/, depth: 3 },
    {
      agent: 'pi',
      root: join(at('PI_CODING_AGENT_DIR', '.pi', 'agent'), 'sessions'),
      looksLike: /^[^/]+\/[^/]+\.jsonl$/,
      depth: 1,
    },
    {
      agent: 'Gemini CLI',
      root: join(home, '.gemini', 'tmp'),
      looksLike: /^[^/]+\/chats\/session-[^/]+\.jsonl?$/,
      depth: 2,
    },
    {
      agent: 'Copilot CLI',
      root: join(at('COPILOT_HOME', '.copilot'), 'session-state'),
      looksLike: /^(?:[^/]+\/events|[^/]+)\.jsonl$/,
      depth: 1,
    },
    {
      agent: 'opencode',
      root: join(data, 'opencode'),
      looksLike: /^(?:opencode\.db|storage\/session\/[^/]+\/[^/]+\.json)$/,
      depth: 3,
      readBy: 'opencode export ID > session.json',
    },
    { agent: 'mini-swe-agent', root: join(settings, 'mini-swe-agent'), looksLike: /\.traj\.json$/, depth: 0 },
    ...EXTENSIONS.flatMap(([agent, folder]) =>
      EDITORS.map((editor) => ({
        agent,
        root: join(settings, editor, 'User', 'globalStorage', folder, 'tasks'),
        looksLike: task,
        depth: 1,
      })),
    ),
  ];
}

/** Sessions of agents that were used on this machine; agents without any are not among them. */
export async function findAgentSessions(environment: Environment, home = homedir()): Promise<readonly AgentSessions[]> {
  const found = await Promise.all(
    listPlaces(environment, home).map(async ({ agent, root, looksLike, depth, readBy }) => {
      const sessions = (await listFilesBelow(root, '', depth, looksLike)).sort((a, b) => b.modifiedAt - a.modifiedAt);
      return { agent, root, sessions, ...(readBy === undefined ? {} : { readBy }) };
    }),
  );
  return found.filter(({ sessions }) => sessions.length > 0);
}

/** A folder that is not there or may not be read holds nothing for us. */
async function listFilesBelow(root: string, below: string, depth: number, looksLike: RegExp): Promise<FoundSession[]> {
  const entries: readonly Dirent[] = await readdir(join(root, below), { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry): Promise<FoundSession[]> => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) return depth > 0 ? listFilesBelow(root, path, depth - 1, looksLike) : [];
      if (!entry.isFile() || !looksLike.test(path)) return [];
      const file = join(root, path);
      const about = await stat(file).catch(() => undefined);
      return about === undefined ? [] : [{ file, bytes: about.size, modifiedAt: about.mtimeMs }];
    }),
  );
  return found.flat();
}
