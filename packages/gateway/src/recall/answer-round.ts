import { type CallPart, type Part, type ResultPart, result, text } from '@palimpsest/core';
import { asFields, asString, isBlank } from '@palimpsest/core/json';
import type { KeptRequest } from '@palimpsest/sdk/keeper';
import { recallTool } from '@palimpsest/sdk/recall-tool';
import type { Round } from './hidden-rounds.ts';
import { TOOL_NAME } from './merge/merger.ts';

/** Lookups in a row, before the model has to say something. */
export const MOST_ROUNDS = 6;

/** What is said in the place of a lookup too many. */
export const LIMIT_WORDS = 'I have looked up as much as I may in one go.';

/** What is to be done about a round of the model. */
export type RoundOutcome =
  /** It is the answer, or its last part. `round` is what goes back into later requests. */
  | { readonly type: 'last'; readonly round: Round; readonly words?: string }
  /** It only looked things up: it is asked to go on. */
  | { readonly type: 'go-on'; readonly round: Round };

/** Answers the calls of our own tool. `earlier`: rounds that this request took already. */
export async function answerRound(parts: readonly Part[], kept: KeptRequest, earlier: number): Promise<RoundOutcome> {
  const calls = parts.flatMap((part) => (part.type === 'call' ? [part] : []));
  const own = calls.filter(({ tool }) => tool === TOOL_NAME);
  if (own.length === 0) return { type: 'last', round: { parts, results: [] } };
  const isMixed = own.length < calls.length;
  if (earlier >= MOST_ROUNDS && !isMixed) {
    const visible = parts.filter((part) => part.type !== 'call');
    return { type: 'last', round: { parts: [...visible, text(LIMIT_WORDS)], results: [] }, words: LIMIT_WORDS };
  }
  // What only the store has is read first.
  await kept.recall.prepare(listReferences(own));
  const tool = recallTool({ recall: kept.recall, transcript: () => kept.session.transcript() });
  const results: ResultPart[] = [];
  for (const { callId, input } of own) {
    const { text: said, isError } = tool.answer(input);
    const last = earlier === MOST_ROUNDS - 1 ? `${said}\n(This was the last lookup before you answer.)` : said;
    results.push(result(callId, last, isError === true));
  }
  return { type: isMixed ? 'last' : 'go-on', round: { parts, results } };
}

/** Undefined: one of the calls asks for something else. */
function listReferences(calls: readonly CallPart[]): readonly string[] | undefined {
  const references = calls.map(({ input }) => asString(asFields(input).reference) ?? '');
  return references.some(isBlank) ? undefined : references;
}
