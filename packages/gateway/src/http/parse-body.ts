import { runInTurns } from '@palimpsest/core';
import { parseJson } from '@palimpsest/core/json';
import type { Steps } from '@palimpsest/core/steps';
import { findStringEnd } from './find-string-end.ts';

/** So many bytes of a list are parsed at once. */
const STRETCH_BYTES = 65_536;

/** What a body says, as `JSON.parse` reads it; undefined where it is no JSON. Others have their turn while a large one is read. */
export const parseBody = (bytes: Buffer, stretchBytes = STRETCH_BYTES): Promise<unknown> =>
  runInTurns(stepsOfBody(bytes, stretchBytes));

/** Of an object member by member, and of a member that is a list a stretch of it at a time. */
export function* stepsOfBody(bytes: Buffer, stretchBytes: number): Steps<unknown> {
  // Many may have come at once.
  yield;
  if (bytes.length <= stretchBytes) return parseJson(bytes.toString('utf8'));
  if (bytes[skipBlanks(bytes, 0)] !== OPEN_OBJECT) return parseJson(bytes.toString('utf8'));
  try {
    return yield* stepsOfMembers(bytes, stretchBytes);
  } catch (error) {
    // What is no JSON in a part is none as a whole, and is not read once more.
    return error instanceof Unusual ? parseJson(bytes.toString('utf8')) : undefined;
  }
}

function* stepsOfMembers(bytes: Buffer, stretchBytes: number): Steps<object> {
  const read: Record<string, unknown> = {};
  let at = expectByte(bytes, skipBlanks(bytes, 0), OPEN_OBJECT);
  if (bytes[skipBlanks(bytes, at)] === CLOSE_OBJECT) throw new Unusual();
  do {
    const start = skipBlanks(bytes, at);
    const colon = findValueEnd(bytes, start);
    const key = parseBetween(bytes, start, colon);
    // Assigned, it would become the object's prototype.
    if (typeof key !== 'string') throw new Damaged();
    if (key === '__proto__') throw new Unusual();
    const value = skipBlanks(bytes, expectByte(bytes, skipBlanks(bytes, colon), COLON));
    if (bytes[value] === OPEN_LIST) {
      const list: unknown[] = [];
      at = yield* stepsOfList(bytes, value, stretchBytes, list);
      read[key] = list;
    } else {
      at = findValueEnd(bytes, value);
      read[key] = parseBetween(bytes, value, at);
    }
    yield;
    at = skipBlanks(bytes, at);
  } while (bytes[at++] === COMMA);
  expectByte(bytes, at - 1, CLOSE_OBJECT);
  if (skipBlanks(bytes, at) !== bytes.length) throw new Damaged();
  return read;
}

/** Puts the items of the list that begins at `start` into `list`; tells where it ends. */
function* stepsOfList(bytes: Buffer, start: number, stretchBytes: number, list: unknown[]): Steps<number> {
  let from = start + 1;
  let at = skipBlanks(bytes, from);
  if (bytes[at] === CLOSE_LIST) return at + 1;
  for (;;) {
    const item = skipBlanks(bytes, at);
    const end = findValueEnd(bytes, item);
    if (end === item) throw new Damaged();
    at = skipBlanks(bytes, end);
    const isLast = bytes[at] === CLOSE_LIST;
    if (!isLast) expectByte(bytes, at, COMMA);
    if (isLast || at - from >= stretchBytes) {
      for (const one of parseItems(bytes, from, at)) list.push(one);
      from = at + 1;
      yield;
    }
    at++;
    if (isLast) return at;
  }
}

/** For what has to be parsed as a whole. Thrown inside this file only. */
class Unusual extends Error {}

/** For what is no JSON, whatever follows. Thrown inside this file only. */
class Damaged extends Error {}

const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d] as const;
const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a] as const;

const parseBetween = (bytes: Buffer, from: number, to: number): unknown => JSON.parse(bytes.toString('utf8', from, to));

/** Of items between two commas a list is made in its place, for as long as it is parsed: a copy in brackets would be as large again. */
function parseItems(bytes: Buffer, from: number, to: number): readonly unknown[] {
  const [before = 0, behind = 0] = [bytes[from - 1], bytes[to]];
  bytes[from - 1] = OPEN_LIST;
  bytes[to] = CLOSE_LIST;
  try {
    return parseBetween(bytes, from - 1, to + 1) as unknown[];
  } finally {
    bytes[from - 1] = before;
    bytes[to] = behind;
  }
}

function expectByte(bytes: Buffer, at: number, byte: number): number {
  if (bytes[at] !== byte) throw new Damaged();
  return at + 1;
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  for (let byte = bytes[at]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = bytes[at]) at++;
  return at;
}

/** Behind the value that begins at `from`, if it is one: whether it is, its parser says. */
function findValueEnd(bytes: Buffer, from: number): number {
  let depth = 0;
  let at = from;
  for (;;) {
    const byte = bytes[at];
    if (byte === undefined) throw new Damaged();
    if (byte === QUOTE) at = findStringEnd(bytes, at);
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth++;
      at++;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST || byte === COMMA || byte === COLON) {
      // One that is not of the value ends it.
      if (depth === 0) return at;
      if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--;
      at++;
    } else at++;
    if (depth === 0 && (byte === QUOTE || byte === CLOSE_OBJECT || byte === CLOSE_LIST)) return at;
  }
}
