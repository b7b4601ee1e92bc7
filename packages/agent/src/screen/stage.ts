import { estimateText } from '@palimpsest/core';
import {
  clip,
  formatCount,
  formatNumber,
  newMarkdownLines,
  oneLine,
  type Paint,
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
import { isModal } from '../world/permission-mode.ts';
import type { Menu } from './completion.ts';
import type { Guide } from './guide.ts';
import type { LineEditor } from './line-editor.ts';
import type { LiveLines } from './live-lines.ts';
import { PROMPT, promptLines } from './prompt-lines.ts';
import { newTextFlow, type TextFlow } from './text-flow.ts';

/** What is going on, for the lines at the bottom. */
export interface Stage {
  /** Takes an event in and answers with the lines to be written for good. */
  tell(event: AgentEvent, columns: number): readonly string[];
  /** The live lines and where the cursor stands in them. */
  live(parts: LiveParts): LiveLines;
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
  /** What may stand in the line, below it. */
  readonly menu?: Menu | undefined;
  readonly selected?: number;
  readonly columns: number;
  readonly tick: number;
}

interface StageState {
  readonly paint: Paint;
  readonly flow: TextFlow;
  doing: string;
  /** Calls that are done and still wait for others to stand in one line with. */
  joined: readonly CallEnded[];
  /** The newest lines of a command that runs. */
  output: readonly string[];
  /** When the work at hand began, and what the model has said since then. */
  since?: number | undefined;
  heardTokens: number;
}

const WORKING = 'Working…';
/** Of no line; the bottom of the screen shows them. */
const QUIET: readonly AgentEvent['type'][] = [
  'call-started',
  'output-added',
  'reasoning-added',
  'summary-progressed',
  'input-queued',
];
const OUTPUT_LINES = 5;
/** Rows of a line that is still growing. */
const MOST_GROWING = 8;

/** Answers of a language model are Markdown; a program's are shown as they are. */
export function newStage(paint: Paint, isMarkdown: () => boolean = () => false): Stage {
  const markdown = newMarkdownLines(paint);
  const flow = newTextFlow(() => (isMarkdown() ? markdown : undefined));
  const state: StageState = { paint, flow, doing: WORKING, joined: [], output: [], heardTokens: 0 };
  return {
    tell(event, columns) {
      state.doing = describeWork(event) ?? state.doing;
      hearProgress(state, event);
      return QUIET.includes(event.type) ? [] : tellLines(state, event, columns);
    },
    live: (parts) => liveLines(state, parts),
  };
}

/** What is shown beside the work at hand while it goes on. */
function hearProgress(state: StageState, event: AgentEvent): void {
  if (event.type === 'text-added' || event.type === 'reasoning-added') state.heardTokens += estimateText(event.text);
  if (event.type === 'call-started' || event.type === 'call-ended') state.output = [];
  if (event.type === 'output-added')
    state.output = [...state.output, ...toScreenText(event.text).trimEnd().split('\n')].slice(-OUTPUT_LINES);
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
  const words = foldLines(wrap(toScreenText(event.text), columns - PROMPT.length));
  return [...before, '', ...words.map((line, i) => paint.bold(indentLine(line, i)))];
}

/** Of a long prompt, such as a pasted page, so many lines are shown of its beginning and of its end. */
const SHOWN_HEAD = 6;
const SHOWN_TAIL = 4;

function foldLines(lines: readonly string[]): readonly string[] {
  const left = lines.length - SHOWN_HEAD - SHOWN_TAIL;
  if (left <= 1) return lines;
  return [...lines.slice(0, SHOWN_HEAD), `… ${formatCount(left, 'more line')} …`, ...lines.slice(-SHOWN_TAIL)];
}

const indentLine = (line: string, at: number): string => `${at === 0 ? PROMPT : ' '.repeat(PROMPT.length)}${line}`;

function liveLines(state: StageState, parts: LiveParts): LiveLines {
  const { paint, flow, joined } = state;
  const { agent, question, columns } = parts;
  const above = [
    ...(flow.rest() === '' ? [] : wrap(flow.rest(), columns).slice(-MOST_GROWING)),
    ...joinedLines(joined, paint, columns),
    '',
    ...workLines(state, parts),
  ];
  const { lines, cursor } =
    question === undefined ? promptLines(paint, promptParts(parts)) : questionLines(paint, question, parts);
  const { session } = agent;
  const mode = isModal(agent.permission) ? agent.permission.mode() : 'accept-edits';
  // What is usual is not worth the room.
  const told = mode === 'accept-edits' ? {} : { mode };
  const about = { model: agent.model().name, cost: session.totals().cost, ...told };
  const status = statusLine(session.status(), about, paint, columns);
  return {
    lines: [...above, ...lines, status],
    cursor: { line: above.length + cursor.line, column: cursor.column },
  };
}

/** Nobody is led while the agent works. */
const promptParts = ({ agent, editor, columns, suggestion, menu, selected = 0 }: LiveParts) => ({
  editor,
  columns,
  suggestion: agent.isBusy() ? undefined : suggestion,
  menu,
  selected,
});

const SPINNER = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];

/** What runs, what waits, and a hint. */
function workLines(state: StageState, parts: LiveParts): readonly string[] {
  const { paint, doing, output } = state;
  const { agent, question, commands, hint, columns, tick } = parts;
  const isWorking = agent.isBusy() && question === undefined;
  if (!agent.isBusy()) [state.since, state.heardTokens] = [undefined, 0];
  else state.since ??= performance.now();
  const sign = SPINNER[tick % SPINNER.length] ?? '';
  const progress = progressText(state);
  const queue = [...agent.queue(), ...commands].map((words) => oneLine(words));
  return [
    ...(isWorking ? output.map((line) => paint.dim(clip(`  ${line}`, columns))) : []),
    ...(isWorking
      ? [`${paint.cyan(sign)} ${clip(doing, columns - textWidth(progress) - 2)}${paint.dim(progress)}`]
      : []),
    ...queue.map((words) => paint.dim(clip(`  waits: ${words}`, columns))),
    ...(hint === undefined ? [] : [paint.yellow(clip(hint, columns))]),
  ];
}

/** Seconds, the tokens that came, and the key that stops it. */
function progressText({ since, heardTokens }: StageState): string {
  const seconds = since === undefined ? 0 : Math.floor((performance.now() - since) / 1_000);
  const heard = heardTokens === 0 ? '' : ` · ${formatCount(heardTokens, 'token')}`;
  return ` (${seconds} s${heard} · esc stops)`;
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
