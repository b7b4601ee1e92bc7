import { CompactionError, type Message, type Session, type Usage } from '@palimpsest/core';
import { asFields } from '@palimpsest/core/json';
import { type Encoded, overflowedSilently } from '@palimpsest/wire';
import { type Conversation, newConversation, type Opened, type Reading, type Shown } from './conversation.ts';
import type { Answered, Conversations, KeepOptions, Kept, Refusal, Turn } from './keep-options.ts';

/** An evicted conversation costs a compaction anew when it comes back, and nothing else. */
const MOST_CONVERSATIONS = 64;

/** Where a provider states its window, one smaller body is enough; where it does not, each is a guess of half the size. */
const MOST_GUESSES = 3;

/** One that was just evicted may still be closing. */
const EVICTION_MS = 5_000;

/**
 * Sessions out of requests that each bring the whole history. Ids hash the running prefix, so the newest message's id
 * finds the conversation; one that was changed further up is another conversation.
 */
export function createConversations(options: KeepOptions): Conversations {
  const { window: stated, store, onSession = () => {}, ...rest } = options;
  if (typeof stated !== 'function') windowOf(stated, 'any model');
  const live = new Map<string, Conversation>();
  /** Windows that providers stated in refusals, by model: smaller than what we were told. */
  const learned = new Map<string, number>();

  function find(messages: readonly Message[]): Conversation | undefined {
    for (let n = messages.length; n > 0; n--) {
      const found = live.get(keyOf(messages, n));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Moves it to the end of the line of those that may be evicted. */
  function know(conversation: Conversation, messages: readonly Message[]): Conversation {
    live.delete(conversation.key);
    conversation.key = keyOf(messages, messages.length);
    live.set(conversation.key, conversation);
    const [oldest] = live.values();
    if (live.size > MOST_CONVERSATIONS) forget(oldest!);
    return conversation;
  }

  function forget(conversation: Conversation): void {
    if (live.get(conversation.key) === conversation) live.delete(conversation.key);
    conversation.close();
  }

  /** The stored conversation that these messages continue; branches of one beginning have numbers behind its name. */
  async function open(conversation: Conversation, messages: readonly Message[]): Promise<Opened | undefined> {
    if (store === undefined) return undefined;
    for (let n = 1; ; n++) {
      const name = n === 1 ? messages[0]!.id : `${messages[0]!.id}-${n}`;
      if ([...live.values()].some((other) => other !== conversation && other.name === name)) continue;
      conversation.name = name;
      const stored = await store.open(name, { waitMs: EVICTION_MS }).catch(ignoreLocked);
      if (stored === undefined) continue;
      const saved = stored.records.flatMap((record) => (record.type === 'message' ? [record.message.id] : []));
      if (saved.every((id, i) => id === messages[i]?.id)) return { ...stored, count: saved.length };
      await stored.journal.close();
    }
  }

  const begin = (messages: readonly Message[]): Conversation =>
    know(newConversation({ overflowTries: MOST_GUESSES, ...rest }, open, onSession), messages);

  function read<Body>(turn: Turn<Body>): Reading<Body> | undefined {
    const decoded = turn.format.decode(turn.body);
    const messages = decoded.messages.slice(decoded.from ?? decoded.boundary ?? 0);
    if (decoded.partial || messages.length === 0) return undefined;
    const told = windowOf(typeof stated === 'function' ? stated(turn.model) : stated, turn.model);
    const window = Math.min(told, learned.get(turn.model) ?? told);
    // A request for more output than the window holds is the provider's to answer.
    const maxOutput = turn.maxOutput !== undefined && turn.maxOutput < window ? turn.maxOutput : undefined;
    const limits = { ...decoded.limits, ...options.limits };
    return { turn, decoded, messages, terms: { window, maxOutput, rules: decoded.rules, limits } };
  }

  async function show<Body>(conversation: Conversation, reading: Reading<Body>): Promise<Shown<Body>> {
    try {
      return await conversation.show(reading);
    } catch (error) {
      // Half of what this request brought may be in: the next one begins anew. An abort leaves everything whole.
      if (reading.turn.signal?.aborted !== true) forget(conversation);
      throw error;
    }
  }

  return {
    async keep<Body>(turn: Turn<Body>): Promise<Kept<Body> | undefined> {
      const reading = read(turn);
      if (reading === undefined) return undefined;
      const { messages } = reading;
      const found = find(messages);
      let conversation = found === undefined ? begin(messages) : know(found, messages);
      const findNewest = (): Conversation | undefined => live.get(keyOf(messages, messages.length));
      let shown = await show(conversation, reading);
      let refusals = 0;

      async function refused(refusal: Refusal): Promise<Encoded<Body> | undefined> {
        const { maximum } = refusal;
        if (++refusals > (options.overflowTries ?? (maximum === undefined ? MOST_GUESSES : 1))) return undefined;
        if (maximum !== undefined && maximum < reading!.terms.window) learned.set(turn.model, maximum);
        try {
          if (findNewest() !== conversation) {
            // The conversation went on meanwhile, or was evicted: this request goes its own way.
            conversation = findNewest() ?? begin(messages);
            shown = await show(conversation, reading!);
          }
          shown = await conversation.shrink(reading!, shown, refusal);
          return shown.encoded;
        } catch (error) {
          if (error instanceof CompactionError && (error.code === 'cannot-reduce' || error.code === 'blocked'))
            return undefined;
          throw error;
        }
      }

      return {
        ...shown.encoded,
        session: shown.session,
        noteAnswer(reported) {
          // What is said about an older request does not describe the view that this session made since.
          if (findNewest() !== conversation) return;
          const { session } = shown;
          if (Object.keys(reported.usage).length > 0) session.observe(sumUsage(reported));
          if (isSilent(session, reported.usage)) void refused({}).catch(() => {});
        },
        shrinkBody: refused,
      };
    },
  };
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

/** Another process has a conversation with the same beginning: this one is a branch. */
function ignoreLocked(error: unknown): undefined {
  if (asFields(error).code !== 'locked') throw error;
}

const keyOf = (messages: readonly Message[], count: number): string => `${messages[0]!.id} ${messages[count - 1]!.id}`;

function windowOf(window: number | undefined, model: string): number {
  if (window !== undefined && Number.isFinite(window) && window > 0) return window;
  throw new CompactionError(
    'window-unknown',
    `the context window of ${model} is unknown. State it: palimpsest({ window: 200_000 }), or for several models ` +
      'palimpsest({ window: (model) => windows[model] }).',
  );
}
