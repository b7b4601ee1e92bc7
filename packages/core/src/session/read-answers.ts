import { showValue } from '../check-options.ts';
import { asFields, asString, isFields } from '../json.ts';
import type { CarryItem } from '../ledger/carry.ts';
import { type Message, originOf } from '../message/message.ts';
import { takeMessage } from '../message/take-message.ts';
import type { AfterAnswer, BeforeAnswer } from '../summary/hooks.ts';
import { violationOf } from '../view/invariants.ts';

/**
 * What ports answered, in the shape that they promise. They are the host's: an answer of any other shape is a failure of
 * the port, and never one of the walk that reads it.
 */

export function readStashRef(answer: unknown): string {
  if (typeof answer === 'string' && answer !== '') return answer;
  throw new Error(`the stash answered with ${showValue(answer)} instead of a reference`);
}

/** One line is shown to a model, and no stash lies that deep. */
const MOST_LOCATION = 1_000;

export function readStashLocation(answer: unknown): { readonly where?: string } {
  if (answer === undefined || answer === null) return {};
  if (typeof answer === 'string' && answer !== '' && answer.length <= MOST_LOCATION && !/[\r\n]/.test(answer))
    return { where: answer };
  throw new Error(`the stash located a text by ${showValue(answer)} instead of one line`);
}

const isItem = (value: unknown): value is CarryItem =>
  isFields(value) && [value.kind, value.name, value.text].every((field) => typeof field === 'string');

export function readCarried(answer: unknown): readonly CarryItem[] {
  if (Array.isArray(answer) && answer.every(isItem))
    return answer.map(({ kind, name, text }) => ({ kind, name, text }));
  throw new Error(`carry answered with ${showValue(answer)} instead of a list of { kind, name, text }`);
}

export function readBefore(answer: unknown): BeforeAnswer {
  const words = readWords(answer, ['instructions', 'message', 'veto', 'prompt']);
  const { autoContinue } = asFields(answer);
  if (autoContinue === undefined || autoContinue === null) return words;
  if (typeof autoContinue !== 'boolean')
    throw new Error(`a hook answered with ${showValue(autoContinue)} as its "autoContinue" instead of true or false`);
  return { ...words, autoContinue };
}

export const readAfter = (answer: unknown): AfterAnswer => readWords(answer, ['context']);

/** Messages that a hook made of others, each as a transcript would take it; together they must be a conversation. */
export function readTransformed(answer: unknown): readonly Message[] {
  if (!Array.isArray(answer) || answer.length === 0)
    throw new Error(`a hook answered with ${showValue(answer)} instead of a list of messages`);
  const messages = answer.map((value: unknown, i): Message => {
    const taken = takeMessage(value, `transformed ${i + 1}`, () => {});
    return { ...taken, id: taken.id ?? `palimpsest/transformed/${i + 1}`, origin: originOf(taken) };
  });
  const wrong = violationOf(messages);
  if (wrong !== undefined) throw new Error(`a hook's messages break the rule "${wrong.rule}": ${wrong.detail}`);
  return messages;
}

/** The named fields of a hook's answer, which are words or not there. */
function readWords(answer: unknown, names: readonly string[]): Readonly<Record<string, string>> {
  if (answer === undefined || answer === null) return {};
  if (!isFields(answer)) throw new Error(`a hook answered with ${showValue(answer)} instead of an object`);
  const words: Record<string, string> = {};
  for (const name of names) {
    const value = answer[name];
    if (value === undefined || value === null) continue;
    words[name] = asString(value) ?? refuseWords(name, value);
  }
  return words;
}

function refuseWords(name: string, value: unknown): never {
  throw new Error(`a hook answered with ${showValue(value)} as its "${name}" instead of words`);
}
