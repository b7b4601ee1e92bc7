import {
  budget,
  createSession,
  type JournalRecord,
  type Message,
  partText,
  plan,
  type Recall,
  type Stash,
} from '@palimpsest/core';
import { formatNumber } from '@palimpsest/terminal';
import { hidingEdits, isEdits } from './account.ts';
import type { Played, PlayOptions } from './play.ts';
import type { SampleSession } from './sample-session.ts';

/** A promise, and whether it was kept. */
export interface Proof {
  readonly rule: string;
  readonly kept: boolean;
}

/** The session as it lies on disk, read anew. */
export interface OnDisk {
  readonly records: readonly JournalRecord[];
  readonly stash: Pick<Stash, 'get'>;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Nothing is lost: shown on what the disk holds, not on the session that wrote it. */
export async function proofs(
  played: Played,
  disk: OnDisk,
  sample: SampleSession,
  options: PlayOptions,
): Promise<readonly Proof[]> {
  const { said, view } = played;
  const { signal: _signal, onNote: _onNote, onBeat: _onBeat, ...settings } = options;
  // A copy in memory: what is tried out on it does not reach the disk.
  const { system, tools, canRecall } = sample;
  const copy = createSession({ ...settings, system, tools, canRecall, records: disk.records });
  const edits = copy.ledger().entries.flatMap((entry) => (isEdits(entry) ? entry.edits : []));
  const byId = new Map(said.map((message) => [message.id, message]));
  const hidden = hidingEdits(edits);
  const found = hidden.filter((edit) => isRecalled(edit, copy.recall, said, byId));
  const saved = edits.flatMap((edit) =>
    edit.type === 'replace' && edit.stash !== undefined ? [{ edit, ref: edit.stash }] : [],
  );
  const stashed = await Promise.all(
    saved.map(
      async ({ edit, ref }) => (await disk.stash.get(ref)) === partText(byId.get(edit.message)!.parts[edit.part]!),
    ),
  );
  const before = await copy.view();
  return [
    {
      rule: `${formatNumber(found.length)} of ${formatNumber(hidden.length)} hidden things read back by reference, equal to what was said`,
      kept: found.length === hidden.length,
    },
    {
      rule: `${formatNumber(stashed.filter(Boolean).length)} of ${formatNumber(stashed.length)} stashed texts read back from their files, whole`,
      kept: stashed.every(Boolean),
    },
    { rule: 'opened again from disk: the same view, byte for byte', kept: isSame(before.messages, view.messages) },
    await proveUndo(copy, before.messages),
    proveAllUndone(copy, said),
  ];
}

function isRecalled(
  edit: ReturnType<typeof hidingEdits>[number],
  recall: Recall,
  said: readonly Message[],
  byId: ReadonlyMap<string, Message>,
): boolean {
  const { messages, text } = recall.read(edit.ref);
  if (edit.type === 'fold') {
    // A summary is read with all that it is about.
    const { from = edit.from, to = edit.to } = edit.summary ?? {};
    const ends = [from, to, edit.from, edit.to].map((id) => said.findIndex((message) => message.id === id));
    return isSame(messages.map(bareMessage), said.slice(Math.min(...ends), Math.max(...ends) + 1).map(bareMessage));
  }
  const original = byId.get(edit.message)!;
  const part = original.parts[edit.part]!;
  const piece =
    edit.type === 'replace' && edit.piece !== undefined && part.type === 'result'
      ? part.content[edit.piece]
      : undefined;
  return isSame(messages.map(bareMessage), [bareMessage(original)]) && text === partText(piece ?? part);
}

/** A message by what it says, whatever order its fields have. */
const bareMessage = ({ id, role, parts }: Message): unknown => [id, role, parts];

async function proveUndo(session: ReturnType<typeof createSession>, before: readonly Message[]): Promise<Proof> {
  const receipt = await session.compact();
  const between = (await session.view()).messages;
  if (receipt !== undefined) session.undo();
  const after = (await session.view()).messages;
  return {
    rule: 'compacted once more, then undone: the view as it was, byte for byte',
    kept: isSame(after, before) && !isSame(between, before),
  };
}

function proveAllUndone(session: ReturnType<typeof createSession>, said: readonly Message[]): Proof {
  const walks = session.receipts().length;
  for (let left = walks; left > 0; left--) session.undo();
  const wide = budget({ window: 1e9 });
  const { view } = plan(session.transcript(), session.ledger(), { budget: wide, layers: [] });
  return {
    rule: `all ${formatNumber(walks)} walks taken back: the transcript, ${formatNumber(view.length)} messages, word for word`,
    kept: isSame(view.map(bareMessage), said.map(bareMessage)),
  };
}
