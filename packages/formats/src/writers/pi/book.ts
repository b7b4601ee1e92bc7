import type { Message, MessageId } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/json';
import type { RecordedUsage, SessionRecord } from '../../recording/recording.ts';
import { countKeptTail } from '../count-kept.ts';
import type { Listener } from '../retell-session.ts';
import { makeShortId } from '../stable-id.ts';
import { isoTime, isTime } from '../timestamp.ts';
import { fillCounts, findReportRemainder, indexUsage } from '../usage-record.ts';
import { compactionEntry, findSummary } from './compaction-entry.ts';
import { makeEntries } from './entries.ts';

/** The entries of a session as they come, a chain by parentId. */
export interface Book extends Listener {
  readonly entries: readonly Fields[];
}

export function newBook(session: SessionRecord, sessionId: string): Book {
  const entries: Fields[] = [];
  const makeId = newIdMaker(sessionId);
  const firstEntry = new Map<MessageId, { readonly id: string; readonly place: number }>();
  const tools = new Map<string, string>();
  const usage = indexUsage(session);
  let parent: string | null = null;
  let time = 0;
  let lastCopy = -1;

  const push = (entry: Fields): void => {
    entries.push({ ...entry, parentId: parent });
    parent = String(entry.id);
  };
  /** Writes a message of the transcript (at `place`) or a copy of one, and gives back the id of its first entry. */
  const write = (message: Message, place: number | undefined, salt: string): string => {
    for (const part of message.parts) if (part.type === 'call') tools.set(part.callId, part.tool);
    const reported = place === undefined ? undefined : usage.get(place);
    const timestamp = isoTime(message.at, time);
    const extra = { ...findReportRemainder(reported), ...(place === undefined ? { inserted: true } : {}) };
    const made = makeEntries(
      message,
      (index) => ({
        id: makeId(index === 0 && place !== undefined ? message.id : undefined, `${salt}${message.id}/${index}`),
        timestamp,
      }),
      {
        model: session.model ?? 'unknown',
        usage: usageRecord(reported),
        toolOf: (callId) => tools.get(callId) ?? 'unknown',
        ...(Object.keys(extra).length === 0 ? {} : { remainder: extra }),
      },
    );
    for (const entry of made) push(entry);
    return String(made[0]?.id);
  };

  return {
    entries,
    say(message, place) {
      if (isTime(message.at)) time = message.at;
      const at = entries.length;
      firstEntry.set(message.id, { id: write(message, place, ''), place: at });
    },
    compact({ compaction, before, after, said }, number) {
      const summary = findSummary(after, said);
      const shown = summary === undefined ? after : after.slice(1);
      const count = countKeptTail(shown, said, before);
      const kept = count === 0 ? undefined : said[said.length - count];
      const from = kept === undefined ? undefined : firstEntry.get(kept.id);
      // pi shows all entries from the first kept one on, so nothing but kept ones may stand there.
      const isTail = count === shown.length && (from === undefined || from.place > lastCopy);
      const copies = isTail ? [] : shown.map((message) => write(message, undefined, `copy-${number}/`));
      if (copies.length > 0) lastCopy = entries.length - 1;
      const id = makeId(summary?.message.id, `compaction/${number}`);
      const timestamp = isoTime(compaction.when, time);
      push(compactionEntry(compaction, summary, { id, timestamp, firstKept: copies[0] ?? from?.id ?? id }));
    },
  };
}

/** Ids of pi's form, each given once: the one wanted where it has that form and is free, else one made from the seed. */
function newIdMaker(sessionId: string): (wanted: string | undefined, seed: string) => string {
  const taken = new Set<string>();
  return (wanted, seed) => {
    let id = wanted !== undefined && /^[0-9a-f]{8}$/.test(wanted) ? wanted : makeShortId(`${sessionId}/${seed}`);
    for (let n = 2; taken.has(id); n++) id = makeShortId(`${sessionId}/${seed}/${n}`);
    taken.add(id);
    return id;
  };
}

const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

function usageRecord(reported: RecordedUsage | undefined): Fields {
  const counts = fillCounts(reported?.usage ?? {});
  const { input, output, cacheRead, cacheWrite } = counts;
  return { ...counts, totalTokens: input + output + cacheRead + cacheWrite, cost: FREE };
}
