import { CompactionError } from '../errors.ts';
import { type Fields, isFields } from '../json.ts';
import type { Message, Part } from '../message/message.ts';
import type { Entry, Ledger } from './ledger.ts';
import type { JournalRecord } from './ports.ts';

/** Checks of data that comes back from a disk or a peer. They refuse; they never mend. */

const refuse = (where: string, what: string): never => {
  throw new CompactionError('bad-ledger', `${where}: ${what}. It was left as it is; restore it from a copy.`);
};

const wantFields = (value: unknown, where: string): Fields =>
  isFields(value) ? value : refuse(where, 'an object was expected');

function wantString(record: Fields, key: string, where: string): void {
  if (typeof record[key] !== 'string') refuse(where, `"${key}" must be a string`);
}

function wantCount(record: Fields, key: string, where: string): void {
  const value = record[key];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    refuse(where, `"${key}" must be a whole number of 0 or more`);
}

function wantList(value: unknown, where: string): readonly unknown[] {
  return Array.isArray(value) ? value : refuse(where, 'a list was expected');
}

const PART_STRINGS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  reasoning: ['text'],
  call: ['callId', 'tool'],
  result: ['callId'],
  media: ['kind', 'mediaType'],
  native: ['wire'],
};

function checkPart(value: unknown, where: string): void {
  const part = wantFields(value, where);
  const wanted = typeof part.type === 'string' ? PART_STRINGS[part.type] : undefined;
  for (const key of wanted ?? refuse(where, `unknown part type ${JSON.stringify(part.type)}`))
    wantString(part, key, where);
  if (part.type === 'result')
    for (const [i, piece] of wantList(part.content, `${where}.content`).entries())
      checkPart(piece, `${where}.content.${i}`);
  if (part.type === 'call' && part.input === undefined) refuse(where, '"input" is missing');
}

/**
 * A message from disk or from a peer, or an error that names the place. Shape only; whether it may follow the messages
 * before it is for the transcript to say.
 */
export function parseMessage(value: unknown, where = 'message'): Message {
  const message = wantFields(value, where);
  wantString(message, 'id', where);
  wantString(message, 'role', where);
  wantString(message, 'origin', where);
  const parts = wantList(message.parts, `${where}.parts`) as readonly Part[];
  for (let i = 0; i < parts.length; i++) checkPart(parts[i], `${where}.parts.${i}`);
  return value as Message;
}

function checkEdit(value: unknown, where: string): void {
  const edit = wantFields(value, where);
  wantString(edit, 'ref', where);
  if (edit.type === 'fold' || edit.type === 'insert') {
    for (const key of edit.type === 'fold' ? ['from', 'to'] : ['after']) wantString(edit, key, where);
    if (edit.type === 'fold') wantCount(wantFields(edit.hides, `${where}.hides`), 'messages', `${where}.hides`);
    if (edit.type === 'insert' && edit.replaces !== undefined)
      for (const ref of wantList(edit.replaces, `${where}.replaces`))
        if (typeof ref !== 'string') refuse(where, '"replaces" holds references');
    for (const [i, message] of wantList(edit.messages, `${where}.messages`).entries())
      parseMessage(message, `${where}.messages.${i}`);
    return;
  }
  if (edit.type !== 'replace' && edit.type !== 'drop' && edit.type !== 'shorten')
    refuse(where, `unknown edit type ${JSON.stringify(edit.type)}`);
  wantString(edit, 'message', where);
  wantCount(edit, 'part', where);
  if (edit.type === 'shorten' && edit.input === undefined) refuse(where, '"input" is missing');
  if (edit.type === 'replace') {
    for (const piece of wantList(edit.excerpt, `${where}.excerpt`)) {
      const slice = Array.isArray(piece) && piece.length === 2 && piece.every((n) => Number.isSafeInteger(n) && n >= 0);
      if (typeof piece !== 'string' && !slice) refuse(where, 'an excerpt holds strings and [from, to] pairs');
    }
  }
}

/** One entry of a stored ledger, or an error that names the place. */
export function parseEntry(value: unknown, where = 'entry'): Entry {
  const entry = wantFields(value, where);
  switch (entry.type) {
    case 'edits':
      for (const key of ['walk', 'tokensBefore', 'tokensAfter']) wantCount(entry, key, where);
      wantString(entry, 'layer', where);
      for (const key of ['of', 'overhead']) if (entry[key] !== undefined) wantCount(entry, key, where);
      if (entry.room !== undefined) {
        const room = wantFields(entry.room, `${where}.room`);
        for (const key of ['window', 'trigger', 'target']) wantCount(room, key, `${where}.room`);
      }
      wantString(entry, 'trigger', where);
      for (const [i, edit] of wantList(entry.edits, `${where}.edits`).entries()) checkEdit(edit, `${where}.edits.${i}`);
      break;
    case 'fact': {
      const fact = wantFields(entry.fact, `${where}.fact`);
      wantString(fact, 'type', `${where}.fact`);
      wantString(fact, 'key', `${where}.fact`);
      break;
    }
    case 'draft': {
      const draft = wantFields(entry.draft, `${where}.draft`);
      wantString(draft, 'upTo', `${where}.draft`);
      wantString(wantFields(draft.fact, `${where}.draft.fact`), 'text', `${where}.draft.fact`);
      break;
    }
    case 'usage':
      wantFields(entry.usage, `${where}.usage`);
      break;
    case 'pin':
    case 'unpin':
      wantString(entry, 'message', where);
      break;
    case 'seen':
      wantCount(entry, 'count', where);
      break;
    case 'revert':
      wantCount(entry, 'walk', where);
      break;
    default:
      refuse(where, `unknown entry type ${JSON.stringify(entry.type)}`);
  }
  return value as Entry;
}

/** A stored ledger, for `plan()`; a version that is not known here is refused. */
export function parseLedger(value: unknown): Ledger {
  const ledger = wantFields(value, 'ledger');
  if (ledger.version !== 1)
    refuse('ledger', `version ${JSON.stringify(ledger.version)} is not known here; update @palimpsest/core`);
  for (const [i, entry] of wantList(ledger.entries, 'ledger.entries').entries())
    parseEntry(entry, `ledger.entries.${i}`);
  return value as Ledger;
}

/** One line of a journal: what a store reads a session with. */
export function parseRecord(value: unknown, where = 'record'): JournalRecord {
  const record = wantFields(value, where);
  if (record.v !== 1) refuse(where, `version ${JSON.stringify(record.v)} is not known here; update @palimpsest/core`);
  if (record.type === 'session') {
    wantString(record, 'id', where);
    if (record.preset !== undefined) wantString(record, 'preset', where);
  } else if (record.type === 'message') parseMessage(record.message, `${where}.message`);
  else if (record.type === 'entry') parseEntry(record.entry, `${where}.entry`);
  else refuse(where, `unknown record type ${JSON.stringify(record.type)}`);
  return value as JournalRecord;
}
