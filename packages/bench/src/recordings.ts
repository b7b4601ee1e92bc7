import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { FormatError, type Recording, readSession } from '@palimpsest/formats';
import { type Boundary, listBoundaries } from '@palimpsest/measure';
import { type Print, WrongArgs } from './bench.ts';

/** What `readCorpus` reads. */
export const CORPUS_OPTIONS = ['sessions', 'half'];

/** Recorded sessions are no part of the project: the caller says where they are. */
export function readCorpus(bench: string, args: readonly string[]): Corpus {
  const { values } = parseArgs({
    args: [...args],
    options: { sessions: { type: 'string' }, half: { type: 'string' } },
  });
  if (values.sessions === undefined)
    throw new WrongArgs(`Say where recorded sessions are: npm run bench -- ${bench} --sessions FOLDER.`);
  if (!existsSync(values.sessions)) throw new WrongArgs(`There is no folder ${values.sessions}.`);
  if (values.half !== undefined && values.half !== 'design' && values.half !== 'held-out')
    throw new WrongArgs('--half is "design" or "held-out".');
  return { folder: values.sessions, ...(values.half === undefined ? {} : { half: values.half }) };
}

/** Where recordings are, and which of their projects are wanted. */
export interface Corpus {
  readonly folder: string;
  /** What is designed by looking at recordings is tried on projects that were not looked at. */
  readonly half?: 'design' | 'held-out';
}

/** A recording and the project it is of. */
export interface FoundRecording {
  readonly recording: Recording;
  readonly project: string;
}

/** Files are called `owner-repository--session` where somebody collected them; else the folder that was worked in says it. */
const nameProject = (file: string, { cwd }: Recording): string => {
  const [name = '', session] = basename(file).split('--');
  return session === undefined ? (cwd ?? file) : name;
};

/** A project lies in one half for good: by its name's hash (FNV-1a), even is held out. */
export function findHalf(project: string): 'design' | 'held-out' {
  let hash = 0x811c9dc5;
  for (const char of project) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0) % 2 === 0 ? 'held-out' : 'design';
}

/** Every recording below a folder, in the order of their names; what is no session is named and left out. */
export async function* readRecordings({ folder, half }: Corpus, note: Print): AsyncGenerator<FoundRecording> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /\.(?:jsonl?|traj)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) {
    const recording = readRecording(await readFile(file));
    if (recording instanceof FormatError) note(`left out: ${basename(file)}: ${recording.message.split('\n')[0]}`);
    else {
      const project = nameProject(file, recording);
      if (half === undefined || findHalf(project) === half) yield { recording, project };
    }
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

/** The places where a recorded agent gave up its history for a summary; where the recording begins with one, nothing can be told. */
export const listSummaries = (recording: Recording): readonly Boundary[] =>
  listBoundaries(recording).filter(
    ({ compaction: { type, summary, hidden } }) => type === 'summary' && summary !== undefined && hidden.length > 0,
  );
