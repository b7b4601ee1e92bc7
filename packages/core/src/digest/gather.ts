import { type CallPart, type Json, type Message, type Part, partText, type ResultPart } from '../message.ts';
import { isSecretName, redact } from '../redact.ts';
import { commandOf, pathOf, textField } from '../tool-input.ts';
import { type ToolKind, toolKind, toolTargets } from '../tool-kinds.ts';
import { commandLedger, fencedCommand } from './commands.ts';
import { conclusionLedger, shorten } from './conclusions.ts';
import { constraintsIn } from './constraints.ts';
import type { Constraint, ErrorEvidence, Evidence, Outcome, Refusal, Words } from './evidence.ts';
import { fileLedger, touchesOf } from './files.ts';
import { errorLines, isRefusal, outcomeOf } from './outcome.ts';
import { rankIdentifiers } from './rank.ts';
import { spoken } from './spoken.ts';
import { identifierTally, type Tally } from './tally.ts';
import { todoLedger } from './todos.ts';

const nothing: Evidence = {
  messages: 0,
  chars: 0,
  words: [],
  constraints: [],
  refusals: [],
  todos: [],
  files: [],
  commands: [],
  errors: [],
  conclusions: [],
  identifiers: [],
};

/** Above these, evidence is bounded: 20,000 tokens of digest hold less than this. */
const most = { wordsChars: 8_000, identifiers: 8_000, errors: 200, callTextChars: 200 };

/** Words said in a message longer than this stand in something pasted. */
const directChars = 2_000;

interface OpenCall {
  readonly part: CallPart;
  readonly kind: ToolKind;
  readonly command: string | undefined;
}

