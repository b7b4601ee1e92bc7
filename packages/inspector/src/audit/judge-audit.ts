import type { PresetName } from '@palimpsest/core';
import type { Kept, NeedKind } from '@palimpsest/measure';
import { tellUnread } from '../model/tell.ts';
import type { AuditReport, CompactionAudit } from './audit-recording.ts';

/** What an audit comes to, in words: one sentence, and three that say why. */
export interface AuditVerdict {
  readonly sentence: string;
  readonly because: readonly string[];
  /** Compactions that can be read, the one that lost most first. */
  readonly worst: readonly CompactionAudit[];
}

const number = new Intl.NumberFormat('en-US');
const count = (value: number, one: string, many = `${one}s`): string =>
  `${number.format(value)} ${value === 1 ? one : many}`;
const percent = (part: number, of: number): string => (of === 0 ? '–' : `${((100 * part) / of).toFixed(1)} %`);
/** Nothing where a price is not known. */
const wordMoney = (values: readonly (number | undefined)[], before: string, after = ''): string => {
  if (values.includes(undefined)) return '';
  const sum = values.reduce<number>((all, value) => all + (value ?? 0), 0);
  return `${before}$${sum.toFixed(sum >= 1 ? 2 : 4)}${after}`;
};

interface Tally {
  readonly needed: number;
  readonly lost: number;
}

const sumLosses = (all: readonly Kept[], kind: NeedKind): Tally => ({
  needed: all.reduce((sum, { losses }) => sum + losses[kind].needed, 0),
  lost: all.reduce((sum, { losses }) => sum + losses[kind].lost.length, 0),
});

/** Several recordings as one. */
export const joinReports = (reports: readonly AuditReport[]): AuditReport => ({
  format: [...new Set(reports.map(({ format }) => format))].join(', '),
  messages: reports.reduce((sum, one) => sum + one.messages, 0),
  calls: reports.reduce((sum, one) => sum + one.calls, 0),
  compactions: reports.flatMap(({ compactions }) => compactions),
  problems: reports.flatMap(({ problems }) => problems),
  cacheBreaks: reports.flatMap(({ cacheBreaks }) => cacheBreaks),
  notes: reports.flatMap(({ notes }) => notes),
});

/** The verdict, then what was lost, what that cost, and what would have kept it. */
export function judgeAudit(report: AuditReport): AuditVerdict {
  const { compactions } = report;
  const readable = compactions.filter(({ sealed }) => !sealed);
  const worst = [...readable].sort((one, other) => countLost(other) - countLost(one));
  return {
    sentence: wordVerdict(report, readable),
    because: [
      ...wordUnjudged(report, readable),
      ...wordLosses(readable),
      ...wordRepeats(readable),
      ...wordOurs(readable),
      ...wordBreaks(report),
    ],
    worst,
  };
}

const countLost = ({ losses }: Kept): number => losses.identifiers.lost.length;

/** From what share on it says what. */
const GRADES: readonly (readonly [from: number, words: string])[] = [
  [0.5, 'It forgot most of what it went on to need.'],
  [0.25, 'It forgot much of what it went on to need.'],
  [0.05, 'It forgot some of what it went on to need.'],
  [0, 'It forgot next to nothing that it went on to need.'],
];

function wordVerdict({ compactions }: AuditReport, readable: readonly CompactionAudit[]): string {
  if (compactions.length === 0) return 'Nothing was compacted, so nothing was forgotten that way.';
  if (readable.length === 0) return `What it forgot cannot be judged: ${wordUnread(compactions)}.`;
  const { needed, lost } = sumLosses(readable, 'identifiers');
  if (needed === 0) return 'The agent used nothing afterwards that it had seen before.';
  return GRADES.find(([from]) => lost / needed >= from)?.[1] ?? '';
}

/** Each reason once. */
const wordUnread = (compactions: readonly CompactionAudit[]): string =>
  [...new Set(compactions.flatMap(({ unread }) => (unread === undefined ? [] : [tellUnread(unread)])))].join('; or ');

