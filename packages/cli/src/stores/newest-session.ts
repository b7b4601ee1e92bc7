import { openRecording } from '../recordings/open-recording.ts';
import type { Terminal } from '../terminal.ts';
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
