import { type CompactionCode, CompactionError } from '../errors.ts';
import { asFields, type Fields, isFields, omitFields } from '../json.ts';
import { copyData } from './copy-data.ts';
import { type MediaPart, mediaMarker, type NewMessage, type Part, partText, text } from './message.ts';
import { findLack, findWrongFields } from './part-shapes.ts';

/** Takes down what is wrong with a message, and what was done about it. */
export type Note = (code: CompactionCode, what: string, done: string) => void;

/**
 * The message as a transcript may hold it: a copy of its own, frozen, plain JSON, each part with what its kind needs. What
 * cannot be that is thrown back whole; what is only wrong by the way is noted and left out. `name`: what errors call it.
 */
export function takeMessage(incoming: unknown, name: string, note: Note): NewMessage {
  const { role, parts } = asFields(incoming);
  if (!Array.isArray(parts)) throw refuse('empty-message', name, 'a message needs a role and a list of parts');
  if (typeof role !== 'string') throw refuse('unknown-role', name, 'its role is no string');
  const copy: Fields = copyData(asFields(incoming), `message "${name}"`, name);
  const own = takeParts(copy.parts as readonly unknown[], name, note);
  const wrong = findWrong(copy);
  for (const key of wrong) note('malformed', `${key} is ${JSON.stringify(copy[key])}`, 'left out');
  if (copy.id === '') note('malformed', 'its id is empty', 'kept all the same');
  if (wrong.length === 0 && own === copy.parts) return copy as unknown as NewMessage;
  return Object.freeze({ ...omitFields(copy, ...wrong), parts: own }) as unknown as NewMessage;
}

const refuse = (code: CompactionCode, name: string, what: string): CompactionError =>
  new CompactionError(code, `message "${name}": ${what}. Nothing was appended.`, { messageId: name });

const ORIGINS: readonly unknown[] = ['human', 'model', 'tool', 'harness', 'palimpsest'];
const KINDS: readonly unknown[] = ['image', 'document', 'audio', 'video'];

/** The message's own fields, besides its parts, that are not what they may be. */
function findWrong({ id, origin, at, standsFor }: Fields): readonly string[] {
  const { from, to } = asFields(standsFor);
  const isWrong = {
    id: id !== undefined && typeof id !== 'string',
    origin: origin !== undefined && !ORIGINS.includes(origin),
    at: at !== undefined && typeof at !== 'number',
    standsFor: standsFor !== undefined && (typeof from !== 'string' || typeof to !== 'string'),
  };
  return Object.entries(isWrong).flatMap(([key, wrong]) => (wrong ? [key] : []));
}

/** The same list where nothing is wrong with it. */
function takeParts(parts: readonly unknown[], name: string, note: Note): readonly Part[] {
  let isSame = true;
  const taken = parts.map((value, i) => {
    const part = takePart(value, `part ${i}`, name, note);
    isSame &&= part === value;
    return part;
  });
  return isSame ? (parts as readonly Part[]) : Object.freeze(taken);
}

function takePart(value: unknown, where: string, name: string, note: Note): Part {
  const lack = findLack(value);
  if (lack !== undefined) throw refuse('malformed', name, `${where} ${lack}`);
  const part = dropWrongFields(value as Part, where, note);
  if (part.type === 'media') return takeMedia(part, where, note);
  if (part.type !== 'result') return part;
  const pieces = takeParts(part.content, name, note);
  const content = pieces.some(isMisplaced) ? pieces.map((piece) => showPiece(piece, where, note)) : pieces;
  return content === part.content ? part : copyData({ ...part, content } as Part, where);
}

function dropWrongFields(part: Part, where: string, note: Note): Part {
  const wrong = findWrongFields(asFields(part));
  for (const key of wrong) note('malformed', `"${key}" of ${where} is not what it may be`, 'left out');
  return wrong.length === 0 ? part : (Object.freeze(omitFields(asFields(part), ...wrong)) as unknown as Part);
}

/** A provider's own name for a file (in `native`) can stand for the file, too. */
function takeMedia(part: MediaPart, where: string, note: Note): Part {
  if (part.data === undefined && part.url === undefined && !isFields(part.native)) {
    note('malformed', `${where} has neither data nor url`, 'shown as text');
    return Object.freeze(text(mediaMarker(part)));
  }
  if (KINDS.includes(part.kind)) return part;
  note('malformed', `${where} is of kind ${JSON.stringify(part.kind)}`, 'taken for a document');
  return Object.freeze({ ...part, kind: 'document' });
}

const isMisplaced = (piece: Part): boolean =>
  piece.type === 'call' || piece.type === 'result' || piece.type === 'reasoning';

function showPiece(piece: Part, where: string, note: Note): Part {
  if (!isMisplaced(piece)) return piece;
  note('misplaced-part', `a ${piece.type} within ${where}`, 'shown as text');
  return text(partText(piece));
}
