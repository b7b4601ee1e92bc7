import { newBriefMemo } from '../brief-memo.ts';
import type { Edit, SummaryMark } from '../ledger/edit.ts';
import type { EditsEntry, Trigger } from '../ledger/ledger.ts';
import { type CallPart, callsOf, type Message, type MessageId, type Part, partText } from '../message/message.ts';
import { bytesOfText } from '../size/estimate-message.ts';
import type { WalkEntries } from './record-entry.ts';
import type { ViewState } from './view-state.ts';

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
  /** Pinned messages that were cut or hidden all the same: they did not fit, or reasoning in them was bound to what changed. */
  readonly pinsBounded: readonly string[];
  /** Why it was done now. */
  readonly reason?: string;
  /** What a summary claimed and the transcript does not hold. */
  readonly flagged: readonly string[];
  /** Of the summary that was written, where one was. */
  readonly summary?: SummaryReceipt;
  /** The model was told to go on by itself (`autoContinue` of the preset, and no hook against it). */
  readonly goesOn?: true;
}

/** Who wrote a summary, what that took, and how it follows the one before. */
export interface SummaryReceipt
  extends Pick<SummaryMark, 'by' | 'calls' | 'usage' | 'cost' | 'failure' | 'recompaction'> {}

export interface Originals {
  /** What they are told from others by, without holding them. */
  readonly mark: symbol;
  readonly message: (id: string) => Message | undefined;
  /** The messages from one id to another, both included. */
  readonly span: (from: string, to: string) => readonly Message[];
  readonly callOf: (id: string, callId: string) => CallPart | undefined;
  readonly isPinned: (id: string) => boolean;
  readonly hasPins: () => boolean;
}

export function originalsOf(state: ViewState): Originals {
  /** The calls of the message that was asked for last: results of one message ask one after the other. */
  let known: { readonly message: Message; readonly calls: ReadonlyMap<string, CallPart> } | undefined;
  return {
    mark: Symbol('originals'),
    message: (id) => state.base[state.places.get(id) ?? -1],
    span: (from, to) => state.base.slice(state.places.get(from) ?? 0, (state.places.get(to) ?? -1) + 1),
    callOf(id, callId) {
      let at = (state.places.get(id) ?? 0) - 1;
      while (at >= 0 && state.base[at]?.role !== 'assistant') at--;
      const message = state.base[at];
      if (message === undefined) return undefined;
      // Of two calls with one id the first counts.
      if (known?.message !== message)
        known = {
          message,
          calls: new Map(
            callsOf(message)
              .toReversed()
              .map((call) => [call.callId, call]),
          ),
        };
      return known.calls.get(callId);
    },
    isPinned: (id) => state.pins.has(id),
    hasPins: () => state.pins.size > 0,
  };
}

/** What a walk hid, by layer, kind and tool. */
export function receiptOf(entries: WalkEntries, originals: Originals): Receipt {
  const [first] = entries;
  const reason = entries.flatMap((entry) => entry.reason ?? []).join('; ');
  const ids = originals.hasPins()
    ? entries.flatMap((entry) => entry.edits.flatMap((edit) => touchedIds(edit, originals)))
    : [];
  return {
    walk: first.walk,
    trigger: first.trigger,
    tokensBefore: first.tokensBefore,
    tokensAfter: (entries.at(-1) ?? first).tokensAfter,
    declared: entries.some((entry) => entry.declared),
    lines: linesOf(entries, originals),
    pinsBounded: [...new Set(ids.filter(originals.isPinned))],
    flagged: entries.flatMap((entry) =>
      entry.edits.flatMap((edit) => (edit.type === 'fold' ? (edit.summary?.flagged ?? []) : [])),
    ),
    ...(reason === '' ? {} : { reason }),
    ...tellSummary(entries),
    ...(entries.some(tellsToGoOn) ? { goesOn: true } : {}),
  };
}

const tellsToGoOn = ({ edits }: EditsEntry): boolean =>
  edits.some(
    (edit) => edit.type === 'insert' && edit.messages.some(({ synthetic }) => synthetic === 'compaction_continue'),
  );

