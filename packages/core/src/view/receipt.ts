import type { Edit } from '../ledger/edit.ts';
import type { EditsEntry, Trigger } from '../ledger/ledger.ts';
import { callsOf, type Message, type Part, partText } from '../message/message.ts';
import { bytesOfText } from '../size/estimate-message.ts';
import type { Page } from './view-state.ts';

/** What one layer hid of one kind, and where it is. */
export interface ReceiptLine {
  readonly layer: string;
  /** `result`, `text`, `call`, `reasoning`, `media`, or `messages` for whole spans. */
  readonly kind: string;
  /** Whose results or calls. */
  readonly tool?: string;
  readonly count: number;
  /** Bytes of the originals. */
  readonly bytes: number;
  readonly refs: readonly string[];
  /** Where full texts were saved besides the transcript. */
  readonly stashed: readonly string[];
}

/** What a walk did: what went, and where it is. */
export interface Receipt {
  readonly walk: number;
  readonly trigger: Trigger;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** The cached prefix was changed. */
  readonly declared: boolean;
  readonly lines: readonly ReceiptLine[];
  /** Pinned messages that had to be cut or hidden all the same, since they did not fit. */
  readonly pinsBounded: readonly string[];
  /** Why it was done now. */
  readonly reason?: string;
  /** What a summary claimed and the transcript does not hold. */
  readonly flagged: readonly string[];
}

export interface Originals {
  readonly message: (id: string) => Message | undefined;
  /** The messages from one id to another, both included. */
  readonly span: (from: string, to: string) => readonly Message[];
  readonly toolOf: (id: string, callId: string) => string | undefined;
  readonly isPinned: (id: string) => boolean;
}

export const originalsOf = (page: Page): Originals => ({
  message: (id) => page.base[page.places.get(id) ?? -1],
  span: (from, to) => page.base.slice(page.places.get(from)!, page.places.get(to)! + 1),
  toolOf(id, callId) {
    for (let at = (page.places.get(id) ?? 0) - 1; at >= 0; at--) {
      const message = page.base[at]!;
      if (message.role === 'assistant') return callsOf(message).find((one) => one.callId === callId)?.tool;
    }
    return undefined;
  },
  isPinned: (id) => page.pins.has(id),
});

export function receiptOf(entries: readonly EditsEntry[], originals: Originals): Receipt | undefined {
  const first = entries[0];
  if (first === undefined) return undefined;
  const lines = new Map<string, ReceiptLine>();
  const pinsBounded = new Set<string>();
  for (const entry of entries) {
    for (const edit of entry.edits) {
      const { kind, tool, count, bytes } = hidBy(edit, originals);
      const key = `${entry.layer}\n${kind}\n${tool ?? ''}`;
      const line = lines.get(key);
      const stash = edit.type === 'replace' && edit.stash !== undefined ? [edit.stash] : [];
      lines.set(key, {
        layer: entry.layer,
        kind,
        ...(tool === undefined ? {} : { tool }),
        count: (line?.count ?? 0) + count,
        bytes: (line?.bytes ?? 0) + bytes,
        refs: [...(line?.refs ?? []), edit.ref],
        stashed: [...(line?.stashed ?? []), ...stash],
      });
      for (const id of touched(edit, originals)) if (originals.isPinned(id)) pinsBounded.add(id);
    }
  }
  const reason = entries.flatMap((entry) => entry.reason ?? []).join('; ');
  return {
    walk: first.walk,
    trigger: first.trigger,
    tokensBefore: first.tokensBefore,
    tokensAfter: entries.at(-1)!.tokensAfter,
    declared: entries.some((entry) => entry.declared),
    lines: [...lines.values()],
    pinsBounded: [...pinsBounded],
    flagged: entries.flatMap((entry) =>
      entry.edits.flatMap((edit) => (edit.type === 'fold' ? (edit.summary?.flagged ?? []) : [])),
    ),
    ...(reason === '' ? {} : { reason }),
  };
}

interface Hid {
  readonly kind: string;
  readonly tool?: string;
  readonly count: number;
  readonly bytes: number;
}

function hidBy(edit: Edit, originals: Originals): Hid {
  if (edit.type === 'insert') return { kind: 'attachment', count: edit.messages.length, bytes: 0 };
  if (edit.type === 'fold') {
    return { kind: 'messages', count: edit.hides.messages, bytes: edit.hides.bytes };
  }
  const part: Part | undefined = originals.message(edit.message)?.parts[edit.part];
  if (part === undefined) return { kind: 'part', count: 1, bytes: 0 };
  const piece =
    edit.type === 'replace' && edit.piece !== undefined && part.type === 'result'
      ? part.content[edit.piece]
      : undefined;
  const hidden = piece ?? part;
  const bytes = hidden.type === 'media' ? (hidden.data?.length ?? 0) : bytesOfText(partText(hidden));
  const tool =
    part.type === 'call' ? part.tool : part.type === 'result' ? originals.toolOf(edit.message, part.callId) : undefined;
  return { kind: hidden.type, ...(tool === undefined ? {} : { tool }), count: 1, bytes };
}

const touched = (edit: Edit, originals: Originals): readonly string[] =>
  edit.type === 'insert'
    ? []
    : edit.type !== 'fold'
      ? [edit.message]
      : originals
          .span(edit.from, edit.to)
          .map((message) => message.id)
          .filter((id) => !edit.messages.some((shown) => shown.id === id));
