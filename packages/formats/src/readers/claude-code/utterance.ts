import type { Message, Part, Usage } from '@palimpsest/core';
import { userMessages } from '../../content/authored-part.ts';
import { given } from '../../fields.ts';
import { restore } from '../../recording/remainder.ts';
import type { Line } from './line.ts';

/** The lines of one response, or of one user message: a response is written one line per content block. */
export interface Utterance {
  readonly lines: readonly Line[];
}

/**
 * Lines in file order, gathered. A response's lines may have results of its first calls between them; another
 * response between them ends it.
 */
export function utterancesOf(lines: readonly Line[]): readonly Utterance[] {
  const utterances: { lines: Line[] }[] = [];
  let response: { readonly id: string; readonly lines: Line[] } | undefined;
  let joining: { readonly lines: Line[]; left: number } | undefined;
  for (const line of lines) {
    if (line.kind === 'boundary') response = undefined;
    if (line.responseId !== undefined && line.responseId === response?.id) {
      response.lines.push(line);
      continue;
    }
    if (joining !== undefined && joining.left > 0 && line.kind === 'user') {
      joining.lines.push(line);
      joining.left--;
      continue;
    }
    const utterance = { lines: [line] };
    utterances.push(utterance);
    if (line.responseId !== undefined) response = { id: line.responseId, lines: utterance.lines };
    joining = line.carried?.lines === undefined ? undefined : { lines: utterance.lines, left: line.carried.lines - 1 };
  }
  return utterances;
}

const partsOf = (lines: readonly Line[]): readonly Part[] =>
  lines.flatMap((line) => line.tagged.map(({ part }) => part));

/** The messages that the utterance says: one, unless several authors share a user line. */
export function messagesOf({ lines }: Utterance): readonly Message[] {
  const first = lines[0]!;
  const parts = partsOf(lines);
  const { time: at, uuid: id, carried } = first;
  if (first.kind === 'assistant')
    return [restore({ id, role: 'assistant', origin: 'model', parts, ...given({ at }) }, carried)];
  if (first.kind === 'summary')
    return [restore({ id, role: 'user', origin: 'palimpsest', parts, ...given({ at }) }, carried)];
  const tagged = lines.flatMap((line) => line.tagged);
  if (carried === undefined) return userMessages(id, tagged, at);
  return [restore({ id, role: 'user', origin: tagged[0]?.origin ?? 'harness', parts, ...given({ at }) }, carried)];
}

/** The utterance as it shows when only some of its lines were kept. */
export function sliceOf(
  utterance: Utterance,
  shown: readonly Message[],
  kept: (line: Line) => boolean,
): readonly Message[] {
  const lines = utterance.lines.filter(kept);
  if (lines.length === utterance.lines.length) return shown;
  return lines.length === 0 ? [] : shown.map((message) => ({ ...message, parts: partsOf(lines) }));
}

/** The last line has the final counts: earlier ones were written while the response was still streaming. */
export const usageOf = ({ lines }: Utterance): Usage | undefined =>
  lines.findLast((line) => line.usage !== undefined)?.usage;
