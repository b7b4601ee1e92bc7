import { type CallPart, type Message, type Part, partText, type ResultPart } from '../message/message.ts';
import { readChanges } from '../message/read-changes.ts';
import { readScript } from '../message/read-script.ts';
import type { Touch } from '../message/read-shell-touches.ts';
import { findBlockKind, isToolText } from '../message/user-text.ts';
import { readRarity } from './choose.ts';
import { type Line, type LineSource, type Lines, newLines, type Subject } from './lines.ts';
import { newRetire, type Retire } from './retire.ts';
import { By } from './words.ts';
import { type Called, newWork, type Work } from './work.ts';

/** All that was read off the start of a transcript. It reads on, and is never read from the start again. */
export interface Reader {
  /** How many messages it has read. */
  readonly messages: number;
  readonly lines: Lines;
  readonly work: Work;
  read(messages: readonly Message[]): void;
}

/** What hosts put into results for the model to mind. */
const reminders = /<system[-_]reminder>[\s\S]*?(?:<\/system[-_]reminder>|$)/g;
/** How codex numbers what a command printed; the lines behind it say how the command went. */
const numbered = /^Chunk ID: [\w-]+\n(?=Wall time: )/;
const ESCAPE = '\u001b';
/** Colours and moves of the cursor; a title or a link up to its end; a sign by itself. */
const codes = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${ESCAPE}\\u0007\\n]*(?:\\u0007|${ESCAPE}\\\\)?|[ -/]*[0-~])?`,
  'g',
);
const fence = /```([^\n`]*)\n([\s\S]*?)\n?```/g;
const shell = /^(?:bash|sh|shell|console|mswea_bash_command)?[ \t]*$/;

export function newReader(): Reader {
  let count = 0;
  const lines = newLines(readRarity);
  const work = newWork();
  const reading: Reading = { lines, work, retire: newRetire(lines), at: 0 };
  return {
    get messages() {
      return count;
    },
    lines,
    work,
    read(messages) {
      for (const message of messages) {
        reading.at = count;
        for (const part of message.parts) readPart(reading, part, message);
        count++;
      }
    },
  };
}

interface Reading {
  readonly lines: Lines;
  readonly work: Work;
  readonly retire: Retire;
  at: number;
}

function readPart(reading: Reading, part: Part, message: Message): void {
  if (part.type === 'text') readText(reading, part.text, message);
  else if (part.type === 'call') readCall(reading, part);
  else if (part.type === 'result') readResult(reading, part.callId, partText(part), part);
}

function readText(reading: Reading, text: string, message: Message): void {
  const { lines, work, retire, at } = reading;
  if (message.role === 'assistant') {
    for (const line of lines.read(text, { source: 'said', subject: lines.subject('', false), at })) retire.say(line);
    work.say(text, at);
    const command = message.parts.some((part) => part.type === 'call') ? undefined : readFencedCommand(text);
    if (command !== undefined) work.call({ type: 'call', callId: '', tool: 'bash', input: command }, at);
  } else if (work.open.has('') && isToolText(text)) readResult(reading, '', text);
  else if (message.origin === 'human' && findBlockKind(text) === undefined) {
    lines.note(text, By.user);
    retire.takeBack(text, at);
    work.request(text, at);
  } else lines.note(text);
}

/** The command of an agent that writes its commands as text: the one fenced block of a message without calls. */
function readFencedCommand(text: string): string | undefined {
  const [block, ...others] = [...text.matchAll(fence)].filter(([, language = '']) => shell.test(language));
  const command = others.length > 0 ? undefined : block?.[2]?.trim();
  return command === '' ? undefined : command;
}

/** What a call changes in files is read once it went well. */
function readCall({ lines, work, at }: Reading, part: CallPart): void {
  const called = work.call(part, at);
  if (called.kind === 'edit' || called.kind === 'write' || called.kind === 'todo' || called.kind === 'read') return;
  const source = called.kind === 'shell' ? 'ran' : 'called';
  const subject = lines.subject(called.kind === 'shell' ? '$' : part.tool, false);
  lines.read(called.command ?? textsOf(part.input), { source, subject, at });
}

/** The texts of an input, a line each. */
function textsOf(input: unknown): string {
  if (typeof input === 'string') return input;
  return typeof input === 'object' && input !== null
    ? Object.values(input).map(textsOf).join('\n')
    : String(input ?? '');
}

const sources: Partial<Record<Called['kind'], LineSource>> = {
  read: 'read',
  shell: 'printed',
  grep: 'found',
  glob: 'found',
};

function readResult(reading: Reading, callId: string, shown: string, part?: ResultPart): void {
  const { lines, work, retire, at } = reading;
  const plain = (shown.includes(ESCAPE) ? shown.replace(codes, '') : shown).replace(numbered, '');
  // What a host wrote around a result is no part of it.
  const output = plain.includes('<system') ? plain.replace(reminders, '') : plain;
  const { called, touches = [] } = work.answer(callId, output, part?.isError === true) ?? {};
  if (called !== undefined && called.outcome === 'ok') for (const one of touches) changeFile(reading, called, one);
  if (called?.kind === 'todo' || (called?.outcome === 'ok' && (called.kind === 'edit' || called.kind === 'write')))
    return;
  if (called?.outcome === 'ok' && called.command !== undefined && takesBack.test(called.command))
    takeBack(reading, called.command);
  const [only, other] = touches;
  const isRead =
    only?.act === 'read' && other === undefined && (called?.kind === 'read' || !/[|;&]/.test(called?.command ?? '|'));
  const subject = isRead ? lines.subject(only.path, true) : lines.subject(nameCall(called), false);
  const source = isRead ? 'read' : ((called && sources[called.kind]) ?? 'answered');
  const news = lines.read(output, {
    source,
    subject,
    at,
    ...(isRead && only.firstLine !== undefined ? { firstLine: only.firstLine } : {}),
  });
  settle(subject, news, isRead ? isWholeRead(called, only, output) : called?.kind === 'shell');
  for (const line of news) retire.say(line);
  if (called?.outcome === 'ok' && tests.test(called.command ?? '')) retire.pass(subject);

  function settle(of: Subject, made: readonly Line[], isWhole: boolean): void {
    of.shown++;
    of.at = at;
    if (called?.outcome === 'ok' || !of.isFile) retire.readAgain(of, made, isWhole);
  }
}

/** A test or a check of all, gone well, stands for those of a part of it before. */
const tests = /\b(?:test|check|lint|build|pytest|vitest|jest|tsc)\b/;

/** What git told of the files is old; where it puts them back, what was written into them does not stand there any more. */
const takesBack = /\bgit (?:checkout|switch|restore|reset|stash|commit|merge|pull)\b/;
const putsBack = /\bgit (?:checkout(?! -b)|restore|reset --hard|stash(?! (?:list|show|pop|apply)))/;

function takeBack({ lines, work }: Reading, command: string): void {
  for (const seen of ['$ git branch', '$ git branch --show-current', '$ git status', '$ git diff'])
    for (const line of lines.findSubject(seen)?.lines ?? []) lines.drop(line);
  if (!putsBack.test(command)) return;
  const edited = [...work.files.values()].filter(({ edits }) => edits > 0).map(({ path }) => path);
  const named = edited.filter((path) => command.includes(path.slice(path.lastIndexOf('/') + 1)));
  for (const path of named.length > 0 || /checkout \w/.test(command) ? named : edited)
    for (const line of lines.subject(path, true).lines) if (line.source === 'wrote') lines.drop(line);
}

/** Whether a read shows all of a file: it names no place in it, and was not cut. */
const isWholeRead = (called: Called | undefined, { firstLine }: Touch, output: string): boolean =>
  firstLine === undefined &&
  !/offset|limit|range|start|end|head|tail/i.test(JSON.stringify(called?.part.input ?? '')) &&
  !/truncated|omitted|\[\.\.\.|more lines/i.test(output.slice(-300));

/** The name that a result's lines stand under: a command, or the tool. */
function nameCall(called: Called | undefined): string {
  if (called === undefined) return '';
  const { command, what, part } = called;
  const bare = (command ?? `${part.tool} ${what}`)
    .replace(/\s+/g, ' ')
    .replace(/^(?:cd \S+ ?(?:&&|;) ?)+/, '')
    .trim();
  return (command === undefined ? '' : '$ ') + bare;
}

function changeFile({ lines, retire, at }: Reading, called: Called, { path, act }: Touch): void {
  const subject = lines.subject(path, true);
  subject.at = at;
  if (act === 'read') return;
  subject.edits++;
  if (act === 'deleted') retire.remove(subject);
  if (called.kind === 'shell') {
    const [, old = ''] = /\bs([/|#])((?:(?!\1).)+)\1/.exec(called.command ?? '')?.slice(1) ?? [];
    if (old !== '')
      for (const line of subject.lines) if (line.text.includes(old.replaceAll('\\', ''))) lines.drop(line);
    return;
  }
  const scripted = typeof called.part.input === 'string' ? readScript(called.part.input) : [];
  const calls = scripted.length > 0 ? scripted : [called.part];
  for (const change of calls.flatMap(({ tool, input }) => readChanges(tool, input))) {
    if (change.path !== path) continue;
    retire.change(change, called.at);
    lines.read(change.added, { source: 'wrote', subject, at: called.at });
  }
}
