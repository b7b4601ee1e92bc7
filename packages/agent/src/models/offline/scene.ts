import { callsOf, type Json, type Message, partText, resultsOf, wordsOf } from '@palimpsest/core';
import { findLastRead, readQuotedUser } from './read-summary.ts';

/** What the view shows of a result. A layer may have left a preview of it, or only a notice with a reference. */
export interface SeenResult {
  readonly text: string;
  readonly isError: boolean;
  readonly state: 'whole' | 'part' | 'hidden';
  /** Where the rest is. */
  readonly reference?: string;
}

export interface SeenCall {
  readonly tool: string;
  readonly input: { readonly [key: string]: Json };
  readonly result?: SeenResult;
}

/** A view as the offline model understands it. Everything it knows is in here. */
export interface Scene {
  /** The requests that wait for an answer, oldest first. */
  readonly pending: readonly string[];
  /** Calls since the oldest of them, in order. */
  readonly calls: readonly SeenCall[];
  /** Nothing was hidden since the oldest of them: what was called is all in view. */
  readonly isWhole: boolean;
  /** Calls anywhere in the view. */
  readonly allCalls: readonly SeenCall[];
  /** What the user said before the pending requests, oldest first, as far as the view shows it. */
  readonly words: readonly string[];
  readonly rules: readonly string[];
  /** The file that was read last for them before what the view shows begins. */
  readonly lastReadBefore?: string;
  readonly carriedFiles: ReadonlyMap<string, string>;
}

const hasCalls = (message: Message): boolean => callsOf(message).length > 0;

/** The model's last word on what was asked: an answer without calls, or the call that ends its turn. */
const isFinal = (message: Message): boolean =>
  message.role === 'assistant' && (!hasCalls(message) || callsOf(message).some((call) => call.tool === 'compact'));