function tellSummary(entries: WalkEntries): Pick<Receipt, 'summary'> {
  const folds = entries.flatMap(({ edits }) => edits.filter((edit) => edit.type === 'fold'));
  const mark = folds.find(({ summary }) => summary?.of === 'history')?.summary;
  if (mark === undefined) return {};
  const { by, calls, usage, cost, failure, recompaction } = mark;
  return {
    summary: {
      by,
      ...(calls === undefined ? {} : { calls }),
      ...(usage === undefined ? {} : { usage: { ...usage } }),
      ...(cost === undefined ? {} : { cost }),
      ...(failure === undefined ? {} : { failure: { ...failure } }),
      ...(recompaction === undefined ? {} : { recompaction: { ...recompaction } }),
    },
  };
}

function linesOf(entries: WalkEntries, originals: Originals): readonly ReceiptLine[] {
  const lines = new Map<string, ReceiptLine & { count: number; bytes: number; refs: string[]; stashed: string[] }>();
  for (const { layer, edits } of entries)
    for (const edit of edits) {
      if (isTelling(edit)) continue;
      const { kind, call, count, bytes } = describeEdit(edit, originals);
      const tool = call?.tool;
      const key = `${layer}\n${kind}\n${tool ?? ''}`;
      const line = lines.get(key) ?? {
        layer,
        kind,
        ...(tool === undefined ? {} : { tool }),
        count: 0,
        bytes: 0,
        refs: [],
        stashed: [],
      };
      line.count += count;
      line.bytes += bytes;
      line.refs.push(edit.ref);
      if (edit.type === 'replace' && edit.stash !== undefined) line.stashed.push(edit.stash);
      lines.set(key, line);
    }
  return [...lines.values()];
}

/** What only tells the model of a compaction is no part of it. */
const isTelling = (edit: Edit): boolean =>
  edit.type === 'insert' && edit.messages.every(({ synthetic }) => synthetic === 'recall_told');

/** What an edit hides, and of what. */
export interface EditDescription {
  readonly kind: string;
  /** The call that it hides, or whose result. */
  readonly call?: CallPart | undefined;
  readonly count: number;
  readonly bytes: number;
  readonly from: MessageId;
  readonly to: MessageId;
}

/** What edits hide stands fast, and a receipt is made more than once: each is looked at once. */
const mostDescribed = 20_000;
const described = newBriefMemo<Edit, { readonly of: symbol; readonly told: EditDescription }>(mostDescribed);

/** One edit, as a receipt tells of it. */
export function describeEdit(edit: Edit, originals: Originals): EditDescription {
  const known = described.get(edit);
  if (known?.of === originals.mark) return known.told;
  const told = lookAtEdit(edit, originals);
  described.set(edit, { of: originals.mark, told });
  return told;
}

function lookAtEdit(edit: Edit, originals: Originals): EditDescription {
  if (edit.type === 'insert')
    return { kind: 'attachment', count: edit.messages.length, bytes: 0, from: edit.after, to: edit.after };
  if (edit.type === 'fold')
    return { kind: 'messages', count: edit.hides.messages, bytes: edit.hides.bytes, from: edit.from, to: edit.to };
  const place = { count: 1, from: edit.message, to: edit.message };
  const part: Part | undefined = originals.message(edit.message)?.parts[edit.part];
  if (part === undefined) return { kind: 'part', bytes: 0, ...place };
  const piece =
    edit.type === 'replace' && edit.piece !== undefined && part.type === 'result'
      ? part.content[edit.piece]
      : undefined;
  const hidden = piece ?? part;
  const bytes = hidden.type === 'media' ? (hidden.data?.length ?? 0) : measureText(hidden);
  const call =
    part.type === 'call' ? part : part.type === 'result' ? originals.callOf(edit.message, part.callId) : undefined;
  return { kind: hidden.type, call, bytes, ...place };
}

/** Parts are frozen, and a receipt is made more than once: each is measured once. */
const mostMeasured = 20_000;
const measured = newBriefMemo<Part, number>(mostMeasured);

function measureText(part: Part): number {
  const known = measured.get(part);
  if (known !== undefined) return known;
  const bytes = bytesOfText(partText(part));
  measured.set(part, bytes);
  return bytes;
}

const touchedIds = (edit: Edit, originals: Originals): readonly string[] =>
  edit.type === 'insert'
    ? []
    : edit.type !== 'fold'
      ? [edit.message]
      : originals
          .span(edit.from, edit.to)
          .map((message) => message.id)
          .filter((id) => !edit.messages.some((shown) => shown.id === id));
