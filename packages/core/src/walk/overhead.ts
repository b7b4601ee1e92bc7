import type { Json } from '../message/message.ts';
import { besideOverhead } from '../size/beside-overhead.ts';
import type { Budget } from '../size/budget.ts';
import type { Prices } from '../size/cost.ts';
import { estimateText } from '../size/estimate-message.ts';
import { sizeOfOverhead } from '../size/meter.ts';
import { priceBudget } from '../size/money.ts';
import type { Circumstances } from '../view/circumstances.ts';
import type { ViewState } from '../view/view-state.ts';

/** What is sent besides the messages. It counts: tool definitions can be most of a window. */
export interface Overhead {
  readonly system?: string | undefined;
  /** As they are sent: their size counts, and whether one of them is a recall. */
  readonly tools?: Json | undefined;
  /**
   * Whether the model can read what a notice names, by whatever tool. By default as `tools` say: one whose name is `recall`, or ends in it
   * as servers name theirs; where nothing is stated, it can.
   */
  readonly canRecall?: boolean | undefined;
}

export function measureOverhead({ system = '', tools }: Overhead): Circumstances['overhead'] {
  const sent = tools === undefined ? '' : JSON.stringify(tools);
  const parts = { system: estimateText(system), tools: estimateText(sent) };
  return { ...parts, tokens: parts.system + parts.tools, bytes: (system.length + sent.length) * 2 };
}

/** A budget beside all that no compaction takes, at the prices and the pace of now. */
export function computeBudget(
  { meter, head, typed, pace }: ViewState,
  stated: Budget,
  overheadTokens: number,
  prices: Prices,
  keepsUserText = true,
): Budget {
  const calibrate = (tokens: number): number => Math.floor(tokens * meter.ratio);
  const beside = besideOverhead(stated, sizeOfOverhead(meter, overheadTokens), calibrate(head));
  return priceBudget(
    beside,
    prices,
    { ...pace, tokens: pace.tokens * meter.ratio },
    keepsUserText ? calibrate(typed) : 0,
  );
}
