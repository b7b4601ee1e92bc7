import { createHash } from 'node:crypto';
import {
  type AboutCompaction,
  type Recording,
  type SessionRecord,
  withCompaction,
  writeClaudeCode,
  writePi,
} from '@palimpsest/formats';
import type { Compacted, CompactOptions } from './compact-recording.ts';
import type { CompactedFile } from './compacted-file.ts';

export const TARGETS = ['claude-code', 'pi', 'json'] as const;
export type TargetFormat = (typeof TARGETS)[number];

/** A session of its own beside the recorded one; the same input gives the same id. */
function makeSessionId(recording: Recording): string {
  const hash = createHash('sha256')
    .update(`${recording.id ?? ''}/${recording.messages.length}/compacted`)
    .digest('hex');
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** The compacted session in another agent's words, or as data. `id` is what the agent will know it by. */
export function renderResult(
  recording: Recording,
  file: string,
  compacted: Compacted,
  options: CompactOptions,
  to: TargetFormat,
): { readonly text: string; readonly id?: string } {
  if (to === 'json') return { text: `${JSON.stringify(makeCompactedFile(recording, file, compacted, options))}\n` };
  const id = makeSessionId(recording);
  const { view } = compacted;
  const own = recording.viewAt(recording.messages.length);
  const isChanged = own.length !== view.messages.length || own.some((message, i) => message !== view.messages[i]);
  const record = isChanged
    ? withCompaction(recording, view.messages, describeCompaction(recording, compacted))
    : recording;
  return { id, text: (to === 'pi' ? writePi : writeClaudeCode)(record, { sessionId: id }) };
}

function describeCompaction(recording: SessionRecord, { view, tokensBefore }: Compacted): AboutCompaction {
  const summary = view.messages.find((message) => message.origin === 'palimpsest' && message.role === 'user');
  const when = recording.messages.findLast((message) => message.at !== undefined)?.at;
  const words = summary?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return {
    type: summary === undefined ? 'snapshot' : 'summary',
    trigger: 'manual',
    tokensBefore,
    tokensAfter: view.tokens,
    ...(when === undefined ? {} : { when }),
    ...(summary === undefined || words === undefined ? {} : { summary: words, summaryId: summary.id }),
  };
}

const makeCompactedFile = (
  { format, id, system }: Recording,
  file: string,
  { session, view }: Compacted,
  { preset, window }: CompactOptions,
): CompactedFile => ({
  type: 'palimpsest-session',
  version: 1,
  source: { file, format, ...(id === undefined ? {} : { id }) },
  preset,
  window,
  ...(system === undefined ? {} : { system }),
  view: view.messages,
  receipts: session.receipts(),
  transcript: session.transcript(),
  ledger: session.ledger(),
});
