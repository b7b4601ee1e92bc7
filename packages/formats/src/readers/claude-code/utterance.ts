import type { Message, Part } from '@palimpsest/core';
import { splitByAuthor } from '../../content/authored-part.ts';
import { omitUndefined } from '../../fields.ts';
import { restoreMessage } from '../../recording/remainder.ts';
import type { Line } from './line.ts';

/** The lines of one response, or of one user message: a response is written one line per content block. */
export interface Utterance {
  readonly first: Line;
  /** All of them, the first too. */
  readonly lines: readonly Line[];
}

/**
 * Lines in file order, gathered. A response's lines may have results of its first calls between them; another
 * response between them ends it.
 */
export function gatherUtterances(lines: readonly Line[]): readonly Utterance[] {
  const utterances: { first: Line; lines: Line[] }[] = [];
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
    const utterance = { first: line, lines: [line] };
    utterances.push(utterance);
    if (line.responseId !== undefined) response = { id: line.responseId, lines: utterance.lines };
    joining =
      line.remainder?.lines === undefined ? undefined : { lines: utterance.lines, left: line.remainder.lines - 1 };
  }
  return utterances;
}

const listParts = (lines: readonly Line[]): readonly Part[] =>
  lines.flatMap((line) => line.authored.map(({ part }) => part));

/** The messages that the utterance says: one, unless several authors share a user line. */
export function readMessages({ first, lines }: Utterance): readonly Message[] {
  const parts = listParts(lines);
  const { time: at, uuid: id, remainder } = first;
  if (first.kind === 'assistant')
    return [restoreMessage({ id, role: 'assistant', origin: 'model', parts, ...omitUndefined({ at }) }, remainder)];
  if (first.kind === 'summary')
    return [restoreMessage({ id, role: 'user', origin: 'palimpsest', parts, ...omitUndefined({ at }) }, remainder)];
  const authored = lines.flatMap((line) => line.authored);
  if (remainder === undefined) return splitByAuthor(id, authored, at);
  return [
    restoreMessage(
      { id, role: 'user', origin: authored[0]?.origin ?? 'harness', parts, ...omitUndefined({ at }) },
      remainder,
    ),
  ];
}

/** The utterance as it shows when only some of its lines were kept. */
export function sliceUtterance(
  utterance: Utterance,
  shown: readonly Message[],
  kept: (line: Line) => boolean,
): readonly Message[] {
  const lines = utterance.lines.filter(kept);
  if (lines.length === utterance.lines.length) return shown;
  return lines.length === 0 ? [] : shown.map((message) => ({ ...message, parts: listParts(lines) }));
}

/** The last line has the final counts: earlier ones were written while the response was still streaming. */
export function findReport({ lines }: Utterance): Pick<Line, 'usage' | 'model' | 'request'> {
  const { usage, model, request } = lines.findLast((line) => line.usage !== undefined) ?? {};
  return omitUndefined({ usage, model, request });
}
