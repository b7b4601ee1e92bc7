import type { Excerpt } from '../ledger/edit.ts';
import type { CallPart, Message, Part, ResultPart } from '../message/message.ts';
import { type ToolKind, toolKind } from '../message/tool-kinds.ts';
import type { Look } from '../view/look.ts';
import { partIndex, type Slot } from '../view/slot.ts';
import type { MakePartEdit } from './edit-batch.ts';

/** A tool result in the view, with the call it answers. */
export interface ResultSite {
  readonly slot: Slot;
  /** Index of the slot in `look.slots`. */
  readonly at: number;
  readonly part: ResultPart;
  /** Which part of the transcript's message it is: what an edit names. */
  readonly partIndex: number;
  readonly call: CallPart | undefined;
  readonly kind: ToolKind;
  /** An earlier edit already touched it. */
  readonly edited: boolean;
  /** An edit left nothing of it but a notice; layers pass it over then. What was only cut can still give way. */
  readonly cleared: boolean;
}

/** Results in slots `start` to `end`, newest first, so that a layer can stop as soon as it knows enough. */
export function* resultsBackwards(look: Look, start: number, end: number): Generator<ResultSite> {
  let asking: Message | undefined;
  for (let at = end - 1; at >= start; at--) {
    const slot = look.slots[at];
    if (slot?.message.role !== 'user') asking = undefined;
    if (slot?.message.role !== 'user' || slot.fold !== undefined) continue;
    const { parts } = slot.message;
    for (let shown = parts.length - 1; shown >= 0; shown--) {
      const part = parts[shown];
      if (part?.type !== 'result') continue;
      asking ??= answerBefore(look.slots, at);
      // Of two with one id the first counts.
      const call = asking?.parts.find((one): one is CallPart => one.type === 'call' && one.callId === part.callId);
      const index = partIndex(slot, shown);
      const kind = call === undefined ? 'other' : toolKind(call.tool, call.input);
      const edited = slot.edited?.has(index) === true;
      const cleared = edited && slot.cut?.has(index) !== true;
      yield { slot, at, part, partIndex: index, call, kind, edited, cleared };
    }
  }
}

/** The assistant message before a slot, whose calls the results there answer. */
function answerBefore(slots: readonly Slot[], at: number): Message | undefined {
  let asking = at - 1;
  while (asking >= 0 && slots[asking]?.message.role !== 'assistant') asking--;
  return slots[asking]?.message;
}

/** The tool whose result it is. */
export const toolName = (site: ResultSite): string => site.call?.tool ?? 'tool';

/** For `EditBatch.add`: the edit that puts an excerpt in a result's place. `stash` is where the full text was saved. */
export const replaceResult =
  (site: Pick<ResultSite, 'partIndex'>, excerpt: (ref: string) => Excerpt, stash?: string): MakePartEdit =>
  (ref, message) => ({
    type: 'replace',
    ref,
    message,
    part: site.partIndex,
    excerpt: excerpt(ref),
    ...(stash === undefined ? {} : { stash }),
  });

/** Whether a part is a picture or a document, or a result that holds one. */
export const hasMedia = (part: Part): boolean =>
  part.type === 'media' || (part.type === 'result' && part.content.some((piece) => piece.type === 'media'));
