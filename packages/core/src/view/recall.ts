import { CompactionError } from '../errors.ts';
import type { Edit } from '../ledger/edit.ts';
import { type Message, partText } from '../message/message.ts';
import type { Page } from './view-state.ts';

/** Something that was hidden, as it was said. */
export interface Recalled {
  readonly ref: string;
  readonly messages: readonly Message[];
  /** Ready to be shown; of a part, just its own text. */
  readonly text: string;
}

/** A message that a search found, hidden or not. */
export interface Found {
  readonly message: Message;
  /** The line that matched, trimmed. */
  readonly line: string;
}

/** Reading what the view no longer shows: `session.recall`. */
export interface Recall {
  /** Reads by an edit's reference (`e12`), by a message's id, or by both ends (`e3 to e9`). Hidden or not, it is there. */
  read(ref: string): Recalled;
  /** Messages of the whole transcript that hold all words of the query, in any case; newest first, 20 by default. */
  search(query: string, limit?: number): readonly Found[];
}

const spoken = (message: Message): string => message.parts.map(partText).join('\n');

export function recallOf(page: Page): Recall {
  return {
    read(ref) {
      const ends = /^(e\d+)\s*(?:to|-|–|\.\.)\s*(e\d+)$/.exec(ref.trim());
      if (ends !== null) return readRange(page, ref, ends[1]!, ends[2]!);
      const place = page.places.get(ref);
      if (place !== undefined) return said(ref, [page.base[place]!]);
      const edit = editBy(page, ref.trim());
      if (edit === undefined) throw unknown(ref);
      if (edit.type === 'insert') return said(ref, edit.messages);
      if (edit.type === 'fold')
        return said(ref, page.base.slice(page.places.get(edit.from)!, page.places.get(edit.to)! + 1));
      const message = page.base[page.places.get(edit.message)!]!;
      const part = message.parts[edit.part]!;
      const piece =
        edit.type === 'replace' && edit.piece !== undefined && part.type === 'result'
          ? part.content[edit.piece]
          : undefined;
      return { ref, messages: [message], text: partText(piece ?? part) };
    },
    search(query, limit = 20) {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      if (words.length === 0) return [];
      const found: Found[] = [];
      for (let i = page.base.length - 1; i >= 0 && found.length < limit; i--) {
        const message = page.base[i]!;
        const body = spoken(message);
        const lower = body.toLowerCase();
        if (!words.every((word) => lower.includes(word))) continue;
        const at = lower.indexOf(words[0]!);
        const start = body.lastIndexOf('\n', at) + 1;
        const end = body.indexOf('\n', at);
        found.push({ message, line: body.slice(start, end < 0 ? undefined : end).trim() });
      }
      return found;
    },
  };
}

const said = (ref: string, messages: readonly Message[]): Recalled => ({
  ref,
  messages,
  text: messages.map((message) => `${message.role} (${message.id}):\n${spoken(message)}`).join('\n\n'),
});

function readRange(page: Page, ref: string, first: string, last: string): Recalled {
  const folds = [editBy(page, first), editBy(page, last)];
  const places = folds.flatMap((edit) =>
    edit?.type === 'fold' ? [page.places.get(edit.from)!, page.places.get(edit.to)!] : [],
  );
  if (places.length < 4) throw unknown(ref);
  return said(ref, page.base.slice(Math.min(...places), Math.max(...places) + 1));
}

function editBy(page: Page, ref: string): Edit | undefined {
  for (const entry of page.entries)
    if (entry.type === 'edits') for (const edit of entry.edits) if (edit.ref === ref) return edit;
  return undefined;
}

const unknown = (ref: string): CompactionError =>
  new CompactionError(
    'unknown-reference',
    `nothing is known as ${JSON.stringify(ref)}; use a reference a notice or a receipt names.`,
  );
