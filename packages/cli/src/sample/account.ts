import type { Edit, EditsEntry, Layer, MessageId } from '@palimpsest/core';
import type { Played } from './play.ts';

/** Things of one sort that a layer hid. */
export interface Hidden {
  readonly kind: string;
  readonly tool?: string;
  readonly count: number;
}

/** What one layer did in a whole session. */
export interface LayerAccount {
  readonly layer: string;
  readonly acted: number;
  readonly tokensFreed: number;
  /** The view as the layer met it and as it left it, on average. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly hidden: readonly Hidden[];
  /** What it put into the view: files taken across, for instance. */
  readonly added: number;
  readonly refs: readonly string[];
  readonly stashed: readonly string[];
}

export const isEdits = (entry: { readonly type: string }): entry is EditsEntry => entry.type === 'edits';

/** One account a layer, in the order of the preset. */
export function accounts({ session, said }: Played, layers: readonly Layer[]): readonly LayerAccount[] {
  const entries = session.ledger().entries.filter(isEdits);
  const places = new Map(said.map((message, i) => [message.id, i]));
  const folded = countFolded(entries, places);
  const lines = session.receipts().flatMap((receipt) => receipt.lines);
  return layers.map(({ name }) => {
    const own = entries.filter((entry) => entry.layer === name);
    const edits = own.flatMap((entry) => entry.edits);
    const mean = (size: (entry: EditsEntry) => number): number =>
      own.length === 0 ? 0 : Math.round(own.reduce((sum, entry) => sum + size(entry), 0) / own.length);
    const parts = lines.filter((line) => line.layer === name && line.kind !== 'messages' && line.kind !== 'attachment');
    const messages = edits.reduce((sum, edit) => sum + (folded.get(edit.ref) ?? 0), 0);
    return {
      layer: name,
      acted: own.length,
      tokensFreed: own.reduce((sum, entry) => sum + entry.tokensBefore - entry.tokensAfter, 0),
      tokensBefore: mean((entry) => entry.tokensBefore),
      tokensAfter: mean((entry) => entry.tokensAfter),
      hidden: sumHidden([...parts, ...(messages === 0 ? [] : [{ kind: 'message', count: messages }])]),
      added: edits.filter((edit) => edit.type === 'insert').length,
      refs: hidingEdits(edits).map((edit) => edit.ref),
      stashed: [...new Set(edits.flatMap((edit) => (edit.type === 'replace' ? (edit.stash ?? []) : [])))],
    };
  });
}

/** Edits that hide something; the others put something in. */
export const hidingEdits = (edits: readonly Edit[]): readonly Exclude<Edit, { type: 'insert' }>[] =>
  edits.filter((edit) => edit.type !== 'insert');

/** How many messages each fold hid that were not in an earlier fold: a later one often takes earlier ones in. */
function countFolded(
  entries: readonly EditsEntry[],
  places: ReadonlyMap<MessageId, number>,
): ReadonlyMap<string, number> {
  const gone = new Set<number>();
  const counts = new Map<string, number>();
  for (const edit of entries.flatMap((entry) => entry.edits)) {
    if (edit.type !== 'fold') continue;
    const before = gone.size;
    const kept = new Set(edit.messages.map((message) => places.get(message.id)));
    for (let at = places.get(edit.from)!; at <= places.get(edit.to)!; at++) if (!kept.has(at)) gone.add(at);
    counts.set(edit.ref, gone.size - before);
  }
  return counts;
}

function sumHidden(hidden: readonly Hidden[]): readonly Hidden[] {
  const sums = new Map<string, Hidden>();
  for (const { kind, tool, count } of hidden) {
    const key = `${kind} ${tool ?? ''}`;
    sums.set(key, { kind, ...(tool === undefined ? {} : { tool }), count: (sums.get(key)?.count ?? 0) + count });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count);
}
