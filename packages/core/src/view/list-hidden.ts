import type { EditsEntry } from '../ledger/ledger.ts';
import type { MessageId } from '../message/message.ts';
import { toolTargets } from '../message/tool-kinds.ts';
import { describeEdit, type Originals } from './receipt.ts';
import { applyEdits, type SlotList } from './slot-list.ts';
import type { ViewState } from './view-state.ts';

/** One thing that a walk takes out of a view, and the reference that reads it back. */
export interface HiddenItem {
  readonly layer: string;
  /** `result`, `text`, `call`, `reasoning`, `media`, `messages` for whole spans, `attachment` for what comes in. */
  readonly kind: string;
  /** Whose result or call, and the files that the call was about. */
  readonly tool?: string;
  readonly targets: readonly string[];
  readonly ref: string;
  readonly from: MessageId;
  readonly to: MessageId;
  /** How many messages or parts. */
  readonly count: number;
  /** That the view has less of by it, beside what comes in its place; below 0 where more comes than goes. */
  readonly tokens: number;
}

/** Edit by edit, what the entries take out of a list of the view's and what that leaves. */
export function listHidden(
  view: ViewState,
  from: SlotList,
  entries: readonly EditsEntry[],
  originals: Originals,
): readonly HiddenItem[] {
  const items: HiddenItem[] = [];
  let list = from;
  for (const { layer, edits } of entries)
    for (const edit of edits) {
      const after = applyEdits(view, list, [edit]);
      const tokens = Math.round((list.sizes.tokens - after.sizes.tokens) * view.meter.ratio);
      const { kind, call, count, from: first, to } = describeEdit(edit, originals);
      const tool = call === undefined ? {} : { tool: call.tool };
      const targets = call === undefined ? [] : toolTargets(call.tool, call.input);
      items.push({ layer, kind, ...tool, targets, ref: edit.ref, from: first, to, count, tokens });
      list = after;
    }
  return items;
}
