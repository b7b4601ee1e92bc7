import { pick, roll, rollBelow } from '../random.ts';
import { diskFolder, type Folder, madeUpFolder } from './folder.ts';
import type { Script, SimCall, SimRequest } from './reply.ts';
import { createWorkshop, type Workshop } from './workshop.ts';

/** How long it works, and where. */
export interface ExplorerOptions {
  /** The same seed makes the same folder and the same calls. */
  readonly seed: number;
  /** Model calls until it says that it is done; without it, it never does. */
  readonly turns?: number;
  /** A folder on disk, in which it really edits; a made-up one in memory without it. */
  readonly dir?: string;
}

/** A model that works in a folder, and the tools a host runs for it. */
export interface Explorer extends Script, Workshop {
  readonly folder: Folder;
}

/** Of ten calls: four read, two search, the rest list, edit and run. */
const ACTIONS = ['read', 'read', 'read', 'read', 'grep', 'grep', 'list', 'edit', 'edit', 'run'] as const;
const TWO_CALLS = 0.15;
const SPEAKS = 0.6;

/** Looks through a folder call after call, the same way for the same seed, using only the tools it is offered. */
export function explorer({ seed, turns = Infinity, dir }: ExplorerOptions): Explorer {
  const folder = dir === undefined ? madeUpFolder(seed) : diskFolder(dir);
  const paths = folder.paths().filter((path) => folder.read(path) !== undefined);
  if (paths.length === 0) throw new RangeError('the folder holds no text file to explore');

  const makeCall = (turn: number, at: number, offered: readonly string[]): SimCall => {
    const key = [seed, turn, at] as const;
    const usable = ACTIONS.filter((action) => offered.includes(action));
    const path = pick(paths, ...key, 'path');
    switch (usable.length === 0 ? 'other' : pick(usable, ...key, 'action')) {
      case 'read':
        return { name: 'read', input: { path, offset: 1 + 40 * rollBelow(3, ...key, 'offset') } };
      case 'grep': {
        const words = (folder.read(path) ?? '').match(/[A-Za-z]{5,}/g) ?? ['export'];
        return { name: 'grep', input: { text: pick(words, ...key, 'word') } };
      }
      case 'list':
        return { name: 'list', input: { path: path.includes('/') ? path.slice(0, path.indexOf('/')) : '.' } };
      case 'edit': {
        const lines = (folder.read(path) ?? '').split('\n').filter((line) => line.trim().length > 12);
        const find = lines.length === 0 ? path : pick(lines, ...key, 'line');
        return { name: 'edit', input: { path, find, replace: `${find} // checked in step ${turn + 1}` } };
      }
      case 'run':
        return { name: 'run', input: { command: pick(['check', 'count', 'notes'], ...key, 'command') } };
      default:
        return { name: pick(offered, ...key, 'tool'), input: { path } };
    }
  };

  const script = (request: SimRequest) => {
    const { turn, tools } = request;
    if (turn >= turns || tools.length === 0)
      return { text: `Done: ${Math.min(turn, turns)} steps over ${paths.length} files.` };
    const calls = [makeCall(turn, 0, tools)];
    if (roll(seed, turn, 'two') < TWO_CALLS) calls.push(makeCall(turn, 1, tools));
    const target = String(calls[0]!.input.path ?? calls[0]!.input.text ?? calls[0]!.input.command);
    return {
      ...(roll(seed, turn, 'speaks') < SPEAKS ? { text: `Step ${turn + 1}: next I look at ${target}.` } : {}),
      thinking: `Step ${turn + 1}${turns === Infinity ? '' : ` of ${turns}`}. ${calls[0]!.name} ${target} tells whether the earlier finding still holds.`,
      calls,
    };
  };
  return Object.assign(script, { folder, ...createWorkshop(folder) });
}
