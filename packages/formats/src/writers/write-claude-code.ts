import type { Message, MessageId } from '@palimpsest/core';
import { clearResults } from '../cleared.ts';
import { type AboutCompaction, carryAbout } from '../compaction.ts';
import { type Fields, given, same } from '../fields.ts';
import { type RecordedCompaction, type SessionRecord, viewOf } from '../recording.ts';
import { isUuid, uuidFrom } from '../stable-id.ts';
import { type LineOptions, linesOf, type WrittenLine } from './claude-code-lines.ts';
import { keptTail } from './kept-tail.ts';
import { isoTime, isTime } from './timestamp.ts';
import { counts, reportedBeside, usageByPlace } from './usage-record.ts';

export interface ClaudeCodeOptions {
  /** A UUID; the file has to be named after it. By default the session's own id, or one made from it. */
  readonly sessionId?: string;
  readonly cwd?: string;
  readonly version?: string;
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
  const sessionId = options.sessionId ?? (isUuid(own) ? own : uuidFrom(`session/${own}`));
  const chain = newChain(session, sessionId, options);
  const usage = usageByPlace(session);
  let view: Message[] = [];
  let next = 0;
  for (let place = 0; place <= session.messages.length; place++) {
    for (let one = session.compactions[next]; one?.at === place; one = session.compactions[++next]) {
      const after = viewOf(one, session.messages);
      chain.compact(one, after, view, session.messages.slice(0, place), next);
      view = [...after];
    }
    const message = session.messages[place];
    if (message === undefined) continue;
    const reported = usage.get(place);
    const tokens = reported === undefined ? undefined : counts(reported.usage);
    const beside = reportedBeside(reported);
    chain.say(message, {
      ...(tokens === undefined
        ? {}
        : {
            usage: {
              input_tokens: tokens.input,
              cache_creation_input_tokens: tokens.cacheWrite,
              cache_read_input_tokens: tokens.cacheRead,
              output_tokens: tokens.output,
            },
          }),
      ...(beside.reported === undefined ? {} : { carried: beside }),
    });
    view.push(message);
  }
  return chain.text();
}

interface Chain {
  say(message: Message, extra: Pick<LineOptions, 'usage' | 'carried'>): void;
  compact(
    compaction: RecordedCompaction,
    after: readonly Message[],
    before: readonly Message[],
    said: readonly Message[],
    number: number,
  ): void;
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
  const lines: string[] = [];
  const uuids = new Map<MessageId, readonly string[]>();
  let tip: string | null = null;
  let time = 0;
  let callers = new Map<string, string>();

  const write = (record: Fields, parent: string | null): void => {
    lines.push(JSON.stringify({ parentUuid: parent, ...envelope, ...record }));
    tip = String(record.uuid);
  };
  const writeLines = (written: readonly WrittenLine[]): readonly string[] => {
    if (written.some((line) => line.calls.length > 0)) callers = new Map();
    for (const { record, uuid, answers, calls } of written) {
      // A result hangs off the line with its call; what follows hangs off the last result.
      const caller = answers === undefined ? undefined : callers.get(answers);
      write(caller === undefined ? record : { ...record, sourceToolAssistantUUID: caller }, caller ?? tip);
      for (const callId of calls) callers.set(callId, uuid);
    }
    return written.map((line) => line.uuid);
  };
  const base = (): Pick<LineOptions, 'sessionId' | 'model' | 'fallbackTime'> => ({
    sessionId,
    model: session.model ?? 'unknown',
    fallbackTime: time,
  });
  const stamp = (compaction: RecordedCompaction): string => isoTime(compaction.when, time);

  const clear = (compaction: RecordedCompaction, uuid: string): void => {
    const timestamp = stamp(compaction);
    const { trigger = 'auto', tokensBefore = 0, cleared } = compaction;
    const plain: AboutCompaction = { type: 'clear', trigger, tokensBefore, cleared, when: Date.parse(timestamp) };
    const microcompactMetadata = {
      trigger,
      preTokens: tokensBefore,
      compactedToolIds: cleared,
      clearedAttachmentUUIDs: [],
      ...given({ palimpsest: carryAbout(plain, compaction) }),
    };
    const said = { type: 'system', subtype: 'microcompact_boundary', content: 'Old results cleared', isMeta: false };
    write({ ...said, level: 'info', uuid, timestamp, microcompactMetadata }, tip);
  };

  return {
    say(message, extra) {
      if (isTime(message.at)) time = message.at;
      uuids.set(message.id, writeLines(linesOf(message, { ...base(), ...extra })));
    },
    compact(compaction, after, before, said, number) {
      const boundary = uuidFrom(`compaction/${sessionId}/${number}`);
      const blanked = clearResults(before, new Set(compaction.cleared));
      if (compaction.type === 'clear' && same(blanked, after)) return clear(compaction, boundary);
      const count = keptTail(after, said, before);
      const put = after.slice(0, after.length - count);
      const kept = said.slice(said.length - count).map((message) => uuids.get(message.id)!);
      const first = put[0];
      const isSummary = first?.role === 'user' && first.parts.every((part) => part.type === 'text');
      const inserted = put.map((message, index) =>
        linesOf(message, {
          ...base(),
          salt: `inserted-${number}`,
          isSummary: index === 0 && isSummary,
          ...(index === 0 && isSummary ? {} : { carried: { inserted: true } }),
        }),
      );
      const anchor = inserted.at(-1)?.at(-1)?.uuid ?? boundary;
      const timestamp = stamp(compaction);
      const { trigger = 'manual', tokensBefore = 0, tokensAfter } = compaction;
      const plain: AboutCompaction = {
        type: 'summary',
        cleared: [],
        trigger,
        tokensBefore,
        when: Date.parse(timestamp),
        ...given({ tokensAfter }),
        ...(isSummary && first !== undefined
          ? {
              summary: first.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
              summaryId: first.id,
            }
          : {}),
      };
      const all = kept.flat();
      const compactMetadata = {
        trigger,
        preTokens: tokensBefore,
        ...given({ postTokens: tokensAfter }),
        ...(all.length === 0
          ? {}
          : {
              preservedSegment: { headUuid: all[0], anchorUuid: anchor, tailUuid: all.at(-1) },
              preservedMessages: { anchorUuid: anchor, uuids: kept.map(([head]) => head), allUuids: all },
            }),
        ...given({ palimpsest: carryAbout(plain, compaction) }),
      };
      const announced = {
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        isMeta: false,
      };
      write({ logicalParentUuid: tip, ...announced, level: 'info', uuid: boundary, timestamp, compactMetadata }, null);
      for (const written of inserted) writeLines(written);
      // The conversation goes on from the last message that is shown.
      tip = all.at(-1) ?? tip;
    },
    text: () => lines.map((line) => `${line}\n`).join(''),
  };
}