function wordUnjudged({ compactions }: AuditReport, readable: readonly CompactionAudit[]): readonly string[] {
  const left = compactions.length - readable.length;
  if (left === 0 || readable.length === 0) return [];
  return [
    `${number.format(left)} of ${count(compactions.length, 'compaction')} cannot be judged: ${wordUnread(compactions)}.`,
  ];
}

function wordLosses(readable: readonly CompactionAudit[]): readonly string[] {
  const names = sumLosses(readable, 'identifiers');
  const requests = sumLosses(readable, 'rules');
  const ofRequests =
    requests.lost === 0
      ? ''
      : ` ${number.format(requests.lost)} of ${count(requests.needed, 'sentence')} of yours that may be requests ${requests.lost === 1 ? 'was' : 'were'} no longer in view word for word.`;
  if (names.needed === 0) return ofRequests === '' ? [] : [ofRequests.trimStart()];
  return [
    `Of ${count(names.needed, 'name or path', 'names and paths')} it had seen and used again, ${number.format(names.lost)} (${percent(names.lost, names.needed)}) were gone.${ofRequests}`,
  ];
}

function wordRepeats(readable: readonly CompactionAudit[]): readonly string[] {
  const reads = readable.flatMap(({ repeats }) => repeats.reads);
  const runs = readable.flatMap(({ repeats }) => repeats.commands);
  if (reads.length + runs.length === 0) return [];
  const tokens = [...reads, ...runs].reduce((sum, one) => sum + one.tokens, 0);
  const what = [
    ...(reads.length > 0 ? [`${count(reads.length, 'file')} had to be read again`] : []),
    ...(runs.length > 0 ? [`${count(runs.length, 'command')} had to be run again`] : []),
  ].join(' and ');
  const cost = wordMoney(
    readable.map(({ repeatsMoney }) => repeatsMoney),
    ', about ',
    ' to send',
  );
  return [`${what}: ${number.format(tokens)} tokens of results${cost}.`];
}

/** Views of no more than this share of a room count as views in it. */
const EQUAL_ROOM = 1.05;

/** Of the presets, the one that keeps most; by the same needs, in the same room. */
function wordOurs(readable: readonly CompactionAudit[]): readonly string[] {
  const own = sumLosses(readable, 'identifiers');
  const names = [...new Set(readable.flatMap(({ ours }) => ours.map(({ preset }) => preset)))];
  const room = readable.reduce((sum, { tokens }) => sum + tokens, 0);
  // What users and clients wrote stays, so a preset may need more than the recording left.
  const fits = (preset: PresetName): boolean =>
    listOurs(readable, preset).reduce((sum, { tokens }) => sum + tokens, 0) <= room * EQUAL_ROOM;
  const kept = names
    .filter(fits)
    .map((preset) => ({ preset, ...sumLosses(listOurs(readable, preset), 'identifiers') }))
    .sort((one, other) => one.lost - other.lost);
  const [best] = kept;
  if (best === undefined || own.needed === 0) return [];
  return [
    `In the same number of tokens our ${best.preset} preset would have kept ${percent(best.needed - best.lost, best.needed)} of the names (the recording: ${percent(own.needed - own.lost, own.needed)}).`,
  ];
}

const listOurs = (readable: readonly CompactionAudit[], preset: PresetName): readonly Kept[] =>
  readable.flatMap(({ ours }) => ours.filter((one) => one.preset === preset));

function wordBreaks({ cacheBreaks }: AuditReport): readonly string[] {
  if (cacheBreaks.length === 0) return [];
  const pauses = cacheBreaks.filter(({ cause }) => cause === 'pause').length;
  const after =
    pauses === 0
      ? ''
      : pauses === cacheBreaks.length
        ? ', after a pause'
        : `, ${number.format(pauses)} of them after a pause`;
  const cost = wordMoney(
    cacheBreaks.map((one) => one.money),
    '; that cost about ',
  );
  return [`The cache broke ${count(cacheBreaks.length, 'time')} without a compaction${after}${cost}.`];
}
