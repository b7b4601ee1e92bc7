import { CompactionError, type Session, type Usage } from '@palimpsest/core';
import { asFields } from '@palimpsest/core/json';
import { overflowedSilently } from '@palimpsest/wire';
import { claimConversation } from './claim-conversation.ts';
import type { Conversation } from './conversation.ts';
import { type ConversationsState, MOST_GUESSES } from './conversations-state.ts';
import { groupRecall } from './group-recall.ts';
import type { Answered, Fitted, GroupRecall, Kept, Refusal } from './keep-options.ts';
import { learnedKey, type Reading } from './reading.ts';
import type { Shown } from './show-turn.ts';
import type { AtHand } from './stored-groups.ts';

/** A turn under way: the conversation that it is part of, and the body that was sent last. */
interface KeptTurn<Body> {
  readonly reading: Reading<Body>;
  conversation: Conversation;
  shown: Shown<Body>;
  refusals: number;
  /** As many as there were when it began. */
  readonly forgets: number;
}

/** The body that goes in place of the host's, and what is to be told about how it went. */
export async function keepTurn<Body>(
  all: ConversationsState,
  reading: Reading<Body>,
  claimed: Conversation,
): Promise<Kept<Body>> {
  const { forgets } = all;
  const { conversation, opening, ...shown } = await showReading(all, claimed, reading);
  const kept: KeptTurn<Body> = { reading, conversation, shown, refusals: 0, forgets };
  const { session } = shown.own;
  return {
    ...shown.fitted,
    id: conversation.id,
    session,
    how: opening?.how ?? 'continued',
    ...(opening?.parent === undefined ? {} : { parent: opening.parent }),
    recall: recallIn(all, conversation, session),
    noteAnswer(reported) {
      noteAnswer(all, kept, reported);
      endTurn(all, kept);
    },
    release: () => endTurn(all, kept),
    shrinkBody: (refusal) => shrinkBody(all, kept, refusal),
  };
}

/** Behind a session the others of its group, the newest first: those at hand, and then those that only the store has. */
function recallIn({ live, groups }: ConversationsState, conversation: Conversation, session: Session): GroupRecall {
  const { owner } = conversation;
  if (owner.id === undefined) return groupRecall(session, () => []);
  const listOthers = (): readonly Conversation[] => live.listGroup(owner).filter((one) => one !== conversation);
  const nameOthers = (): AtHand =>
    new Map(listOthers().flatMap((one) => (one.name && one.session ? [[one.name, one.session] as const] : [])));
  return groupRecall(
    session,
    () => listOthers().flatMap((one) => one.session ?? []),
    () => groups.read(owner, conversation.name, nameOthers()),
  );
}

/** Unless the conversation went on meanwhile. */
function endTurn<Body>({ live }: ConversationsState, { conversation, reading }: KeptTurn<Body>): void {
  if (live.isNewest(conversation, reading)) conversation.leave();
}

async function showReading<Body>(all: ConversationsState, claimed: Conversation, reading: Reading<Body>) {
  try {
    return { conversation: claimed, ...(await showIn(all, claimed, reading)) };
  } catch (error) {
    if (!isTakenOver(error) || claimed.isForgotten || reading.turn.signal?.aborted === true) throw error;
    // Another process went on with it, and wrote down what it did.
    const conversation = claimConversation(all, reading, claimed.name);
    return { conversation, ...(await showIn(all, conversation, reading)) };
  }
}

async function showIn<Body>(all: ConversationsState, conversation: Conversation, reading: Reading<Body>) {
  try {
    const shown = await conversation.show(reading);
    all.live.weigh(conversation);
    return shown;
  } catch (error) {
    conversation.leave();
    // Half of what this request brought may be in: the next one begins anew. An abort leaves everything whole.
    if (reading.turn.signal?.aborted !== true) all.live.forget(conversation);
    throw error;
  }
}

/** As core says it: the journal failed, since the session is another writer's. */
const isTakenOver = (error: unknown): boolean => asFields(asFields(error).cause).code === 'conflict';

function noteAnswer<Body>(all: ConversationsState, kept: KeptTurn<Body>, reported: Answered): void {
  // What is said about an older request does not describe the view that this session made since.
  if (!all.live.isNewest(kept.conversation, kept.reading)) return;
  const { session } = kept.shown.own;
  if (Object.keys(reported.usage).length > 0) session.observe(sumUsage(reported));
  if (isSilent(session, reported.usage)) void shrinkBody(all, kept, {}).catch(() => {});
}

async function shrinkBody<Body>(
  all: ConversationsState,
  kept: KeptTurn<Body>,
  stated: Refusal,
): Promise<Fitted<Body> | undefined> {
  const { reading } = kept;
  if (isForgotten(all, kept)) return undefined;
  const { maximum: most, ...others } = stated;
  // What a provider does not know it sometimes states as 0.
  const maximum = most !== undefined && most >= 1 ? Math.floor(most) : undefined;
  const refusal: Refusal = maximum === undefined ? others : { ...others, maximum };
  // Guesses the session counts too; it is told of the last one that was refused, or it would take that for taken.
  const { overflowTries } = all.options;
  const mostRefusals = maximum === undefined ? (overflowTries ?? MOST_GUESSES) + 1 : (overflowTries ?? 1);
  if (++kept.refusals > mostRefusals) return undefined;
  if (maximum !== undefined && maximum < reading.terms.window)
    all.learned.set(learnedKey(reading.owner, reading.turn.model), maximum);
  try {
    await returnToNewest(all, kept);
    kept.shown = await kept.conversation.shrink(reading, kept.shown, refusal);
    return kept.shown.fitted;
  } catch (error) {
    if (error instanceof CompactionError && (error.code === 'cannot-reduce' || error.code === 'blocked'))
      return undefined;
    throw error;
  }
}

/** One that was evicted has no mark: then any forgetting since the turn began counts, or it would begin anew. */
function isForgotten<Body>({ live, forgets }: ConversationsState, kept: KeptTurn<Body>): boolean {
  const { conversation } = kept;
  return conversation.isForgotten || (live.findById(conversation.id) !== conversation && forgets !== kept.forgets);
}

/** Where the conversation went on meanwhile, or was evicted, the request goes its own way. */
async function returnToNewest<Body>(all: ConversationsState, kept: KeptTurn<Body>): Promise<void> {
  const { reading } = kept;
  if (all.live.isNewest(kept.conversation, reading)) return;
  const { conversation, ...shown } = await showReading(all, claimConversation(all, reading), reading);
  kept.conversation = conversation;
  kept.shown = shown;
}

/** What the provider itself cleared or compacted goes into the ledger beside the usage, which does not contain it. */
function sumUsage({ usage, appliedEdits = [], compaction }: Answered): Usage {
  const cleared = appliedEdits.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    ...usage,
    ...(cleared === 0 ? {} : { cleared }),
    ...(compaction === undefined ? {} : { compaction }),
  };
}

/** The estimate is no further below the truth. */
const MOST_TO_ESTIMATE = 1.5;

/** Some providers take more than the window holds and drop it without a word. A multiple is no size but a mistake. */
function isSilent(session: Session, usage: Usage): boolean {
  const { tokens, budget } = session.status();
  return (
    overflowedSilently(usage, Math.max(budget.window, tokens)) && !overflowedSilently(usage, tokens * MOST_TO_ESTIMATE)
  );
}
