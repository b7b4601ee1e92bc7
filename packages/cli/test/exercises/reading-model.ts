import { resultsOf, wordsOf } from '@palimpsest/core';
import type { Script } from '@palimpsest/sim';

/** A model by script, for the simulator: it reads the file that it is asked to read, and says that it has. */
export const readingModel: Script = ({ messages }) => {
  const last = messages.at(-1);
  if (last === undefined || resultsOf(last).length > 0) return { text: 'I have read it.' };
  const path = /^read (\S+)$/m.exec(wordsOf(last))?.[1];
  return path === undefined ? { text: 'Nothing is left to do.' } : { calls: [{ name: 'read_file', input: { path } }] };
};
