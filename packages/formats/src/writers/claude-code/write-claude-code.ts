import type { MessageId } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/json';
import type { RecordedUsage, SessionRecord } from '../../recording/recording.ts';
import { type Listener, retellSession } from '../retell-session.ts';
import { isUuid, makeUuid } from '../stable-id.ts';
import { isoTime, isTime } from '../timestamp.ts';
import { fillCounts, findReportRemainder, indexUsage } from '../usage-record.ts';
import { boundaryRecord, clearingRecord, isMereClearing, splitTurnover } from './boundary.ts';
import { type LineOptions, makeLines, type WrittenLine } from './lines.ts';

/** What Claude Code writes into every line besides the conversation. */
export interface ClaudeCodeOptions {
  /** A UUID; the file has to be named after it. By default the session's own id, or one made from it. */
  readonly sessionId?: string;
  /** The session's own by default, else empty. */
  readonly cwd?: string;
  /** Of Claude Code; the session's own by default, else a release that the format is known from. */
  readonly version?: string;
  /** Empty by default. */
  readonly gitBranch?: string;
}

/** A release whose sessions have preserved segments. */
const VERSION = '2.1.217';

/**
 * The session as Claude Code records its own: a chain of lines by parentUuid, a boundary and a summary line for each
 * compaction, the kept messages named by the boundary. What its format cannot say stands beside it, under `palimpsest`.
 */
export function writeClaudeCode(session: SessionRecord, options: ClaudeCodeOptions = {}): string {
  const own = session.id ?? 'session';
  const sessionId = options.sessionId ?? (isUuid(own) ? own : makeUuid(`session/${own}`));
  const chain = newChain(session, sessionId, options);
  retellSession(session, chain);
  return chain.text();
}

/** The lines of a session as they come, a chain by parentUuid. */
interface Chain extends Listener {
  text(): string;
}

function newChain(session: SessionRecord, sessionId: string, options: ClaudeCodeOptions): Chain {
  const envelope = {
    isSidechain: false,
    userType: 'external',
    cwd: options.cwd ?? session.cwd ?? '',
    sessionId,
    version: options.version ?? session.version?.match(/^\d+\.\d+\.\d+/)?.[0] ?? VERSION,
    gitBranch: options.gitBranch ?? '',
  };
  const usage = indexUsage(session);
  const lines: string[] = [];
  const uuids = new Map<MessageId, readonly string[]>();
  let tip: string | null = null;
  let time = 0;
  let callers = new Map<string, string>();

  const write = (record: Fields, parent: string | null): void => {
    lines.push(`${JSON.stringify({ parentUuid: parent, ...envelope, ...record })}\n`);
    tip = String(record.uuid);
  };
  const writeLines = (written: readonly WrittenLine[]): void => {
    if (written.some((line) => line.calls.length > 0)) callers = new Map();
    for (const { record, uuid, answers, calls } of written) {
      // A result hangs off the line with its call; what follows hangs off the last result.
      const caller = answers === undefined ? undefined : callers.get(answers);
      write(caller === undefined ? record : { ...record, sourceToolAssistantUUID: caller }, caller ?? tip);
      for (const callId of calls) callers.set(callId, uuid);
    }
  };
  const base = (): Pick<LineOptions, 'sessionId' | 'model' | 'fallbackTime'> => ({
    sessionId,
    model: session.model ?? 'unknown',
    fallbackTime: time,
  });

  return {
    say(message, place) {
      if (isTime(message.at)) time = message.at;
      const reported = usage.get(place);
      const beside = findReportRemainder(reported);
      const written = makeLines(message, {
        ...base(),
        ...(reported === undefined ? {} : { usage: usageRecord(reported) }),
        ...(beside.reported === undefined ? {} : { remainder: beside }),
      });
      uuids.set(
        message.id,
        written.map((line) => line.uuid),
      );
      writeLines(written);
    },
    compact(turnover, number) {
      const { compaction } = turnover;
      const boundary = makeUuid(`compaction/${sessionId}/${number}`);
      const timestamp = isoTime(compaction.when, time);
      if (isMereClearing(turnover)) return write(clearingRecord(turnover, boundary, timestamp), tip);
      const { put, summaryAt, kept, inFront } = splitTurnover(turnover);
      const inserted = put.map((message, index) =>
        makeLines(message, {
          ...base(),
          salt: `inserted-${number}`,
          ...(index === summaryAt ? { isSummary: true } : { remainder: { inserted: true } }),
        }),
      );
      const segment = kept.map((message) => uuids.get(message.id) ?? []);
      const before = inFront ? [] : inserted;
      const record = boundaryRecord(compaction, boundary, timestamp, put[summaryAt], before, segment);
      write({ logicalParentUuid: tip, ...record }, null);
      for (const written of inserted) writeLines(written);
      // The conversation goes on from the last message that is shown.
      if (!inFront) tip = segment.at(-1)?.at(-1) ?? tip;
    },
    text: () => lines.join(''),
  };
}

function usageRecord(reported: RecordedUsage): Fields {
  const { input, output, cacheRead, cacheWrite } = fillCounts(reported.usage);
  return {
    input_tokens: input,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
  };
}
