import { callsOf, type Json, type Message, partText, resultsOf, wordsOf } from '@palimpsest/core';
import { type DigestWords, digestWords } from './digest-words.ts';

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
  /** The user's words in view before the pending requests, oldest first; digests tell some of them. */
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

const GO_ON = /^(?:please )?(?:continue|go on|carry on|proceed|resume)\b[^?]{0,20}$/i;

interface Said {
  readonly words: string;
  readonly at: number;
}

export function sceneOf(messages: readonly Message[]): Scene {
  const digests = messages.map(digestWords);
  const from = messages.findLastIndex((message) => isFinal(message) || isBreak(message)) + 1;
  const all = collectWords(messages, digests);
  const pending = pendingIn(messages, digests, from).map((one) => resolveGoOn(one, all));
  const start = Math.min(...pending.map(({ at }) => at), messages.length);
  const isPending = new Set(pending.map(({ words }) => words));
  // What was read for a request that is over tells nothing about how far this one got.
  const lastRead = digests.findLast((digest, at) => at >= start && digest.lastRead !== undefined)?.lastRead;
  return {
    pending: pending.map(({ words }) => words),
    calls: callsIn(messages, start).filter((call) => !isBrokenOff(call)),
    isWhole: messages.every((message, at) => at < start || message.origin !== 'palimpsest' || hidesNothing(message)),
    allCalls: callsIn(messages, 0),
    words: all.map(({ words }) => words).filter((words, i) => !(isPending.has(words) && i === lastIndexOf(all, words))),
    rules: rulesIn(messages, digests),
    ...(lastRead === undefined ? {} : { lastReadBefore: lastRead }),
    carriedFiles: carriedIn(messages),
  };
}

const lastIndexOf = (all: readonly Said[], words: string): number => all.findLastIndex((one) => one.words === words);

/** "Go on" means the request before it, which may stand in the same digest. */
function resolveGoOn(one: Said, all: readonly Said[]): Said {
  if (!GO_ON.test(one.words)) return one;
  const place = all.findLastIndex(({ words, at }) => words === one.words && at <= one.at);
  return all.slice(0, place).findLast(({ words }) => !GO_ON.test(words)) ?? one;
}

function collectWords(messages: readonly Message[], digests: readonly DigestWords[]): readonly Said[] {
  return messages.flatMap((message, at) => {
    const { first, said: others, request, rules } = digests[at]!;
    // A digest names the first request only where it is not the newest as well.
    const told = (first === undefined ? [request, ...others] : [first, ...others, request]).filter(
      (words) => words !== undefined,
    );
    // A rule that was a request of its own stands only among the rules.
    const all = told.length === 0 ? rules : told;
    const own = wordsOf(message).trim();
    return [...all, ...(own === '' ? [] : [own])].map((words) => ({ words, at }));
  });
}

/** A round without a request before it: what it works for was folded into the digest above it. */
function pendingIn(messages: readonly Message[], digests: readonly DigestWords[], from: number): readonly Said[] {
  const shown = messages.flatMap((message, at) => {
    const words = at < from ? '' : wordsOf(message).trim();
    return words === '' ? [] : [{ words, at }];
  });
  const round = messages.findIndex((message, at) => at >= from && hasCalls(message));
  // A summary may have taken the place of everything, the round in hand too.
  const firstRound = round < 0 && shown.length === 0 ? messages.length : round;
  if (firstRound < 0 || (shown[0] !== undefined && shown[0].at < firstRound)) return shown;
  const digest = digests.findLastIndex(({ request }, at) => at < firstRound && request !== undefined);
  return digest < 0 ? shown : [{ words: digests[digest]!.request!, at: digest }, ...shown];
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

function rulesIn(messages: readonly Message[], digests: readonly DigestWords[]): readonly string[] {
  const rules = messages.flatMap((message, at) => {
    const own = wordsOf(message).trim();
    const sentences = own.split(/(?<=[.!])\s+|(?<=[。！])|\n|,? then /);
    const laid = sentences.filter((sentence) => FORBIDS.test(sentence) && !/[?？]\s*$/.test(sentence));
    return [...digests[at]!.rules, ...laid];
  });
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
