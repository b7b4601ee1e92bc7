import { cutWords, hookRoom } from '../edits/cut-words.ts';
import { makeMessage } from '../edits/fold-slots.ts';
import { CompactionError } from '../errors.ts';
import { isBlank } from '../json.ts';
import type { InsertEdit } from '../ledger/edit.ts';
import type { EditsEntry } from '../ledger/ledger.ts';
import { hookFrame } from '../notices.ts';
import { estimateFor } from '../size/meter.ts';
import { ANSWER_LIMIT_MS, awaitAnswer, codeOfError, wordsOfError } from '../summary/await-answer.ts';
import { receiptOf } from '../view/receipt.ts';
import { newReferences } from '../view/reference.ts';
import { applyEdits } from '../view/slot-list.ts';
import { measureRequest } from '../walk/look-at.ts';
import { fitsBudget } from '../walk/pressure.ts';
import { readAfter } from './read-answers.ts';
import { measureNow, noteEntry, type SessionState } from './session-state.ts';

/**
 * What the host says after a summary stands behind everything else, where there is room. A hook that fails is reported;
 * only an abort is thrown. The compaction stands in any case.
 */
export async function hearAfterHook(
  session: SessionState,
  [first, ...others]: readonly EditsEntry[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { hooks, clock } = session.ports;
  if (hooks?.after === undefined || first === undefined || ![first, ...others].some(isSummary)) return;
  const { owed, originals, emit } = session;
  const report = (code: string, why: string): void =>
    emit({ type: 'need-failed', need: 'hooks', key: 'after', code, why });
  try {
    if (owed.isOwedBy('after')) throw new CompactionError('busy', 'the hook has not answered an earlier call yet');
    const receipt = receiptOf([first, ...others], originals);
    const onLeft = (answer: Promise<unknown>): void => owed.note('after', answer);
    const hear = (left: AbortSignal) => hooks.after?.({ receipt, signal: left });
    const waiting = { clock, signal, onLeft, limitMs: ANSWER_LIMIT_MS };
    const { context = '' } = readAfter(await awaitAnswer<unknown>(hear, waiting));
    const problem = isBlank(context) ? undefined : insertWords(session, first, context);
    if (problem !== undefined) report('no-room', problem);
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    report(codeOfError(error), wordsOfError(error));
  }
}

const isSummary = ({ edits }: EditsEntry): boolean =>
  edits.some((edit) => edit.type === 'fold' && edit.summary?.of === 'history');

/** Less than this says nothing. */
const LEAST_WORDS = 16;

/** Puts a hook's words behind the view, cut to their room, or says why it cannot. */
function insertWords(session: SessionState, first: EditsEntry, words: string): string | undefined {
  const { view, budget, overhead, countText } = session;
  const last = view.slots.at(-1);
  const [anchor, behind] = [view.base[last?.last ?? -1], view.base[last?.first ?? -1]];
  if (anchor === undefined || behind === undefined) return 'there is nothing that the words could stand behind';
  if (view.gate.open.size > 0) return 'a call is in flight, and its result must come first';
  const tokens = measureNow(session);
  // Half of what is free below the trigger at most: the words must not bring the next compaction about.
  const free = Math.floor(estimateFor(view.meter, Math.max(0, budget.trigger - tokens)) / 2);
  const allowed = Math.min(hookRoom(budget), free);
  const shown = allowed < LEAST_WORDS ? '' : cutWords(words, allowed, countText);
  const ref = newReferences(view.gate, view.refs)(0);
  const made = makeMessage(ref, { from: anchor.id, to: anchor.id }, `${hookFrame}\n${shown}`);
  const edit: InsertEdit = { type: 'insert', ref, after: behind.id, messages: [{ ...made, origin: 'harness' }] };
  const list = applyEdits(view, view, [edit]);
  const tokensAfter = measureRequest(view, list, overhead.tokens);
  if (shown === '' || !fitsBudget({ view: list, tokens: tokensAfter + 1, given: { budget, overhead } }))
    return `the view has ${tokens} tokens in ${view.slots.length} messages, which leaves no room for more`;
  noteEntry(session, {
    ...first,
    layer: 'hooks',
    edits: [edit],
    tokensBefore: tokens,
    tokensAfter,
    pressed: false,
    over: 0,
    declared: false,
  });
  return undefined;
}
