import { makeMessage } from '../edits/fold-slots.ts';
import type { InsertEdit } from '../ledger/edit.ts';
import type { EditsEntry } from '../ledger/ledger.ts';
import { copyData } from '../message/copy-data.ts';
import { recallNotice } from '../notices.ts';
import type { Circumstances } from '../view/circumstances.ts';
import { newReferences } from '../view/reference.ts';
import { applyEdits, type SlotList } from '../view/slot-list.ts';
import type { ViewState } from '../view/view-state.ts';
import { findRecallTool } from './find-recall-tool.ts';
import { measureRequest } from './look-at.ts';
import type { Overhead } from './overhead.ts';
import { fitsBudget } from './pressure.ts';

/** What it is called in the ledger and in receipts. */
const LAYER = 'tell-recall';

/** A walk that was made, as far as it matters here. */
interface WalkMade {
  readonly view: SlotList;
  readonly tokens: number;
  readonly refs: number;
  readonly entries: readonly EditsEntry[];
}

/**
 * Where a walk changes what a model was shown, the model is told that, and by which tool it reads the rest: behind what was
 * folded, and once: as long as it stands in view it is not said again.
 */
export function tellRecall(
  state: ViewState,
  { view, tokens, refs, entries }: WalkMade,
  given: Circumstances,
): { readonly view: SlotList; readonly entry: EditsEntry } | undefined {
  const [first] = entries;
  if (given.recallTool === undefined || first === undefined) return undefined;
  // Behind the newest fold, so that the view ends with the request or the result; where nothing was folded, at the end.
  const folds = new Set(
    entries.flatMap(({ edits }) => edits.flatMap((edit) => (edit.type === 'fold' ? edit.ref : []))),
  );
  const place = view.slots.findLast(({ fold, inserted }) => inserted !== true && fold !== undefined && folds.has(fold));
  const shown = place ?? view.slots.at(-1);
  const [anchor, behind] = [state.base[shown?.first ?? -1], state.base[shown?.last ?? -1]];
  if (anchor === undefined || behind === undefined) return undefined;
  // A call in flight: its result must come first.
  if (state.gate.open.size > 0 || !entries.some(({ declared }) => declared) || isTold(view)) return undefined;
  const ref = newReferences(state.gate, refs)(0);
  const made = makeMessage(ref, { from: behind.id, to: behind.id }, recallNotice(given.recallTool));
  const messages = [{ ...made, synthetic: 'recall_told' as const }];
  const edit: InsertEdit = copyData({ type: 'insert', ref, after: anchor.id, messages }, 'an edit');
  const told = applyEdits(state, view, [edit]);
  const tokensAfter = measureRequest(state, told, given.overhead.tokens);
  // What a compaction freed must not go into saying that it was one.
  const room = Math.floor((first.tokensBefore - tokens) / 2);
  if (tokensAfter - tokens > room || !fitsBudget({ view: told, tokens: tokensAfter + 1, given })) return undefined;
  const entry: EditsEntry = {
    type: 'edits',
    walk: first.walk,
    layer: LAYER,
    trigger: first.trigger,
    edits: [edit],
    tokensBefore: tokens,
    tokensAfter,
    pressed: false,
    over: 0,
    declared: false,
  };
  return { view: told, entry };
}

const isTold = ({ slots }: SlotList): boolean => slots.some(({ message }) => message.synthetic === 'recall_told');

/** What a walk is to know of the model's means to read what is hidden: what the host says counts before what its tools tell. */
export function readRecall(
  { tools, canRecall }: Pick<Overhead, 'tools' | 'canRecall'>,
  stated?: string,
): Pick<Circumstances, 'recallTool' | 'canRecall'> {
  if (canRecall === false) return { recallTool: undefined, canRecall };
  const recallTool = stated ?? findRecallTool(tools);
  const isListed = typeof tools === 'object' && tools !== null;
  return { recallTool, canRecall: canRecall ?? (recallTool !== undefined || !isListed) };
}
