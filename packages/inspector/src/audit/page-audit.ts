import { redact } from '@palimpsest/core';
import type { Kept, NeedKind } from '@palimpsest/measure';
import { toLine } from '../model/describe-messages.ts';
import type { AuditedCompaction, AuditPage } from '../model/inspection.ts';
import type { AuditReport, CompactionAudit } from './audit-recording.ts';
import type { CacheBreak } from './cache-breaks.ts';
import { judgeAudit } from './judge-audit.ts';
import { writeMarkdown } from './write-markdown.ts';

/** What is shown, in the order of how much it matters to a user, and what it is called. */
const SHOWN: readonly (readonly [kind: NeedKind, words: string])[] = [
  ['rules', "the user's requests"],
  ['words', "the user's words"],
  ['files', 'files'],
  ['commands', 'commands'],
  ['editLines', 'lines to edit'],
  ['acted', 'names it acted on'],
  ['identifiers', 'names'],
  ['relations', 'names that belong together'],
];
const EXAMPLES = 6;
const BREAKS = 12;
const CHARS = 200;

const show = (text: string): string => toLine(redact(text)).slice(0, CHARS);

/** An audit as the page shows it: the verdict first, then each compaction with examples that matter. */
export function toAuditPage(name: string, report: AuditReport): AuditPage {
  const { sentence, because } = judgeAudit(report);
  return {
    sentence,
    because,
    kinds: SHOWN.map(([, words]) => words),
    compactions: report.compactions.map(toCompaction),
    breaks: [...report.cacheBreaks]
      .sort((one, other) => (other.money ?? 0) - (one.money ?? 0))
      .slice(0, BREAKS)
      .map(({ money, ...one }) => ({ at: one.at, why: wordCause(one), ...(money === undefined ? {} : { money }) })),
    markdown: writeMarkdown(name, report),
  };
}

const wordCause = ({ cause, pauseMs }: CacheBreak): string =>
  cause === 'pause' && pauseMs !== undefined
    ? `a pause of ${Math.round(pauseMs / 60_000)} min: the cache had expired`
    : 'the request changed early on';

const listHeld = ({ losses }: Kept): readonly (readonly [number, number])[] =>
  SHOWN.map(([kind]) => [losses[kind].needed - losses[kind].lost.length, losses[kind].needed] as const);

const toCompaction = (one: CompactionAudit, cliff: number): AuditedCompaction => ({
  cliff,
  at: one.at,
  tokensBefore: one.tokensBefore,
  tokens: one.tokens,
  ...(one.unread === undefined ? {} : { unread: one.unread }),
  kept: [
    ...(one.sealed ? [] : [{ by: 'recording', held: listHeld(one) }]),
    ...one.ours.map((ours) => ({ by: ours.preset, held: listHeld(ours) })),
  ],
  lost: one.sealed
    ? []
    : SHOWN.map(([kind, words]) => ({
        kind: words,
        texts: one.losses[kind].lost.slice(0, EXAMPLES).map(show),
        more: Math.max(0, one.losses[kind].lost.length - EXAMPLES),
      })).filter(({ texts }) => texts.length > 0),
  again: [...one.repeats.reads, ...one.repeats.commands]
    .slice(0, EXAMPLES)
    .map(({ what, times, tokens }) => ({ what: show(what), times, tokens })),
});
