import { callsOf, type Message, partText } from '@palimpsest/core';
import { asFields, asString, type Fields, parseJson } from '@palimpsest/core/json';
import type { Incoming } from '../api/api.ts';

/** Which conversation a request belongs to, among those of one key: clients name them in no common way, and many not at all. */
export interface Conversations {
  /** By the calls in it, by its history, by first words that a compaction carries on; else it is a new one. */
  find(group: string, messages: readonly Message[]): string;
  /** Calls that it was answered with: the vendors' ids of them, without their prefix. */
  noteCalls(group: string, conversation: string, ids: readonly string[]): void;
  /** Its client asked for a summary: the next request without a trace of an earlier one goes on with it. */
  noteSummary(group: string, conversation: string): void;
}

/** Shorter first words stand in too many texts to be a trace. */
const LEAST_TRACE_CHARS = 20;

/** Of the ids that the simulator gives, what is the same under every prefix. */
const CALL_ID_CHARS = 24;

/** A conversation that began with certain words, and how many messages its newest request had. */
interface Begun {
  readonly conversation: string;
  readonly length: number;
}

/** `isAnswered`: whether a conversation has received an answer. */
export function createConversations(isAnswered: (conversation: string) => boolean): Conversations {
  const byCall = new Map<string, string>();
  const openings = new Map<string, Map<string, Begun[]>>();
  const summarized = new Map<string, string>();
  let made = 0;

  const findByCall = (group: string, messages: readonly Message[]): string | undefined => {
    for (const { callId } of messages.flatMap(callsOf).reverse()) {
      const known = byCall.get(`${group}\0${callId.slice(-CALL_ID_CHARS)}`);
      if (known !== undefined) return known;
    }
    return undefined;
  };

  /** Of several that began alike, the one that this history is the shortest continuation of. Without an answer in it, one that has none. */
  const findByHistory = (begun: readonly Begun[], messages: readonly Message[]): string | undefined => {
    const isFirst = !messages.some(({ role }) => role === 'assistant');
    if (isFirst) return begun.findLast(({ conversation }) => !isAnswered(conversation))?.conversation;
    const shorter = begun.filter(({ length }) => length <= messages.length);
    const longest = Math.max(...shorter.map(({ length }) => length));
    return (shorter.findLast(({ length }) => length === longest) ?? begun.at(-1))?.conversation;
  };

  const findCarried = (
    known: ReadonlyMap<string, readonly Begun[]>,
    opening: string,
    messages: readonly Message[],
  ): string | undefined => {
    const words = messages.map(textOf).join('\n');
    const isCarried = (first: string): boolean =>
      first !== opening && first.length >= LEAST_TRACE_CHARS && words.includes(first);
    return [...known]
      .reverse()
      .find(([first]) => isCarried(first))?.[1]
      .at(-1)?.conversation;
  };

  return {
    find(group, messages) {
      const known = openings.get(group) ?? new Map<string, Begun[]>();
      openings.set(group, known);
      const opening = textOf(messages[0]);
      const begun = known.get(opening) ?? [];
      const conversation =
        findByCall(group, messages) ??
        findByHistory(begun, messages) ??
        findCarried(known, opening, messages) ??
        summarized.get(group) ??
        `${group}\0${++made}`;
      summarized.delete(group);
      // The newest opening is looked at first where a compaction carries it on.
      known.delete(opening);
      known.set(opening, [
        ...begun.filter((one) => one.conversation !== conversation),
        { conversation, length: messages.length },
      ]);
      return conversation;
    },
    noteCalls(group, conversation, ids) {
      for (const id of ids) byCall.set(`${group}\0${id.slice(-CALL_ID_CHARS)}`, conversation);
    },
    noteSummary: (group, conversation) => void summarized.set(group, conversation),
  };
}

const textOf = (message: Message | undefined): string => (message?.parts ?? []).map(partText).join('\n').trim();

/** Where clients name the session: Claude Code, codex, opencode and those that follow them. */
const ID_HEADERS = [
  'x-claude-code-session-id',
  'session-id',
  'session_id',
  'thread-id',
  'x-session-id',
  'x-session-affinity',
];

/** All that a key and a client's own id of the session tell. Sub-agents share their parent's id. */
export function findGroup({ key, headers }: Incoming, body: Fields): string {
  const named = ID_HEADERS.map((name) => headers[name]).find((value) => value !== undefined);
  const user = asString(asFields(body.metadata).user_id);
  const session = user === undefined ? undefined : (asString(asFields(parseJson(user)).session_id) ?? user);
  return [key, named ?? session ?? asString(body.prompt_cache_key) ?? ''].join('\0');
}
