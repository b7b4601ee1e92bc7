import { stat } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import { oneLine } from '@palimpsest/terminal';
import { findClosest } from '../options/find-closest.ts';
import { openRecording } from '../recordings/open-recording.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { findAgentSessions } from './agent-sessions.ts';
import { openStore, storeFolder } from './store-folder.ts';

/** A session of ours by its id, or whatever another agent wrote by its file; a folder stands for the sessions in it. */
export type FoundSession =
  | { readonly type: 'own'; readonly id: string }
  | { readonly type: 'file'; readonly file: string };

type Candidate = FoundSession & { readonly modifiedAt: number };

type Where = Pick<Terminal, 'environment' | 'cwd'>;

/** To find a project, at most this many sessions are opened, the newest first. */
const MAX_OPENED = 60;

/** A session by path, by id or its beginning, or by the name of its project. */
export async function findSession(where: Where, named: string, dir?: string): Promise<FoundSession> {
  if ((await isThere(named)) || /[/\\]/.test(named)) return { type: 'file', file: named };
  const all = await listCandidates(where, dir);
  const exact = all.find((one) => idsOf(one).includes(named));
  if (exact !== undefined) return exact;
  const [only, ...others] = all.filter((one) => idsOf(one).some((id) => id.startsWith(named)));
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined)
    throw new UsageError(`${others.length + 1} sessions begin with ${JSON.stringify(named)}: write more of the id.`);
  const ofProject = await findNewest(all, (folder) => basename(folder) === named);
  if (ofProject !== undefined) return ofProject;
  const meant = findClosest(named, [...all.flatMap(idsOf), ...all.flatMap((one) => projectOf(one, named))]);
  throw new UsageError(
    `there is no session, project or file ${JSON.stringify(named)}, and none of ours in ${oneLine(storeFolder(where.environment, dir))}${meant === undefined ? '' : `; did you mean ${oneLine(meant)}?`}; palimpsest sessions lists them.`,
  );
}

/**
 * Without a name: the newest session of this folder, recordings and ours; else the newest on this machine. Ours do not say in which folder
 * they were.
 */
export async function findNewestSession(where: Where, dir?: string): Promise<FoundSession> {
  const all = await listCandidates(where, dir);
  const here = await findNewest(all, (folder) => folder === where.cwd, true);
  const newest = here ?? all[0];
  if (newest !== undefined) return newest;
  throw new UsageError('no session was found on this machine: name a file or a folder.');
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Newest first. */
async function listCandidates({ environment }: Where, dir: string | undefined): Promise<readonly Candidate[]> {
  const own = (await openStore(storeFolder(environment, dir)).list()).map(
    ({ id, modifiedAt }): Candidate => ({ type: 'own', id, modifiedAt }),
  );
  const recorded = (await findAgentSessions(environment))
    .filter(({ readBy }) => readBy === undefined)
    .flatMap(({ sessions }) => sessions.map(({ file, modifiedAt }): Candidate => ({ type: 'file', file, modifiedAt })));
  return [...own, ...recorded].sort((one, other) => other.modifiedAt - one.modifiedAt);
}

/** Some agents name the file after the session, others its folder; Codex puts the time in front of the id. */
function idsOf(one: Candidate): readonly string[] {
  if (one.type === 'own') return [one.id];
  const name = basename(one.file, extname(one.file));
  const uuid = name.match(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i)?.[0];
  return [name, ...(uuid === undefined ? [] : [uuid]), basename(dirname(one.file))];
}

/** Claude Code and pi name a project's folder after its whole path, with dashes; its end may be the name that is meant. */
const projectOf = (one: Candidate, named: string): readonly string[] =>
  one.type === 'own'
    ? []
    : [basename(dirname(one.file)).replace(/-+$/, '').split('-').slice(-named.split('-').length).join('-')];

/** The newest whose working folder is one that is wanted; sessions of ours may count for any folder. */
async function findNewest(
  all: readonly Candidate[],
  isWanted: (folder: string) => boolean,
  takesOwn = false,
): Promise<FoundSession | undefined> {
  let opened = 0;
  for (const one of all) {
    if (one.type === 'own') {
      if (takesOwn) return one;
      continue;
    }
    if (opened++ >= MAX_OPENED) return undefined;
    const recording = await openRecording(one.file).catch(() => undefined);
    if (recording?.cwd !== undefined && recording.messages.length > 0 && isWanted(recording.cwd)) return one;
  }
  return undefined;
}