/** The host says that a request was broken off. */
const isBreak = (message: Message): boolean =>
  message.origin === 'harness' &&
  /^\[The (?:user interrupted|agent was stopped)/.test(message.parts.map(partText).join(''));

/** Says that something was hidden, and stands in the place of nothing. */
const hidesNothing = ({ synthetic }: Message): boolean => synthetic === 'recall_told';

/** The newest message that stands in the place of what was hidden; what is put behind a message that is shown does not. */
function findFoldNotice(messages: readonly Message[]): number {
  const shown = new Set(messages.map(({ id }) => id));
  return messages.findLastIndex(
    ({ origin, standsFor }) => origin === 'palimpsest' && standsFor !== undefined && !shown.has(standsFor.from),
  );
}

const GO_ON = /^(?:please )?(?:continue|go on|carry on|proceed|resume)\b[^?]{0,20}$/i;

interface Said {
  readonly words: string;
  readonly at: number;
}

export function sceneOf(messages: readonly Message[]): Scene {
  const from = messages.findLastIndex((message) => isFinal(message) || isBreak(message)) + 1;
  const all = listWords(messages);
  const pending = findPending(messages, all, from).map((one) => resolveGoOn(one, all));
  const start = Math.min(...pending.map(({ at }) => at), messages.length);
  const isPending = new Set(pending);
  // What was read for a request that is over says nothing about how far this one got.
  const lastRead = messages.slice(start).map(findLastRead).findLast(isKnown);
  return {
    pending: pending.map(({ words }) => words),
    calls: callsIn(messages, start).filter((call) => !isBrokenOff(call)),
    isWhole: messages.every((message, at) => at < start || message.origin !== 'palimpsest' || hidesNothing(message)),
    allCalls: callsIn(messages, 0),
    words: all.filter((one) => !isPending.has(one)).map(({ words }) => words),
    rules: findRules(all),
    ...(lastRead === undefined ? {} : { lastReadBefore: lastRead }),
    carriedFiles: carriedIn(messages),
  };
}

const isKnown = (path: string | undefined): path is string => path !== undefined;

/** "Go on" means the request before it. */
function resolveGoOn(one: Said, all: readonly Said[]): Said {
  if (!GO_ON.test(one.words)) return one;
  return all.slice(0, all.indexOf(one)).findLast(({ words }) => !GO_ON.test(words)) ?? one;
}

/** What the user said, as the view shows it, oldest first. A summary may quote a message that is older than one in front of it. */
function listWords(messages: readonly Message[]): readonly Said[] {
  const all: (Said & { readonly id: string })[] = [];
  for (const [at, message] of messages.entries()) {
    const words = wordsOf(message).trim();
    if (words !== '') all.push({ id: message.id, words, at });
    for (const quoted of readQuotedUser(message)) {
      const place = all.findIndex(({ id }) => numberOf(id) > numberOf(quoted.id));
      if (place < 0) all.push({ ...quoted, at });
      else all.splice(place, 0, { ...quoted, at: all[place]?.at ?? at });
    }
  }
  return all;
}

/** Sessions number their messages: `m12`. */
const numberOf = (id: string): number => Number(/^m(\d+)$/.exec(id)?.[1]);

/**
 * A compaction hides the answers and leaves the requests: those that stand before its notice are over. Only the newest of them is still
 * in hand where nothing newer has come, or where the work goes on behind the notice before anything newer.
 */
function findPending(messages: readonly Message[], all: readonly Said[], from: number): readonly Said[] {
  const notice = findFoldNotice(messages);
  const open = all.filter(({ at }) => at >= from);
  const [before, behind] = [open.filter(({ at }) => at <= notice), open.filter(({ at }) => at > notice)];
  const newer = behind[0]?.at ?? messages.length;
  const isInHand = behind.length === 0 || messages.slice(Math.max(from, notice), newer).some(hasCalls);
  return isInHand ? [...before.slice(-1), ...behind] : behind;
}

function callsIn(messages: readonly Message[], from: number): readonly SeenCall[] {
  const seen: (SeenCall & { result?: SeenResult })[] = [];
  let open: { readonly callId: string; readonly call: SeenCall & { result?: SeenResult } }[] = [];
  for (const message of messages.slice(from)) {
    if (message.role === 'assistant')
      open = callsOf(message).map(({ callId, tool, input }) => {
        const fields = typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {};
        return { callId, call: { tool, input: fields as SeenCall['input'] } };
      });
    if (message.role === 'assistant') seen.push(...open.map(({ call }) => call));
    for (const part of resultsOf(message)) {
      const found = open.find(({ callId }) => callId === part.callId);
      if (found !== undefined) found.call.result = readResult(partText(part), part.isError === true);
    }
  }
  return seen;
}

/** What was stopped in the middle is to be done again. */
const isBrokenOff = ({ result }: SeenCall): boolean =>
  result?.isError === true && /^(?:No result:|Not run:|Stopped by the user)|\[stopped by the user\]$/.test(result.text);

function readResult(text: string, isError: boolean): SeenResult {
  // Also as it is told where no recall was at hand: a session may have been another host's.
  const notice = /^\[[^\n]*(?:; recall (e\d+)| \((e\d+)\))\]$/.exec(text);
  if (notice !== null) return { text: '', isError, state: 'hidden', reference: notice[1] ?? notice[2]! };
  const preview =
    /^<stashed-result [^>]*(?:recall|ref)="(e\d+)"[^>]*>\n(?:Full output saved to: .*\n)?([\s\S]*?)\n… more follows/.exec(
      text,
    );
  if (preview !== null) return { text: preview[2]!, isError, state: 'part', reference: preview[1]! };
  const cut = /\[…(?: \d+ characters cut(?:; recall| \())? ?(e\d+)\)? ?…\]/.exec(text);
  return cut === null
    ? { text, isError, state: 'whole' }
    : { text: text.slice(0, cut.index), isError, state: 'part', reference: cut[1]! };
}

const FORBIDS =
  /\b(?:never|must not|do not|don[’']t|always|only|remember|keep in mind|from now on)\b|记住|记得|不要|不能|不许|绝不|永远|必须/i;

function findRules(all: readonly Said[]): readonly string[] {
  const rules = all
    .flatMap(({ words }) => words.split(/(?<=[.!])\s+|(?<=[。！])|\n|,? then /))
    .filter((sentence) => FORBIDS.test(sentence) && !/[?？]\s*$/.test(sentence));
  return [...new Set(rules.map((rule) => rule.trim().replace(/[.,;。；]$/, '')))];
}

function carriedIn(messages: readonly Message[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { origin, parts } of messages) {
    if (origin !== 'palimpsest') continue;
    for (const match of parts
      .map(partText)
      .join('\n')
      .matchAll(/<carried kind="file" name="([^"]+)">\n([\s\S]*?)\n<\/carried>/g))
      if (!match[2]!.endsWith('[…]')) files.set(match[1]!, match[2]!);
  }
  return files;
}
