import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { FormatError, type Recording, readSession } from '@palimpsest/formats';
import { type Boundary, listBoundaries } from '@palimpsest/measure';
import type { Print } from './bench.ts';

/** Recorded sessions are no part of the project: the caller says where they are. */
export function readSessionsFolder(bench: string, args: readonly string[]): string {
  const { values } = parseArgs({ args: [...args], options: { sessions: { type: 'string' } } });
  if (values.sessions === undefined)
    throw new Error(`say where recorded sessions are: npm run bench -- ${bench} --sessions FOLDER`);
  return values.sessions;
}

/** Every recording below a folder, in the order of their names; what is no session is named and left out. */
export async function* readRecordings(folder: string, note: Print): AsyncGenerator<Recording> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /\.(?:jsonl?|traj)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) {
    const recording = readRecording(await readFile(file));
    if (recording instanceof FormatError) note(`left out: ${basename(file)}: ${recording.message.split('\n')[0]}`);
    else yield recording;
  }
}

function readRecording(source: Uint8Array): Recording | FormatError {
  try {
    return readSession(source);
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
}

/** The places where a recorded agent gave up its history for a summary. */
export const listSummaries = (recording: Recording): readonly Boundary[] =>
  listBoundaries(recording).filter(({ compaction: { type, summary } }) => type === 'summary' && summary !== undefined);
