import { makeMessage } from '../edits/fold-slots.ts';
import type { EditsEntry } from '../ledger/ledger.ts';
import { hookFrame } from '../notices.ts';
import { HOOK_LIMIT_MS, type Hooks } from '../summary/hooks.ts';
import { receiptOf } from '../view/receipt.ts';
import type { WalkEntries } from '../view/record-entry.ts';
import { newReferences } from '../view/reference.ts';
import { measureNow, noteEntry, type SessionState } from './session-state.ts';
import { waitInTime, wordsOfError } from './settle.ts';

/** What the host says after a summary stands behind everything else. A hook that fails is reported and not waited for. */
export async function hearAfterHook(session: SessionState, hooks: Hooks, entries: WalkEntries): Promise<void> {
  const last = session.view.slots.at(-1);
  try {
    const hear = async () => hooks.after?.({ receipt: receiptOf(entries, session.originals) });
    const answer = await waitInTime(hear(), session.ports.clock, HOOK_LIMIT_MS);
    const words = answer?.context;
    if (last === undefined || words === undefined || words.trim() === '' || session.view.gate.open.size > 0) return;
    const entry = insertWords(session, entries, last, words);
    if (entry !== undefined) noteEntry(session, entry);
  } catch (error) {
    session.emit({ type: 'need-failed', need: 'hooks', key: 'after', code: 'failed', why: wordsOfError(error) });
  }
}

function insertWords(
  session: SessionState,
  [first]: WalkEntries,
  last: { readonly first: number; readonly last: number },
  words: string,
): EditsEntry | undefined {
  const { view } = session;
  const [anchor, behind] = [view.base[last.last], view.base[last.first]];
  if (anchor === undefined || behind === undefined) return undefined;
  const ref = newReferences(view.gate, view.refs)(0);
  const made = makeMessage(ref, { from: anchor.id, to: anchor.id }, `${hookFrame}\n${words}`);
  const tokens = measureNow(session);
  return {
    ...first,
    layer: 'hooks',
    edits: [{ type: 'insert', ref, after: behind.id, messages: [{ ...made, origin: 'harness' }] }],
    tokensBefore: tokens,
    tokensAfter: tokens + view.count(made),
    pressed: false,
    over: 0,
    declared: false,
  };
}
