import type { Receipt } from '@palimpsest/core';
import {
  clip,
  formatCount,
  formatNumber,
  isSummaryEdit,
  oneLine,
  type Paint,
  reasonLines,
  receiptLines,
  toScreenText,
  wrap,
} from '@palimpsest/terminal';
import type { AgentEvent } from '../loop/agent-event.ts';
import { callLines } from './call-lines.ts';

/** What an event comes to for a reader: the same lines on the screen, in a pipe and in the sample. Text is not among them. */
export function eventLines(event: AgentEvent, paint: Paint, columns: number): readonly string[] {
  const dim = (line: string): readonly string[] => [paint.dim(clip(`  ${oneLine(line)}`, columns))];
  const warn = (line: string): readonly string[] => [paint.yellow(clip(`  ${oneLine(line)}`, columns))];
  switch (event.type) {
    case 'call-ended':
      return callLines(event, paint, columns);
    case 'view-compacted':
      // The command that edits a summary tells it, once it is saved.
      return isSummaryEdit(event.receipt) ? [] : compactionLines(event.receipt, paint, columns);
    case 'compaction-ended':
      return event.outcome === 'done' ? [] : dim(`Compaction: ${OUTCOMES[event.outcome]}.`);
    case 'need-failed':
      return warn(`${event.need} failed (${event.code}): ${event.why}; the next means takes over`);
    case 'automatic-stopped':
      return [
        paint.yellow(
          event.reason === 'ineffective'
            ? '  Automatic compaction waits: the last ones freed too little.'
            : '  The summarizer failed three times; code writes the summaries until /compact brings one again.',
        ),
      ];
    case 'window-learned':
      return dim(
        event.inferred === true
          ? `By what the provider took and what it refused, its window is ${formatNumber(event.window)} tokens.`
          : `The provider says that its window is ${formatNumber(event.window)} tokens.`,
      );
    case 'switch-ignored':
      return warn(event.why);
    case 'session-mended':
      return warn(`Mended: ${event.what}.`);
    case 'instructions-read':
      // Apart from the steps that the greeting lists.
      return ['', paint.dim(clip(oneLine(`${event.files.join(' and ')} read`), columns))];
    case 'wait-started':
      return warn(`${event.why}; trying again in ${Math.ceil(event.waitMs / 1_000)} s`);
    case 'hook-failed':
      return warn(`A hook (${event.moment}) failed: ${event.why}; it counts as silent`);
    case 'hooks-refused':
      return warn(`The hooks of ${event.source} are not run: ${event.why}.`);
    case 'server-ready':
      return dim(
        `MCP server ${event.server}: ${formatCount(event.tools, 'tool')}${event.note === undefined ? '' : ` (${event.note})`}`,
      );
    case 'server-failed':
      return warn(`MCP server ${event.server}: ${event.why}`);
    case 'servers-refused':
      return warn(`The MCP servers of ${event.source} are not started: ${event.why}.`);
    case 'hook-spoke':
      return dim(`${event.message}`);
    case 'task-reported':
      return event.event.type === 'text-added'
        ? []
        : eventLines(event.event, paint, columns - 2).map((line) => `  ${line}`);
    case 'turn-ended':
      return event.outcome === 'interrupted'
        ? [paint.yellow('  Interrupted; everything said and seen so far is kept.')]
        : event.problem === undefined
          ? []
          : problemLines(event.problem, paint, columns);
    case 'session-opened':
      return event.resumed ? dim(`Session ${event.id} goes on (${formatCount(event.messages, 'message')}).`) : [];
    default:
      return [];
  }
}

/** Why is told where a model had seen what is now hidden. */
const compactionLines = (receipt: Receipt, paint: Paint, columns: number): readonly string[] => [
  ...receiptLines(receipt, paint, columns),
  ...(receipt.declared ? reasonLines(receipt, paint, columns) : []),
];

/** What went wrong, at full length: it says what to do. */
export const problemLines = (problem: string, paint: Paint, columns: number): readonly string[] =>
  wrap(toScreenText(problem), columns - 2).map((line, i) => paint.red(`${i === 0 ? '✗ ' : '  '}${line}`));

const OUTCOMES = {
  'nothing-gained': 'there was nothing to gain',
  vetoed: 'a hook was against it',
  aborted: 'stopped, nothing was changed',
  failed: 'it failed, nothing was changed',
} as const;
