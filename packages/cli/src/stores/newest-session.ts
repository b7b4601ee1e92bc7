import { openRecording } from '../recordings/open-recording.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { findAgentSessions } from './agent-sessions.ts';

/** More sessions of other projects than these are not opened to find one of this. */
const MOST_LOOKED_AT = 60;

/** The newest session that an agent recorded while it worked in this folder; undefined where none is found. */
export async function findNewestSession(
  { environment, cwd }: Pick<Terminal, 'environment' | 'cwd'>,
  home?: string,
): Promise<string | undefined> {
  const agents = await findAgentSessions(environment, ...(home === undefined ? [] : [home]));
  const files = agents
    .filter(({ readBy }) => readBy === undefined)
    .flatMap(({ sessions }) => sessions)
    .sort((one, other) => other.modifiedAt - one.modifiedAt);
  for (const { file } of files.slice(0, MOST_LOOKED_AT)) {
    const recording = await openRecording(file).catch(() => undefined);
    if (recording?.cwd === cwd && recording.messages.length > 0) return file;
  }
  return undefined;
}

/** The same, where a command cannot do without one. */
export async function requireNewestSession(terminal: Pick<Terminal, 'environment' | 'cwd'>): Promise<string> {
  const file = await findNewestSession(terminal);
  if (file !== undefined) return file;
  throw new UsageError(
    'no session of an agent that worked in this folder was found: name a file or a folder; palimpsest sessions lists them.',
  );
}
