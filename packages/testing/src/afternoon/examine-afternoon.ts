import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createSession,
  type JournalRecord,
  type Message,
  partText,
  plan,
  resultsOf,
  type Session,
  wordsOf,
} from '@palimpsest/core';
import { isSameJson } from '@palimpsest/core/json';
import { fileStore, type Store } from '@palimpsest/store';
import type { Told } from './afternoon-agent.ts';

interface Places {
  readonly root: string;
  readonly home: string;
  readonly window: number;
}

/** What a look at the disk found missing, in words; nothing where all is there. */
export async function examineDisk(told: Told, { root, home, window }: Places): Promise<readonly string[]> {
  const store = fileStore({ dir: join(home, 'sessions') });
  const { records } = await store.read(told.id);
  const session = createSession({ window, records });
  return [
    ...missingWords(session, told),
    ...missingResults(session, told),
    ...missingEdits(root, told),
    ...missingReferences(session, told),
    ...wrongUndos(records, window),
    ...(await missingTasks(store, told)),
  ];
}

/** The view as it stands on disk. */
export async function viewOnDisk(told: Told, { home, window }: Places): Promise<readonly Message[]> {
  const { records } = await fileStore({ dir: join(home, 'sessions') }).read(told.id);
  return viewOf(createSession({ window, records }));
}

const viewOf = (session: Session): readonly Message[] =>
  plan(session.transcript(), session.ledger(), { budget: session.status().budget, layers: [], lenient: true }).view;

/** Each once and in order; one more may be on disk than was told. */
function missingWords(session: Session, { words }: Told): readonly string[] {
  const kept = session
    .transcript()
    .filter(({ origin }) => origin === 'human')
    .map((message) => message.parts.map(partText).join('\n'));
  const wrong = words.findIndex((one, i) => kept[i] !== one);
  if (wrong >= 0) return [`word ${wrong}: “${words[wrong]}” is “${kept[wrong]}” on disk`];
  return kept.length > words.length + 1 ? [`${kept.length - words.length} words on disk that nobody said`] : [];
}

function missingResults(session: Session, { results }: Told): readonly string[] {
  const kept = new Map(
    session
      .transcript()
      .flatMap(resultsOf)
      .map((part) => [part.callId, partText(part)]),
  );
  return [...results].flatMap(([id, text]) => (kept.get(id) === text ? [] : [`the result of ${id} is not there`]));
}

const missingEdits = (root: string, { values }: Told): readonly string[] =>
  [...values].flatMap(([file, value]) =>
    readFileSync(join(root, file), 'utf8').includes(`export const value = ${value};`)
      ? []
      : [`${file} is not ${value}`],
  );

/** Receipts that stand, and all that their references lead to; what was taken back stays so. */
function missingReferences(session: Session, { receipts, reverted }: Told): readonly string[] {
  const standing = new Map(session.receipts().map((receipt) => [receipt.walk, receipt]));
  return [...receipts].flatMap(([walk, receipt]) => {
    if (reverted.has(walk)) return standing.has(walk) ? [`walk ${walk} was taken back, and stands`] : [];
    if (!isSameJson(standing.get(walk)?.lines, receipt.lines)) return [`the receipt of walk ${walk} is another`];
    const refs = receipt.lines.flatMap((line) => line.refs);
    return refs.filter((ref) => !canRead(session, ref)).map((ref) => `${ref} of walk ${walk} cannot be read`);
  });
}

function canRead(session: Session, reference: string): boolean {
  try {
    return session.recall.read(reference).text !== '';
  } catch {
    return false;
  }
}

/** What stands behind an undo is the very view that the walk found, with what was said since. */
function wrongUndos(records: readonly JournalRecord[], window: number): readonly string[] {
  return records.flatMap((record, at) => {
    if (record.type !== 'entry' || record.entry.type !== 'revert') return [];
    const { walk } = record.entry;
    const begin = records.findIndex(
      (one) => one.type === 'entry' && one.entry.type === 'edits' && one.entry.walk === walk,
    );
    const messages = records.slice(begin, at).filter(({ type }) => type === 'message');
    const before = createSession({ window, records: [...records.slice(0, begin), ...messages] });
    const after = createSession({ window, records: records.slice(0, at + 1) });
    return isSameJson(viewOf(before), viewOf(after)) ? [] : [`the undo of walk ${walk} left another view`];
  });
}

async function missingTasks(store: Store, { tasks }: Told): Promise<readonly string[]> {
  const found: string[] = [];
  for (const id of tasks) {
    const kept = await store.read(id).catch(() => undefined);
    const hasWords = kept?.records.some((one) => one.type === 'message' && wordsOf(one.message).startsWith('sub '));
    if (hasWords !== true) found.push(`the session of the subagent ${id} is not there`);
  }
  return found;
}
