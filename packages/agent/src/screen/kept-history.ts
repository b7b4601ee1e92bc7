import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asFields, asString, parseJson } from '@palimpsest/core/json';
import { newTypedHistory, type TypedHistory } from './typed-history.ts';

/** A file longer than this keeps its newest half. */
const MOST_LINES = 4_000;

/**
 * What was typed in this folder, over all sessions: `$PALIMPSEST_HOME/history.jsonl`, which only its owner reads. Where it
 * cannot be read or written the history is that of this session.
 */
export function openHistory(home: string, root: string): TypedHistory {
  const file = join(home, 'history.jsonl');
  const earlier = readLines(file);
  if (earlier.length > MOST_LINES) tryWrite(() => writeFileSync(file, joinLines(earlier.slice(-MOST_LINES / 2))));
  const own = earlier.map((line) => asFields(parseJson(line))).filter(({ folder }) => folder === root);
  return newTypedHistory(
    own.flatMap(({ text }) => asString(text) ?? []),
    (text) =>
      tryWrite(() => {
        mkdirSync(dirname(file), { recursive: true });
        appendFileSync(file, joinLines([JSON.stringify({ folder: root, text })]), { mode: 0o600 });
      }),
  );
}

const joinLines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

/** A history that cannot be kept is no reason to stop anybody's work. */
function tryWrite(write: () => void): void {
  try {
    write();
  } catch {
    // The disk may be full, or the folder somebody else's.
  }
}