/** Reads the evidence off a span, continuing from that of the span before it. One pass; nothing is invented. */
export function gather(messages: readonly Message[], previous: Evidence = nothing): Evidence {
  const tally = identifierTally(previous.identifiers, previous.chars);
  const files = fileLedger(previous.files);
  const commands = commandLedger(previous.commands);
  const todos = todoLedger(previous.todos);
  const conclusions = conclusionLedger(previous.conclusions);
  const words: Words[] = [...previous.words];
  const constraints: Constraint[] = [...previous.constraints];
  const refusals: Refusal[] = [...previous.refusals];
  const errors: ErrorEvidence[] = [...previous.errors];
  const open = new Map<string, OpenCall>();
  let lastCall: { tool: string; what: string; outcome: Outcome } | undefined;
  let fenced: string | undefined;

  const hear = (text: string, message: Message, at: number): void => {
    const own = redact(spoken(text));
    if (own === '') return;
    conclusions.turnEnded();
    words.push({ text: shorten(own, most.wordsChars), message: message.id, at });
    const direct = own.length <= directChars;
    for (const found of constraintsIn(own)) constraints.push({ ...found, direct, message: message.id, at });
    tally.scan(own, 'inWords');
  };

  const settle = (call: OpenCall, output: string, isError: boolean, at: number): void => {
    const { outcome, exitCode } =
      call.kind === 'shell' ? outcomeOf(output, isError) : ({ outcome: isError ? 'failed' : 'ok' } as const);
    const what = call.command ?? describe(call.part);
    lastCall = { tool: call.part.tool, what, outcome };
    if (isRefusal(output, isError)) {
      refusals.push({ tool: call.part.tool, what, at });
      return;
    }
    if (call.command !== undefined) commands.ran(call.command, outcome, exitCode, at);
    if (outcome === 'ok')
      for (const touch of touchesOf(call.kind, call.part.tool, call.part.input, call.command)) files.add(touch, at);
    const failed = outcome === 'failed';
    if (!failed && call.kind !== 'shell') return;
    for (const text of errorLines(output, failed)) errors.push({ text, source: shorten(what, 120), gone: false, at });
  };

  for (const [index, message] of messages.entries()) {
    const at = previous.messages + index;
    for (const part of message.parts) {
      const chars = takeIn(part, message, at);
      tally.advance(chars);
    }
  }

  function takeIn(part: Part, message: Message, at: number): number {
    switch (part.type) {
      case 'text': {
        if (message.role === 'assistant') {
          const text = redact(part.text);
          tally.scan(text, 'inSaid');
          conclusions.said(text, message.id, at);
          const hasCalls = message.parts.some((other) => other.type === 'call');
          fenced = hasCalls ? undefined : fencedCommand(text);
        } else if (fenced !== undefined && /<returncode>|^\s*(?:<output>|observation:)/i.test(part.text)) {
          const output = redact(part.text);
          settle(
            { part: { type: 'call', callId: '', tool: 'bash', input: fenced }, kind: 'shell', command: fenced },
            output,
            false,
            at,
          );
          tally.scan(output, 'inResults');
          fenced = undefined;
        } else if (message.origin === 'human') hear(part.text, message, at);
        else tally.scan(redact(part.text), message.origin === 'palimpsest' ? 'inSaid' : 'inResults');
        return part.text.length;
      }
      case 'reasoning':
        tally.scan(redact(part.text), 'inSaid');
        return part.text.length;
      case 'call': {
        const kind = toolKind(part.tool, part.input);
        const command = kind === 'shell' ? commandOf(part.input) : undefined;
        const call = { part, kind, command: command === undefined ? undefined : redact(command) };
        open.set(part.callId, call);
        todos.call(kind, part.tool, part.input);
        lastCall = { tool: part.tool, what: call.command ?? describe(part), outcome: 'pending' };
        return scanInput(part.input, tally);
      }
      case 'result':
        return takeResult(part, at);
      default:
        return 0;
    }
  }

  function takeResult(part: ResultPart, at: number): number {
    const output = redact(partText(part));
    const call = open.get(part.callId);
    open.delete(part.callId);
    tally.scan(output, part.isError === true ? 'inErrors' : 'inResults');
    if (call !== undefined) {
      todos.result(call.part.tool, output);
      settle(call, output, part.isError === true, at);
    }
    return output.length;
  }

  for (const call of open.values()) {
    if (call.command !== undefined)
      commands.ran(call.command, 'pending', undefined, previous.messages + messages.length);
  }

  const { conclusions: concluded, lastSaid } = conclusions.done();
  const run = commands.done();
  const wentWell = new Map(run.map((command) => [shorten(command.command, 120), command]));
  const plan = todos.plan === undefined ? previous.plan : redact(todos.plan);
  const chars = tally.position;
  return {
    messages: previous.messages + messages.length,
    chars,
    words,
    constraints: newestOf(constraints),
    refusals,
    todos: todos.done().map((todo) => ({ ...todo, text: redact(todo.text) })),
    ...(plan === undefined ? {} : { plan: shorten(plan, most.wordsChars) }),
    files: files.done(),
    commands: run,
    errors: newestOf(errors)
      .slice(-most.errors)
      .map((error) => {
        const command = wentWell.get(error.source);
        return command?.outcome === 'ok' && command.at > error.at ? { ...error, gone: true } : error;
      }),
    conclusions: concluded,
    ...(lastSaid === undefined ? {} : { lastSaid }),
    ...(lastCall === undefined ? {} : { lastCall }),
    identifiers: rankIdentifiers(tally.done(), chars, most.identifiers),
  };
}

/** A call in a few words: what it names, else its input. */
function describe({ tool, input }: CallPart): string {
  const named =
    toolTargets(tool, input).join(' ') ||
    pathOf(input) ||
    textField(input, 'pattern', 'query', 'url', 'description', 'skill', 'subject');
  return redact(shorten(named ?? `${tool} ${JSON.stringify(input)}`, 160)).replace(/\s+/g, ' ');
}

/** What was said again counts as said last. */
function newestOf<Item extends { readonly text: string }>(items: readonly Item[]): readonly Item[] {
  const newest = new Map<string, Item>();
  for (const item of items) {
    const key = item.text.toLowerCase().replace(/\s+/g, ' ');
    newest.delete(key);
    newest.set(key, item);
  }
  return [...newest.values()];
}

/** Short fields are what the call is about; long ones are what it writes. */
function scanInput(input: Json, tally: Tally, name = ''): number {
  if (typeof input === 'string') {
    const clean = isSecretName(name) ? '' : redact(input);
    tally.scan(
      clean,
      input.length <= most.callTextChars || name === 'command' || name === 'cmd' ? 'inCalls' : 'inWritten',
    );
    return input.length;
  }
  if (typeof input === 'number') {
    if (Number.isFinite(input) && Math.abs(input) >= 100) tally.count(String(input), 'number', 'inCalls');
    return 4;
  }
  if (typeof input !== 'object' || input === null) return 4;
  let chars = 0;
  for (const [key, value] of Object.entries(input)) chars += scanInput(value as Json, tally, key);
  return chars;
}
