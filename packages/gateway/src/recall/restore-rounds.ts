import { assistant, type Message, type NewMessage, results } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/json';
import type { ApiName } from '@palimpsest/wire';
import { decodeBody, encodeBody } from '../dialects/codec.ts';
import { type HiddenRounds, nameAnswer, type Round } from './hidden-rounds.ts';

/**
 * A client's body with the rounds that it never saw back in their places, as they went out before: the provider's cache knows
 * them, and so does the session.
 */
export function restoreRounds(api: ApiName, body: Fields, tenant: string, hidden: HiddenRounds): Fields {
  const messages = decodeBody(api, body);
  const restored: Message[] = [];
  let isChanged = false;
  for (let at = 0; at < messages.length; ) {
    const run = findRun(messages, at);
    const parts = run.flatMap((message) => message.parts);
    const rounds = run.length === 0 ? undefined : hidden.find(tenant, nameAnswer(api, parts, messages[at - 1]));
    const next = messages[at + Math.max(1, run.length)];
    if (rounds === undefined) {
      restored.push(...(run.length === 0 ? messages.slice(at, at + 1) : run));
      at += Math.max(1, run.length);
      continue;
    }
    isChanged = true;
    const { made, isNextUsed } = layRounds(rounds, next, at);
    restored.push(...made);
    at += run.length + (isNextUsed ? 1 : 0);
  }
  return isChanged ? encodeBody(api, restored, body) : body;
}

/** The assistant's messages from a place on: some wires have one for every item. */
function findRun(messages: readonly Message[], at: number): readonly Message[] {
  let end = at;
  while (messages[end]?.role === 'assistant') end++;
  return messages.slice(at, end);
}

/** The rounds as messages. Where the last one called tools of both, our results join the client's. */
function layRounds(
  rounds: readonly Round[],
  next: Message | undefined,
  at: number,
): { readonly made: readonly Message[]; readonly isNextUsed: boolean } {
  const made: Message[] = [];
  let isNextUsed = false;
  for (const [n, { parts, results: own }] of rounds.entries()) {
    made.push(nameMessage(assistant([...parts]), `${at}-${n}-a`));
    if (own.length === 0) continue;
    if (n < rounds.length - 1 || next?.role !== 'user') made.push(nameMessage(results([...own]), `${at}-${n}-r`));
    else {
      made.push({ ...next, id: `hidden-${at}-${n}-n`, parts: [...own, ...next.parts] });
      isNextUsed = true;
    }
  }
  return { made, isNextUsed };
}

/** Under a name that nothing in the body has, so that it is written anew and always the same. */
const nameMessage = (message: NewMessage, id: string): Message => ({ ...message, id: `hidden-${id}` }) as Message;

/** The body with further rounds behind all that it says. */
export function appendRounds(api: ApiName, body: Fields, rounds: readonly Round[]): Fields {
  const messages = decodeBody(api, body);
  const { made } = layRounds(rounds, undefined, messages.length);
  return encodeBody(api, [...messages, ...made], body);
}
