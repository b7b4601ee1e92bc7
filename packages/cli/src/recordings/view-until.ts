import type { Message } from '@palimpsest/core';
import type { Recording } from '@palimpsest/formats';
import { listBoundaries } from '@palimpsest/measure';
import { formatCount } from '@palimpsest/terminal';
import { UsageError } from '../usage-error.ts';

/** A place in a recording: before its K-th compaction, when N messages had been said, or its end. */
export type Until =
  | { readonly type: 'boundary'; readonly number: number }
  | { readonly type: 'message'; readonly number: number }
  | { readonly type: 'end' };

export function parseUntil(text: string): Until {
  const boundary = /^boundary:(\d+)$/.exec(text)?.[1];
  if (boundary !== undefined && Number(boundary) > 0) return { type: 'boundary', number: Number(boundary) };
  if (/^\d+$/.test(text) && Number(text) > 0) return { type: 'message', number: Number(text) };
  throw new UsageError(
    `--until ${JSON.stringify(text)} is no place: say boundary:K for the K-th compaction, or N for message N; both count from 1.`,
  );
}

/** What the model had in view there. */
export function viewUntil(recording: Recording, until: Until): readonly Message[] {
  const { messages } = recording;
  if (until.type === 'end') return recording.viewAt(messages.length);
  if (until.type === 'message') {
    if (until.number > messages.length)
      throw new UsageError(`--until ${until.number}: the recording has ${formatCount(messages.length, 'message')}.`);
    return recording.viewAt(until.number);
  }
  const boundaries = listBoundaries(recording);
  const found = boundaries.find((one) => one.number === until.number);
  if (found === undefined) {
    const count = boundaries.filter((one) => one.number !== undefined).length;
    throw new UsageError(`--until boundary:${until.number}: the recording has ${formatCount(count, 'compaction')}.`);
  }
  return recording.viewBefore(found.index);
}
