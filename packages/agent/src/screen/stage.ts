import type { CursorPlace } from '@palimpsest/terminal';
import {
  clip,
  formatNumber,
  oneLine,
  type Paint,
  stripControls,
  textWidth,
  toScreenText,
  wrap,
} from '@palimpsest/terminal';
import type { Agent } from '../loop/agent.ts';
import type { AgentEvent } from '../loop/agent-event.ts';
import { type CallEnded, canJoin, joinedLines } from '../printing/call-lines.ts';
import { statusLine } from '../printing/context-lines.ts';
import { eventLines } from '../printing/event-lines.ts';
import { aboveLine, answerLines, askedLines, questionTitle } from '../printing/question-lines.ts';
import { callLabel } from '../tools/labels.ts';
import type { PermissionAsk } from '../world/permission.ts';
import type { Guide } from './guide.ts';
import type { LineEditor } from './line-editor.ts';
import { newTextFlow, type TextFlow } from './text-flow.ts';

/** What is going on, for the lines at the bottom. */
export interface Stage {
  /** Takes an event in and answers with the lines to be written for good. */
  tell(event: AgentEvent, columns: number): readonly string[];
  /** The live lines and where the cursor stands in them. */
  live(parts: LiveParts): LiveLines;
}

interface LiveLines {
  readonly lines: readonly string[];
  readonly cursor: CursorPlace;
}

interface LiveParts {
  readonly agent: Agent;
  readonly editor: LineEditor;
  readonly question: PermissionAsk | undefined;
  /** Keys answer the question now. */
  readonly isReady?: boolean;
  /** What the question is about was printed above, since it is longer than the screen. */
  readonly isAbove?: boolean;
  /** Commands that wait for the agent to be idle. */
  readonly commands: readonly string[];
  readonly hint: string | undefined;
  /** What a newcomer may type next. */
  readonly suggestion?: ReturnType<Guide['next']>;
  readonly columns: number;
  readonly tick: number;
}

interface StageState {
  readonly paint: Paint;
  readonly flow: TextFlow;
  doing: string;
  /** Calls that are done and still wait for others to stand in one line with. */
  joined: readonly CallEnded[];
}

const WORKING = 'Working…';
const PROMPT = '> ';
/** Of no line; the bottom of the screen shows them. */
const QUIET: readonly AgentEvent['type'][] = ['call-started', 'reasoning-added', 'summary-progressed', 'input-queued'];

export function newStage(paint: Paint): Stage {
  const state: StageState = { paint, flow: newTextFlow(), doing: WORKING, joined: [] };
  return {
    tell(event, columns) {
      state.doing = describeWork(event) ?? state.doing;
      return QUIET.includes(event.type) ? [] : tellLines(state, event, columns);
    },
    live: (parts) => liveLines(state, parts),
  };
}

/** What the agent does from this event on; undefined where it goes on with what it did. */
function describeWork(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'call-started':
      return `${oneLine(callLabel(event))}…`;
    case 'compaction-started':
      return 'Compacting…';
    case 'summary-progressed':
      return `Compacting… ${formatNumber(event.chars)} characters of the summary`;
    case 'wait-started':
      return `Waiting ${Math.ceil(event.waitMs / 1_000)} s…`;
    case 'task-reported':
      return event.event.type === 'call-started'
        ? `${oneLine(event.task)}: ${oneLine(callLabel(event.event))}…`
        : undefined;
    case 'call-ended':
    case 'compaction-ended':
    case 'input-delivered':
      return WORKING;
    default:
      return undefined;
  }
}

function tellLines(state: StageState, event: AgentEvent, columns: number): readonly string[] {
  const { paint, flow } = state;
  if (canJoin(event)) {
    state.joined = [...state.joined, event];
    return flow.end(columns);
  }
  const calls = joinedLines(state.joined, paint, columns);
  state.joined = [];
  if (event.type === 'text-added') return [...calls, ...flow.add(event.text, columns)];
  // Whatever comes next begins on a line of its own.
  const before = [...calls, ...flow.end(columns)];
  if (event.type !== 'input-delivered') return [...before, ...eventLines(event, paint, columns)];
  const words = wrap(toScreenText(event.text), columns - PROMPT.length);
  return [...before, '', ...words.map((line, i) => paint.bold(indentLine(line, i)))];
}

const indentLine = (line: string, at: number): string => `${at === 0 ? PROMPT : ' '.repeat(PROMPT.length)}${line}`;

function liveLines(state: StageState, parts: LiveParts): LiveLines {
  const { paint, flow, joined } = state;
  const { agent, question, columns } = parts;
  const above = [
    ...(flow.rest() === '' ? [] : [clip(flow.rest(), columns)]),
    ...joinedLines(joined, paint, columns),
    '',
    ...workLines(state, parts),
  ];
  const { lines, cursor } = question === undefined ? promptLines(paint, parts) : questionLines(paint, question, parts);
  const { session } = agent;
  const about = { model: agent.model().name, cost: session.totals().cost };
  const status = statusLine(session.status(), about, paint, columns);
  return {
    lines: [...above, ...lines, status],
    cursor: { line: above.length + cursor.line, column: cursor.column },
  };
}

const SPINNER = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];

/** What runs, what waits, and a hint. */
function workLines({ paint, doing }: StageState, parts: LiveParts): readonly string[] {
  const { agent, question, commands, hint, columns, tick } = parts;
  const isWorking = agent.isBusy() && question === undefined;
  const sign = SPINNER[tick % SPINNER.length] ?? '';
  const queue = [...agent.queue(), ...commands].map((words) => oneLine(words));
  return [
    ...(isWorking ? [`${paint.cyan(sign)} ${clip(doing, columns - 18)}${paint.dim(' (ctrl-c stops)')}`] : []),
    ...queue.map((words) => paint.dim(clip(`  waits: ${words}`, columns))),
    ...(hint === undefined ? [] : [paint.yellow(clip(hint, columns))]),
  ];
}

function promptLines(paint: Paint, { agent, editor, columns, suggestion }: LiveParts): LiveLines {
  const { lines, line, column } = editor.layOut(columns - PROMPT.length);
  if (suggestion !== undefined && editor.text() === '' && !agent.isBusy()) {
    const { words, why, step, of } = suggestion;
    const about = `step ${step} of ${of} (Tab types it, Enter sends it): ${why}`;
    return {
      lines: [
        paint.dim(clip(`  ${about}`, columns)),
        paint.bold(PROMPT) + paint.dim(clip(oneLine(words), columns - PROMPT.length)),
      ],
      cursor: { line: 1, column: PROMPT.length },
    };
  }
  return {
    lines: lines.map((one, i) => `${i === 0 ? paint.bold(PROMPT) : '  '}${stripControls(one)}`),
    cursor: { line, column: PROMPT.length + column },
  };
}

function questionLines(paint: Paint, asked: PermissionAsk, parts: LiveParts): LiveLines {
  const { columns, editor, isReady = false, isAbove = false } = parts;
  const about = askedLines(asked, columns);
  const answers = answerLines(asked, isReady, columns);
  const typed = oneLine(editor.text());
  const lines = [
    questionTitle(asked, paint, columns),
    ...(isAbove ? [aboveLine(about, paint, columns)] : about),
    // What was typed meanwhile is not lost, and answers nothing.
    ...(typed === '' ? [] : [paint.dim(clip(`${PROMPT}${typed}`, columns))]),
    ...answers.map((line) => (isReady ? paint.bold(line) : paint.dim(line))),
  ];
  return { lines, cursor: { line: lines.length - 1, column: textWidth(answers.at(-1) ?? '') } };
}
