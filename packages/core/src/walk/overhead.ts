import type { Json } from '../message/message.ts';
import { estimateText } from '../size/estimate-message.ts';
import type { Circumstances } from '../view/circumstances.ts';

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
