import { CompactionError } from '../errors.ts';
import type { Edit, FoldEdit, PartEdit } from '../ledger/edit.ts';
import { type Message, partText } from '../message/message.ts';
import type { SearchOptions } from '../search/find-passages.ts';
import type { Found } from '../search/show-passage.ts';
import { cutHead } from '../text.ts';
import { recallItems } from './recall-items.ts';
import { numberIn } from './reference.ts';
import { searchTranscripts } from './search-transcript.ts';
import type { ViewState } from './view-state.ts';

/** Something that was hidden, as it was said. */
export interface Recalled {
  readonly ref: string;
  readonly messages: readonly Message[];
  /** Ready to be shown; of a part, just its own text. */
  readonly text: string;
}

/** Reading what the view no longer shows: `session.recall`. */
export interface Recall {
  /**
   * Reads by an edit's reference (`e12`), by a message's id, by its place as a digest tells it (`#12`), by the number of a summary's
   * statement (`s12`), or by both ends (`e3 to e9`, `s1 to s40`). Hidden or not, it is there.
   */
  read(ref: string): Recalled;
  /**
   * Passages of the whole transcript that answer a query, best first; not all of its words need occur. What recall itself asked
   * and showed is left out. A number is the most passages, 20 by default.
   */
  search(query: string, options?: number | SearchOptions): readonly Found[];
}

/** A line of a text that looks as if the next message began is quoted: what was said by whom is told by us alone. */
const forgedHead = /^(?=(?:user|assistant) \([^\n]{1,200}\):$)/gm;

const textOf = (message: Message): string => message.parts.map(partText).join('\n').replace(forgedHead, '> ');

/** Reading and searching a transcript, whatever its view hides. */
export const recallOf = (state: ViewState): Recall => ({
  read: (ref) => readReference(state, ref),
  search: (query: string, options?: number | SearchOptions) => searchTranscripts([state], query, options),
});

function readReference(state: ViewState, ref: string): Recalled {
  // What a notice says must be true of sessions that were stored while a message could still be called like an edit.
  const edit = editBy(state, state.places.has(ref) ? ref : ref.trim());
  const named = edit === undefined ? (messageBy(state, ref) ?? messageAt(state, ref)) : undefined;
  if (named !== undefined) return recallMessages(ref, [named]);
  const statements = edit === undefined ? recallItems(state, ref) : undefined;
  if (statements !== undefined) return { ref, ...statements };
  const [, first, last] = /^(e\d+)\s*(?:to|-|–|\.\.)\s*(e\d+)$/.exec(ref.trim()) ?? [];
  if (first !== undefined && last !== undefined) return readRange(state, ref, first, last);
  if (edit?.type === 'insert') return recallMessages(ref, edit.messages);
  if (edit?.type === 'fold') return recallMessages(ref, state.base.slice(...foldedPlaces(state, edit)));
  const message = edit === undefined ? undefined : messageBy(state, edit.message);
  const part = edit === undefined ? undefined : message?.parts[edit.part];
  if (message === undefined || part === undefined) throw unknownReference(ref);
  const piece =
    edit?.type === 'replace' && edit.piece !== undefined && part.type === 'result'
      ? part.content[edit.piece]
      : undefined;
  return { ref, messages: [message], text: partText(piece ?? part) };
}

const messageBy = (state: ViewState, id: string): Message | undefined => state.base[state.places.get(id) ?? -1];

/** `#12`: the twelfth message of the transcript. */
const messageAt = (state: ViewState, ref: string): Message | undefined =>
  state.base[Number(/^#(\d+)$/.exec(ref.trim())?.[1] ?? 0) - 1];

/** The places that a fold is about: the first, and that behind the last. */
const foldedPlaces = ({ places }: ViewState, { from, to, summary }: FoldEdit): [number, number] => [
  Math.min(places.get(from) ?? 0, places.get(summary?.from ?? from) ?? Infinity),
  Math.max(places.get(to) ?? -1, places.get(summary?.to ?? to) ?? -1) + 1,
];

const recallMessages = (ref: string, messages: readonly Message[]): Recalled => ({
  ref,
  messages,
  text: messages.map((message) => `${message.role} (${message.id}):\n${textOf(message)}`).join('\n\n'),
});

function readRange(state: ViewState, ref: string, first: string, last: string): Recalled {
  const edits = [editBy(state, first), editBy(state, last)] as const;
  const parts = readParts(state, ref, ...edits);
  if (parts !== undefined) return parts;
  // Ends of two kinds, or in two messages: all messages from the one to the other.
  const places = edits.flatMap((edit) => {
    if (edit?.type === 'fold') return foldedPlaces(state, edit);
    const isPart = edit !== undefined && 'part' in edit && first !== last;
    const place = isPart ? state.places.get(edit.message) : undefined;
    return place === undefined ? [] : [place, place + 1];
  });
  if (places.length < 4) throw unknownReference(ref);
  return recallMessages(ref, state.base.slice(Math.min(...places), Math.max(...places)));
}

/** The parts of one message that one mark stands for: those edited from one reference to another, and dropped ones beside them. */
function readParts(state: ViewState, ref: string, ...ends: readonly (Edit | undefined)[]): Recalled | undefined {
  const [first, last] = ends.flatMap((edit) => (edit !== undefined && 'part' in edit ? [edit] : []));
  const message = first === undefined ? undefined : messageBy(state, first.message);
  if (first === undefined || message === undefined || first === last || first.message !== last?.message)
    return undefined;
  const numbers = [numberIn(first.ref), numberIn(last.ref)];
  const dropped = new Set<number>();
  let [from, to] = [Math.min(first.part, last.part), Math.max(first.part, last.part)];
  for (const edit of partEditsOf(state, message.id)) {
    if (edit.type === 'drop') dropped.add(edit.part);
    const number = numberIn(edit.ref);
    if (number < Math.min(...numbers) || number > Math.max(...numbers)) continue;
    [from, to] = [Math.min(from, edit.part), Math.max(to, edit.part)];
  }
  while (dropped.has(from - 1)) from--;
  while (dropped.has(to + 1)) to++;
  const parts = message.parts.slice(from, to + 1);
  return { ref, messages: [message], text: parts.map(partText).join('\n') };
}

const partEditsOf = ({ entries }: ViewState, id: string): readonly PartEdit[] =>
  entries.flatMap((entry) =>
    entry.type === 'edits' ? entry.edits.flatMap((edit) => ('part' in edit && edit.message === id ? [edit] : [])) : [],
  );

function editBy(state: ViewState, ref: string): Edit | undefined {
  for (const entry of state.entries)
    if (entry.type === 'edits') for (const edit of entry.edits) if (edit.ref === ref) return edit;
  return undefined;
}

/** Of a reference that is none so much is said again. */
const mostEchoed = 200;

const unknownReference = (ref: string): CompactionError =>
  new CompactionError(
    'unknown-reference',
    `nothing is known as ${JSON.stringify(cutHead(ref, mostEchoed))}; use a reference a notice or a receipt names.`,
  );
