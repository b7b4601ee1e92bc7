import { clip, formatNumber, type Paint, textWidth, toScreenText, wrap } from '@palimpsest/terminal';
import type { Agent } from '../loop/agent.ts';
import type { AgentEvent } from '../loop/agent-event.ts';
import { type CallEnded, joinedLines, joins } from '../printing/call-lines.ts';
import { statusLine } from '../printing/context-lines.ts';
import { eventLines } from '../printing/event-lines.ts';
import { callLabel } from '../tools/labels.ts';
import type { PermissionAsk } from '../world/permission.ts';
import type { LineEditor } from './line-editor.ts';
import type { CursorPlace } from './live-area.ts';
import { textFlow } from './text-flow.ts';

/** What is going on, for the lines at the bottom. */
export interface Stage {
  /** Takes an event in and answers with the lines to be written for good. */
  tell(event: AgentEvent, columns: number): readonly string[];
  /** The live lines and where the cursor stands in them. */
  live(parts: LiveParts): { readonly lines: readonly string[]; readonly cursor: CursorPlace };
}

interface LiveParts {
  readonly agent: Agent;
  readonly editor: LineEditor;
  readonly question: PermissionAsk | undefined;
  /** Commands that wait for the agent to be idle. */
  readonly waiting: readonly string[];
  readonly hint: string | undefined;
  readonly columns: number;
  readonly tick: number;
}

const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const PROMPT = '> ';
/** Of no line; the bottom of the screen shows them. */
const QUIET: readonly AgentEvent['type'][] = ['call-started', 'reasoning-added', 'summary-progressed', 'input-queued'];

export function stage(paint: Paint): Stage {
  const flow = textFlow();
  let doing = 'Working…';
  /** Calls that are done and still wait for others to stand in one line with. */
  let joined: readonly CallEnded[] = [];

  const noted = (event: AgentEvent): void => {
    switch (event.type) {
      case 'call-started':
        doing = `${toScreenText(callLabel(event))}…`;
        break;
      case 'compaction-started':
        doing = 'Compacting…';
        break;
      case 'summary-progressed':
        doing = `Compacting… ${formatNumber(event.chars)} characters of the summary`;
        break;
      case 'wait-started':
        doing = `Waiting ${Math.ceil(event.waitMs / 1_000)} s…`;
        break;
      case 'task-reported':
        if (event.event.type === 'call-started') doing = `${event.task}: ${toScreenText(callLabel(event.event))}…`;
        break;
      case 'call-ended':
      case 'compaction-ended':
      case 'input-delivered':
        doing = 'Working…';
        break;
      default:
    }
  };

  return {
    tell(event, columns) {
      noted(event);
      if (QUIET.includes(event.type)) return [];
      if (joins(event)) {
        joined = [...joined, event];
        return flow.end(columns);
      }
      const calls = joinedLines(joined, paint, columns);
      joined = [];
      if (event.type === 'text-added') return [...calls, ...flow.add(event.text, columns)];
      // Whatever comes next begins on a line of its own.
      const before = [...calls, ...flow.end(columns)];
      if (event.type === 'input-delivered')
        return [
          ...before,
          '',
          ...wrap(toScreenText(event.text), columns - PROMPT.length).map((line, i) =>
            paint.bold(`${i === 0 ? PROMPT : ' '.repeat(PROMPT.length)}${line}`),
          ),
        ];
      return [...before, ...eventLines(event, paint, columns)];
    },
    live({ agent, editor, question, waiting, hint, columns, tick }) {
      const lines: string[] = [];
      if (flow.rest() !== '') lines.push(clip(flow.rest(), columns));
      lines.push(...joinedLines(joined, paint, columns), '');
      if (agent.isBusy() && question === undefined) {
        const sign = SPINNER[tick % SPINNER.length]!;
        lines.push(`${paint.cyan(sign)} ${clip(doing, columns - 18)}${paint.dim(' (ctrl-c stops)')}`);
      }
      for (const words of [...agent.waiting(), ...waiting])
        lines.push(paint.dim(clip(`  waits: ${toScreenText(words).replace(/\s+/g, ' ')}`, columns)));
      if (hint !== undefined) lines.push(paint.yellow(clip(hint, columns)));
      const cursor = question === undefined ? prompted(lines) : asked(lines, question);
      lines.push(statusLine(agent.session.status(), agent.model().name, paint, columns));
      return { lines, cursor };

      function prompted(above: string[]): CursorPlace {
        const typed = editor.shown(columns - PROMPT.length);
        const first = above.length;
        above.push(...typed.lines.map((line, i) => `${i === 0 ? paint.bold(PROMPT) : '  '}${line}`));
        return { line: first + typed.line, column: PROMPT.length + typed.column };
      }

      function asked(above: string[], { tool, what, why }: PermissionAsk): CursorPlace {
        above.push(paint.yellow(clip(`Allow ${tool}? (${why})`, columns)));
        above.push(clip(`  ${toScreenText(what).replace(/\s+/g, ' ')}`, columns));
        const keys = 'y once · a always · n no: ';
        above.push(paint.bold(keys));
        return { line: above.length - 1, column: textWidth(keys) };
      }
    },
  };
}
