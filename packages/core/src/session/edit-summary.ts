import { makeMessage } from '../edits/fold-slots.ts';
import { CompactionError } from '../errors.ts';
import { isBlank } from '../json.ts';
import type { Edit, SummaryMark } from '../ledger/edit.ts';
import type { EditsEntry } from '../ledger/ledger.ts';
import type { ItemUpdate, RetiredItem, SummaryItem } from '../ledger/summary-item.ts';
import { type Message, partText, text } from '../message/message.ts';
import { isLeftOutNotice } from '../notices.ts';
import { toWellFormed } from '../text.ts';
import { listItems } from '../view/read-summary.ts';
import type { Receipt } from '../view/receipt.ts';
import { newReferences } from '../view/reference.ts';
import type { Slot } from '../view/slot.ts';
import { applyEdits } from '../view/slot-list.ts';
import { splitStatements } from '../view/split-statements.ts';
import { writeItems } from '../view/summary-items.ts';
import { measureRequest } from '../walk/look-at.ts';
import { commitWalk } from './make-view.ts';
import { measureNow, type SessionState } from './session-state.ts';
import type { SummaryAhead } from './summary-ahead.ts';

/** The layer that stands in the ledger for what the user did by hand. */
export const EDIT_LAYER = 'edit-summary';

/** What a summary's own words may take of the effective window; more leaves too little for the work. */
const MOST_SHARE = 0.25;

/**
 * Puts the user's words in the place of the summary's statements. It is an entry like any other: journalled, with a receipt,
 * taken back by undo. What code read off the transcript stays beside them, and the transcript is not touched.
 */
export async function editSummary(session: SessionState, ahead: SummaryAhead, said: string): Promise<Receipt> {
  const { view, budget, countText } = session;
  const slot = view.slots.findLast(({ summary }) => summary?.of === 'history');
  if (slot?.summary === undefined)
    throw new CompactionError(
      'no-summary',
      'the view shows no summary yet: there is nothing to edit. compact() makes one.',
    );
  const words = toWellFormed(said).trim();
  const [tokens, most] = [countText(words), Math.floor(budget.effective * MOST_SHARE)];
  if (tokens > most)
    throw new CompactionError(
      'bad-option',
      `editSummary(): the words have ${tokens} tokens; ${most} is the most that a summary's may have here.`,
    );
  ahead.stop();
  const entry = makeEntry(session, foldAgain(session, slot, slot.summary, words));
  const receipt = commitWalk(session, [entry]);
  await session.journal.saveAll();
  if (receipt === undefined) throw new CompactionError('no-summary', 'nothing was edited.');
  return receipt;
}

/** A fold of the same messages, with the new words; what stood behind the summary, such as carried files, stands there again. */
function foldAgain({ view }: SessionState, slot: Slot, mark: SummaryMark, words: string): readonly Edit[] {
  const refs = newReferences(view.gate, view.refs);
  const [from, to] = [view.base[slot.first]?.id ?? '', view.base[slot.last]?.id ?? ''];
  // The frame names references that stay good, so it stays as it is.
  const [frame = '', ...bodies] = slot.message.parts.map(partText);
  const evidence = mark.narrative === undefined ? bodies : bodies.slice(1);
  const made = makeMessage(refs(0), { from, to }, frame);
  const summary = rewordMark(mark, words, view.base.length - 1);
  const parts = [...(summary.narrative === undefined ? [] : [summary.narrative]), ...evidence].map(text);
  const message: Message = { ...made, parts: [...made.parts, ...parts] };
  const hides = { messages: 0, bytes: 0 };
  const behind = view.slots.filter(
    ({ inserted, first, last }) => inserted && first === slot.first && last === slot.last,
  );
  return [
    { type: 'fold', ref: refs(0), from, to, messages: [message], hides, summary },
    ...behind.map((one, i): Edit => ({ type: 'insert', ref: refs(i + 1), after: from, messages: [one.message] })),
  ];
}

/** What the summary says from now on, and what the ledger keeps of that. */
function rewordMark(mark: SummaryMark, words: string, place: number): SummaryMark {
  const { calls: _calls, usage: _usage, cost: _cost, failure: _failure, flagged: _flagged, ...others } = mark;
  const { narrative: before, ...kept } = others;
  const old = mark.items ?? listItems(before ?? '');
  const { items, retired, lastItem } = updateByHand(old, mark, words, place);
  // What was made of statements is shown as such; a whole text stays as it was written.
  const isMadeOfItems = before === undefined || omitNotice(before) === writeItems(mark.items ?? []);
  const narrative = isMadeOfItems ? writeItems(items, mark.left) : words;
  return {
    ...kept,
    by: 'user',
    ...(isBlank(narrative) ? {} : { narrative }),
    items,
    retired,
    aged: [],
    lastItem,
  };
}

const omitNotice = (narrative: string): string =>
  narrative
    .split('\n')
    .filter((line) => !isLeftOutNotice(line))
    .join('\n');

/** `[s4]` before a statement says which one it is. */
const NUMBER = /^\[s(\d{1,9})\]\s*/;

/** Statements that stand as they were keep number and places; those said differently keep their number; all that is new is the user's. */
function updateByHand(
  old: readonly SummaryItem[],
  { lastItem = 0 }: SummaryMark,
  words: string,
  used: number,
): Pick<ItemUpdate, 'items' | 'retired' | 'lastItem'> {
  let last = Math.max(lastItem, ...old.map(({ number }) => number));
  const waiting = new Set(old);
  const take = (item: SummaryItem | undefined): SummaryItem | undefined =>
    item !== undefined && waiting.delete(item) ? item : undefined;
  const items = splitStatements(words)
    .filter(({ text: said }) => !isLeftOutNotice(said))
    .map(({ section, text: said }): SummaryItem => {
      const [named, number] = NUMBER.exec(said) ?? [''];
      const body = said.slice(named.length);
      const known = take(
        old.find((item) => (number === undefined ? item.text === body : item.number === Number(number))),
      );
      if (known !== undefined && known.text === body && known.section === section) return known;
      return { number: known?.number ?? ++last, section, text: body, places: known?.places ?? [], by: 'user', used };
    });
  const retired = old.filter((item) => !items.includes(item)).map((item): RetiredItem => ({ item, places: [] }));
  return { items, retired, lastItem: last };
}

function makeEntry(session: SessionState, edits: readonly Edit[]): EditsEntry {
  const { view, overhead } = session;
  const list = applyEdits(view, view, edits);
  return {
    type: 'edits',
    walk: view.walks + 1,
    layer: EDIT_LAYER,
    trigger: 'manual',
    edits,
    tokensBefore: measureNow(session),
    tokensAfter: measureRequest(view, list, overhead.tokens),
    pressed: false,
    over: 0,
    declared: true,
    reason: 'edited by the user',
  };
}
