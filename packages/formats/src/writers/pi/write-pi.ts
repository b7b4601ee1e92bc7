import type { Message, MessageId } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/json';
import { omitUndefined } from '../../fields.ts';
import type { CompactionRemainder } from '../../readers/pi/pi.ts';
import { type AboutCompaction, findAboutRemainder } from '../../recording/compaction.ts';
import { type RecordedCompaction, type SessionRecord, viewOf } from '../../recording/recording.ts';
import { findRemainder } from '../../recording/remainder.ts';
import { countKeptTail } from '../count-kept-tail.ts';
import { makeShortId } from '../stable-id.ts';
import { isoTime, isTime } from '../timestamp.ts';
import { fillCounts, findReportRemainder, indexUsage } from '../usage-record.ts';
import { makeEntries } from './entries.ts';

/** What the first line of pi's file says; by default what the session says of itself. */
export interface PiOptions {
  readonly sessionId?: string;
  readonly cwd?: string;
}

/** What pi shows as a summary where a compaction has none. */
const NO_SUMMARY = 'Earlier results were shortened to save space.';

/**
 * The session as pi (version 3) records its own: a chain of entries by parentId, a compaction entry that names the first
 * kept one. What its format cannot say stands beside it, under `palimpsest`.
 */
export function writePi(session: SessionRecord, options: PiOptions = {}): string {
  const { messages } = session;
  const sessionId = options.sessionId ?? session.id ?? 'session';
  const book = newBook(session, sessionId);
  const head = {
    type: 'session',
    version: 3,
    id: sessionId,
    timestamp: isoTime(messages.find((message) => isTime(message.at))?.at, 0),
  };
  let view: Message[] = [];
  let next = 0;
  for (let place = 0; place <= messages.length; place++) {
    for (let one = session.compactions[next]; one?.at === place; one = session.compactions[++next]) {
      const after = viewOf(one, messages);
      book.compact(one, after, view, messages.slice(0, place), next);
      view = [...after];
    }
    const message = messages[place];
    if (message === undefined) continue;
    book.say(message, place);
    view.push(message);
  }
  const entries = [{ ...head, cwd: options.cwd ?? session.cwd ?? '' }, ...book.entries];
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

interface Book {
  readonly entries: readonly Fields[];
  say(message: Message, place: number): void;
  compact(
    compaction: RecordedCompaction,
    after: readonly Message[],
    before: readonly Message[],
    said: readonly Message[],
    number: number,
  ): void;
}

function newBook(session: SessionRecord, sessionId: string): Book {
  const entries: Fields[] = [];
  const taken = new Set<string>();
  const firstEntry = new Map<MessageId, { readonly id: string; readonly place: number }>();
  const tools = new Map<string, string>();
  const usage = indexUsage(session);
  let parent: string | null = null;
  let time = 0;
  let lastCopy = -1;

  const idFor = (wanted: string | undefined, seed: string): string => {
    let id = wanted !== undefined && /^[0-9a-f]{8}$/.test(wanted) ? wanted : makeShortId(`${sessionId}/${seed}`);
    for (let n = 2; taken.has(id); n++) id = makeShortId(`${sessionId}/${seed}/${n}`);
    taken.add(id);
    return id;
  };
  const push = (entry: Fields): void => {
    entries.push({ ...entry, parentId: parent });
    parent = String(entry.id);
  };
  const write = (message: Message, place: number | undefined, salt: string): string => {
    for (const part of message.parts) if (part.type === 'call') tools.set(part.callId, part.tool);
    const reported = place === undefined ? undefined : usage.get(place);
    const { input, output, cacheRead, cacheWrite } = fillCounts(reported?.usage ?? {});
    const timestamp = isoTime(message.at, time);
    const extra = { ...findReportRemainder(reported), ...(place === undefined ? { inserted: true } : {}) };
    const made = makeEntries(
      message,
      (index) => ({
        id: idFor(index === 0 && place !== undefined ? message.id : undefined, `${salt}${message.id}/${index}`),
        timestamp,
      }),
      {
        model: session.model ?? 'unknown',
        usage: {
          input,
          output,
          cacheRead,
          cacheWrite,
          totalTokens: input + output + cacheRead + cacheWrite,
          cost: FREE,
        },
        toolOf: (callId) => tools.get(callId) ?? 'unknown',
        ...(Object.keys(extra).length === 0 ? {} : { remainder: extra }),
      },
    );
    for (const entry of made) push(entry);
    return String(made[0]!.id);
  };

  return {
    entries,
    say(message, place) {
      if (isTime(message.at)) time = message.at;
      const at = entries.length;
      firstEntry.set(message.id, { id: write(message, place, ''), place: at });
    },
    compact(compaction, after, before, said, number) {
      const first = after[0];
      const [only, more] = first?.parts ?? [];
      const words = first?.role === 'user' && more === undefined && only?.type === 'text' ? only.text : undefined;
      const isBare = words === undefined || said.some((message) => message.id === first?.id);
      const shown = isBare ? after : after.slice(1);
      const count = countKeptTail(shown, said, before);
      const from = count === 0 ? undefined : firstEntry.get(said[said.length - count]!.id);
      // pi shows all entries from the first kept one on, so nothing but kept ones may stand there.
      const isTail = count === shown.length && (from === undefined || from.place > lastCopy);
      const copies = isTail ? [] : shown.map((message) => write(message, undefined, `copy-${number}/`));
      if (copies.length > 0) lastCopy = entries.length - 1;
      const id = idFor(isBare ? undefined : first?.id, `compaction/${number}`);
      const timestamp = isoTime(compaction.when, time);
      const summary = words !== undefined && !isBare ? words : NO_SUMMARY;
      const { tokensBefore = 0 } = compaction;
      const plain: AboutCompaction = {
        type: 'summary',
        cleared: [],
        when: Date.parse(timestamp),
        tokensBefore,
        ...(isBare ? {} : { summary, summaryId: first!.id }),
      };
      const base: Message = {
        id,
        role: 'user',
        origin: 'palimpsest',
        parts: [{ type: 'text', text: summary }],
        at: Date.parse(timestamp),
      };
      const remainder: CompactionRemainder = {
        ...(isBare ? { bare: true } : { summary: findRemainder(base, first!, [0]) }),
        ...omitUndefined({ change: findAboutRemainder(plain, compaction) }),
      };
      push({
        type: 'compaction',
        id,
        timestamp,
        summary,
        firstKeptEntryId: copies[0] ?? from?.id ?? id,
        tokensBefore,
        details: { readFiles: [], modifiedFiles: [] },
        palimpsest: remainder,
      });
    },
  };
}

const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
