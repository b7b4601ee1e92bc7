import {
  budget,
  createSession,
  type EditsEntry,
  type JournalRecord,
  type Message,
  partText,
  plan,
  type Recall,
  type Stash,
} from '@palimpsest/core';
import { hiding } from './account.ts';
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

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const count = (value: number): string => value.toLocaleString('en-US');

/** Nothing is lost: shown on what the disk holds, not on the session that wrote it. */
export async function proofs(
  played: Played,
  disk: OnDisk,
  sample: SampleSession,
  options: PlayOptions,
): Promise<readonly Proof[]> {
  const { said, view } = played;
  const { signal: _signal, onNote: _onNote, ...settings } = options;
  // A copy in memory: what is tried out on it does not reach the disk.
  const copy = createSession({ ...settings, system: sample.system, tools: sample.tools, records: disk.records });
  const edits = copy.ledger().entries.flatMap((entry) => (isEdits(entry) ? entry.edits : []));
  const byId = new Map(said.map((message) => [message.id, message]));
  const hidden = hiding(edits);
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
      rule: `${count(found.length)} of ${count(hidden.length)} hidden things read back by reference, equal to what was said`,
      kept: found.length === hidden.length,
    },
    {
      rule: `${count(stashed.filter(Boolean).length)} of ${count(stashed.length)} stashed texts read back from their files, whole`,
      kept: stashed.every(Boolean),
    },
    { rule: 'opened again from disk: the same view, byte for byte', kept: same(before.messages, view.messages) },
    await compactedAndUndone(copy, before.messages),
    allTakenBack(copy, said),
  ];
}

const isEdits = (entry: { readonly type: string }): entry is EditsEntry => entry.type === 'edits';

function isRecalled(
  edit: ReturnType<typeof hiding>[number],
  recall: Recall,
  said: readonly Message[],
  byId: ReadonlyMap<string, Message>,
): boolean {
  const { messages, text } = recall.read(edit.ref);
  if (edit.type === 'fold') {
    const ends = [edit.from, edit.to].map((id) => said.findIndex((message) => message.id === id));
    return same(messages.map(bare), said.slice(ends[0]!, ends[1]! + 1).map(bare));
  }
  const original = byId.get(edit.message)!;
  const part = original.parts[edit.part]!;
  const piece =
    edit.type === 'replace' && edit.piece !== undefined && part.type === 'result'
      ? part.content[edit.piece]
      : undefined;
  return same(messages.map(bare), [bare(original)]) && text === partText(piece ?? part);
}

/** A message by what it says, whatever order its fields have. */
const bare = ({ id, role, parts }: Message): unknown => [id, role, parts];

async function compactedAndUndone(
  session: ReturnType<typeof createSession>,
  before: readonly Message[],
): Promise<Proof> {
  const receipt = await session.compact();
  const between = (await session.view()).messages;
  if (receipt !== undefined) session.undo();
  const after = (await session.view()).messages;
  return {
    rule: 'compacted once more, then undone: the view as it was, byte for byte',
    kept: same(after, before) && !same(between, before),
  };
}

function allTakenBack(session: ReturnType<typeof createSession>, said: readonly Message[]): Proof {
  const walks = session.receipts().length;
  for (let left = walks; left > 0; left--) session.undo();
  const wide = budget({ window: 1e9 });
  const { view } = plan(session.transcript(), session.ledger(), { budget: wide, layers: [] });
  return {
    rule: `all ${count(walks)} walks taken back: the transcript, ${count(view.length)} messages, word for word`,
    kept: same(view.map(bare), said.map(bare)),
  };
}
