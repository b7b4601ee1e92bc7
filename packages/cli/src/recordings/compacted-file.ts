import type { JournalRecord, Ledger, Message, PresetName, Receipt } from '@palimpsest/core';

/** A compacted session as JSON: what the model would see, and behind it all that was said and decided, so that recall works. */
export interface CompactedFile {
  readonly type: 'palimpsest-session';
  readonly version: 1;
  readonly source: { readonly file: string; readonly format: string; readonly id?: string };
  readonly preset: PresetName;
  readonly window: number;
  readonly system?: string;
  readonly view: readonly Message[];
  readonly receipts: readonly Receipt[];
  readonly transcript: readonly Message[];
  readonly ledger: Ledger;
}

/** Undefined where the text is something else. */
export function readCompacted(text: string): CompactedFile | undefined {
  if (!/^\s*\{\s*"type"\s*:\s*"palimpsest-session"/.test(text.slice(0, 200))) return undefined;
  try {
    const value = JSON.parse(text) as CompactedFile;
    return value.version === 1 && Array.isArray(value.transcript) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const listRecords = ({ transcript, ledger }: CompactedFile): readonly JournalRecord[] => [
  ...transcript.map((message): JournalRecord => ({ v: 1, type: 'message', message })),
  ...ledger.entries.map((entry): JournalRecord => ({ v: 1, type: 'entry', entry })),
];
