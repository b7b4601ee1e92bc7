import { CompactionError } from '../errors.ts';
import { toWellFormed } from '../text.ts';

/** Deeper data is refused: all that writes it down and reads it back goes down with it. It ends circles, too. */
const MOST_DEPTH = 1_000;
/** Characters and values together. A record is written as one string, in which one character may take six. */
const MOST_SIZE = 2 ** 26;

interface Copying {
  /** The objects that the one being copied stands in, and under which keys. */
  readonly above: object[];
  readonly keys: (string | number)[];
  size: number;
}

/**
 * What a copy is known by. It stands in the copy itself, where nobody sees it, and in no table of all copies: in a process with
 * many sessions the collector goes through such a table in one piece, and so does whoever enters the one that makes it grow.
 */
const MARK = Symbol('palimpsest.copy');

interface Mark {
  /** A mark that was carried over to another object says nothing of that. */
  readonly of: object;
  /** What was found out about the copy. */
  note: unknown;
}

const findMark = (value: object): Mark | undefined => {
  const mark = (value as { readonly [MARK]?: Mark })[MARK];
  return mark?.of === value ? mark : undefined;
};

function markCopy<Copy extends object>(copy: Copy): Copy {
  const mark: Mark = { of: copy, note: undefined };
  return Object.defineProperty(copy, MARK, { value: mark });
}

/** What was noted about a copy. */
export const readNote = (copy: object): unknown => findMark(copy)?.note;

/** Notes something about a copy, for as long as that is there; about anything else nothing. */
export function keepNote(copy: object, note: unknown): void {
  const mark = findMark(copy);
  if (mark !== undefined) mark.note = note;
}

/**
 * A copy that nobody can change any more: plain JSON, its strings well-formed. What it holds is what a store reads back;
 * what JSON cannot hold is refused with an error that names the place. `about` is what the error is about, in words. What is
 * such a copy already is handed back as it is.
 */
export function copyData<Data>(data: Data, about: string, messageId?: string): Data {
  const copying: Copying = { above: [], keys: [], size: 0 };
  try {
    return copyValue(data, copying) as Data;
  } catch (cause) {
    const place = copying.keys.length === 0 ? '' : ` at ${cutPath(copying.keys)}`;
    const what = cause instanceof Refusal ? cause.message : 'a value that could not be read';
    throw new CompactionError('not-json', `${about} holds what JSON cannot${place}: ${what}. Nothing was recorded.`, {
      ...(messageId === undefined ? {} : { messageId }),
      ...(cause instanceof Refusal ? {} : { cause }),
    });
  }
}

/** Counts as a copy from now on what was made of nothing but copies. */
export function adoptCopy<Data extends object>(made: Data): Data {
  Object.freeze(markCopy(made));
  return made;
}

/** Why a value cannot be copied; thrown inside this file only. */
class Refusal extends Error {}

const cutPath = (keys: readonly (string | number)[]): string =>
  keys.length <= 12 ? keys.join('.') : `${keys.slice(0, 12).join('.')}…`;

function copyValue(value: unknown, copying: Copying): unknown {
  copying.size++;
  switch (typeof value) {
    case 'string':
      copying.size += value.length;
      if (copying.size > MOST_SIZE) throw new Refusal(`more than ${MOST_SIZE} characters`);
      return toWellFormed(value);
    case 'number':
      if (!Number.isFinite(value)) throw new Refusal(String(value));
      // JSON has no negative zero.
      return value === 0 ? 0 : value;
    case 'boolean':
      return value;
    case 'object':
      return value === null ? null : copyObject(value, copying);
    default:
      throw new Refusal(value === undefined ? 'a hole' : `a ${typeof value}`);
  }
}

function copyObject(value: object, copying: Copying): unknown {
  if (findMark(value) !== undefined) return value;
  const { above } = copying;
  if (copying.size > MOST_SIZE) throw new Refusal(`more than ${MOST_SIZE} values`);
  if (above.includes(value)) throw new Refusal('a circle');
  if (above.length >= MOST_DEPTH) throw new Refusal(`more than ${MOST_DEPTH} levels`);
  const { toJSON } = value as { readonly toJSON?: unknown };
  above.push(value);
  const copy =
    typeof toJSON === 'function'
      ? copyOwnForm(toJSON.call(value, ''), value, copying)
      : Array.isArray(value)
        ? copyList(value, copying)
        : copyFields(value, copying);
  above.pop();
  return copy;
}

/** Dates and their like say themselves what JSON is to hold of them; what they answer is not asked again. */
function copyOwnForm(form: unknown, value: object, copying: Copying): unknown {
  if (form !== value) return copyValue(form, copying);
  return Array.isArray(value) ? copyList(value, copying) : copyFields(value, copying);
}

function copyList(list: readonly unknown[], copying: Copying): readonly unknown[] {
  const { keys } = copying;
  // With room for what it holds: an empty list that is pushed to has room for 17.
  const copy = new Array<unknown>(list.length);
  const depth = keys.length;
  for (let i = 0; i < list.length; i++) {
    keys[depth] = i;
    copy[i] = copyValue(list[i], copying);
  }
  keys.length = depth;
  return Object.freeze(depth === 0 ? markCopy(copy) : copy);
}

function copyFields(fields: object, copying: Copying): object {
  const { keys } = copying;
  const prototype: unknown = Object.getPrototypeOf(fields);
  if (prototype !== Object.prototype && prototype !== null) checkKind(fields);
  const copy: Record<string, unknown> = {};
  const depth = keys.length;
  for (const key of Object.keys(fields)) {
    keys[depth] = key;
    const value = (fields as Record<string, unknown>)[key];
    if (value === undefined) continue;
    copying.size += key.length;
    const own = copyValue(value, copying);
    // Assigned, it would become the copy's prototype.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: own, enumerable: true });
    else copy[toWellFormed(key)] = own;
  }
  keys.length = depth;
  return Object.freeze(depth === 0 ? markCopy(copy) : copy);
}

/** Objects of a host's own classes count as their fields; a Map, a Promise or bytes have none that tell what they hold. */
function checkKind(value: object): void {
  const kind = Object.prototype.toString.call(value);
  if (kind !== '[object Object]') throw new Refusal(`a ${kind.slice(8, -1)}`);
}
