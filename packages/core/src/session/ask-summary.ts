import { CompactionError } from '../errors.ts';
import type { Fact } from '../ledger/ledger.ts';
import type { Message } from '../message/message.ts';
import { estimateText } from '../size/estimate-message.ts';
import { ANSWER_LIMIT_MS, awaitAnswer, codeOfError, wordsOfError } from '../summary/await-answer.ts';
import type { Hooks } from '../summary/hooks.ts';
import { type SummaryNeed, summarize } from '../summary/summarize.ts';
import type { Summarizer } from '../summary/summarizer.ts';
import type { Ports } from './ports.ts';
import { readTransformed } from './read-answers.ts';
import type { SettleOptions } from './settle-options.ts';

/** Asks for a summary, at the trigger or ahead of it: what is shown to the model goes through the host's hook first. */
export async function askSummary(
  need: SummaryNeed,
  summarizer: Summarizer,
  { hooks, clock }: Pick<Ports, 'hooks' | 'clock'>,
  options: SettleOptions,
): Promise<Fact> {
  const { signal, owed, prices, countText = estimateText } = options;
  const onLeft = (answer: Promise<unknown>): void => owed?.note('summary', answer);
  const shown = hooks?.transform === undefined ? need : await transformNeed(need, summarizer, hooks, clock, options);
  return summarize(shown, { summarizer, clock, signal, onLeft, countText, prices });
}

/** The need with what the hook made of its messages, where that is a conversation; else as it was, and somebody is told. */
async function transformNeed(
  need: SummaryNeed,
  { sharesPrefix }: Summarizer,
  hooks: Hooks,
  clock: Ports['clock'],
  { signal, owed, onFailed }: SettleOptions,
): Promise<SummaryNeed> {
  const onLeft = (answer: Promise<unknown>): void => owed?.note('transform', answer);
  const transform = async (form: 'same-prefix' | 'stand-alone', messages: readonly Message[]) => {
    if (owed?.isOwedBy('transform') === true)
      throw new CompactionError('busy', 'the hook has not answered an earlier call yet');
    const ask = (left: AbortSignal) => hooks.transform?.({ messages, form, signal: left });
    const answer = await awaitAnswer<unknown>(ask, { clock, signal, onLeft, limitMs: ANSWER_LIMIT_MS });
    return answer === undefined || answer === null ? messages : readTransformed(answer);
  };
  try {
    const live = sharesPrefix === true && need.opening !== undefined;
    return {
      ...need,
      ...(live ? { live: await transform('same-prefix', need.live) } : {}),
      span: await transform('stand-alone', need.span),
    };
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    onFailed?.({ need: 'hooks', key: 'transform', code: codeOfError(error), why: wordsOfError(error) });
    return need;
  }
}
