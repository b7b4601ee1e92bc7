import { redact } from '@palimpsest/core';
import type { Loss } from '@palimpsest/measure';
import { toLine } from '../model/describe-messages.ts';
import type { AuditReport, CompactionAudit } from './audit-recording.ts';
import { judgeAudit } from './judge-audit.ts';

const SHOWN = 5;
const CHARS = 120;
const number = new Intl.NumberFormat('en-US');

/** A text inside a line of code, whatever stands in it. */
const quote = (text: string): string => `\`${redact(toLine(text)).slice(0, CHARS).replaceAll('`', 'ˋ')}\``;

const share = ({ needed, lost }: Loss): string =>
  needed === 0 ? '–' : `${((100 * (needed - lost.length)) / needed).toFixed(1)} %`;

/** An audit for an issue or a chat: the verdict, a table of compactions, examples of what was lost. */
export function writeMarkdown(name: string, report: AuditReport): string {
  const { sentence, because, worst } = judgeAudit(report);
  const lines = [
    `## Audit of ${quote(name)}`,
    '',
    `**${sentence}**`,
    '',
    ...because.map((one) => `- ${one}`),
    '',
    `${report.format}, ${number.format(report.messages)} messages, ${number.format(report.calls)} model calls, ${number.format(report.compactions.length)} ${report.compactions.length === 1 ? 'compaction' : 'compactions'}.`,
  ];
  if (worst.length > 0) lines.push('', ...writeTable(worst), '', ...writeExamples(worst));
  return `${lines.join('\n').trimEnd()}\n`;
}

function writeTable(worst: readonly CompactionAudit[]): readonly string[] {
  return [
    '| compaction | tokens | kept: names | files | commands | requests | default would keep: names | requests |',
    '|---|---|---|---|---|---|---|---|',
    ...worst.slice(0, 2 * SHOWN).map((one) => {
      const ours = one.ours.find(({ preset }) => preset === 'default');
      const { identifiers, files, commands, rules } = one.losses;
      const own = [identifiers, files, commands, rules].map(share);
      const theirs = ours === undefined ? ['–', '–'] : [ours.losses.identifiers, ours.losses.rules].map(share);
      const size = `${number.format(one.tokensBefore)} → ${number.format(one.tokens)}`;
      return `| ${one.boundary ?? 'clearing'}, after message ${number.format(one.at)} | ${size} | ${[...own, ...theirs].join(' | ')} |`;
    }),
  ];
}

function writeExamples(worst: readonly CompactionAudit[]): readonly string[] {
  const collect = (read: (one: CompactionAudit) => readonly string[]): readonly string[] =>
    [...new Set(worst.flatMap(read))].slice(0, SHOWN);
  const lost = [
    ['Sentences of yours that may be requests, no longer in view', collect(({ losses }) => losses.rules.lost)],
    ['Files', collect(({ losses }) => losses.files.lost)],
    ['Commands', collect(({ losses }) => losses.commands.lost)],
    ['Names that the agent acted on', collect(({ losses }) => losses.acted.lost)],
    ['Read or run again', collect(({ repeats }) => [...repeats.reads, ...repeats.commands].map(({ what }) => what))],
  ] as const;
  return lost.flatMap(([title, texts]) => (texts.length === 0 ? [] : [`- ${title}: ${texts.map(quote).join(', ')}`]));
}
