import { type CallPart, type Message, type Part, partText, type ResultPart } from '../../message/message.ts';
import { findBlockKind, isToolText } from '../../message/user-text.ts';
import { type Evidence, noEvidence } from '../evidence/evidence.ts';
import { type CallTally, describeAbout, newCallTally } from './call-tally.ts';
import { readFencedCommand } from './command-tally.ts';
import { type ConclusionTally, newConclusionTally } from './conclusion-tally.ts';
import { type IdentifierTally, newIdentifierTally, scanInput } from './identifier-tally.ts';
import { newStatementTally, type StatementTally } from './statement-tally.ts';
import { stripTerminalCodes } from './terminal-codes.ts';

/**
 * Identifiers are forgotten at fixed places in the transcript, so that it does not matter in how many steps it is read.
 * 20,000 tokens of digest hold fewer than are kept.
 */
const prune = { everyMessages: 128, over: 12_000, keep: 6_000 };

/** How codex numbers what a command printed; the lines behind it say how the command went. */
const numbered = /^Chunk ID: [\w-]+\n(?=Wall time: )/;

/** What hosts put into results for the model to mind. */
const reminders = /<system[-_]reminder>[\s\S]*?(?:<\/system[-_]reminder>|$)/g;

/** What hosts put around texts of theirs. */
const tags = /<\/?[a-z][\w-]*(?: [^<>]*)?>/g;

/** What has been read so far. */
interface Reading {
  readonly identifiers: IdentifierTally;
  readonly calls: CallTally;
  readonly conclusions: ConclusionTally;
  readonly statements: StatementTally;
}

/**
 * Reads the evidence off a span, continuing from that of the span before it. One pass; nothing is invented. Reading a
 * transcript in several steps gives the same as reading it at once.
 */
export function gatherEvidence(messages: readonly Message[], previous: Evidence = noEvidence): Evidence {
  const identifiers = newIdentifierTally(previous.identifiers, previous.chars);
  const statements = newStatementTally(identifiers, previous.statements);
  const reading: Reading = {
    identifiers,
    statements,
    calls: newCallTally(previous),
    conclusions: newConclusionTally(previous.conclusions, previous.lastSaid),
  };
  for (const [index, message] of messages.entries()) {
    const at = previous.messages + index;
    for (const part of message.parts) {
      identifiers.advance(readPart(reading, part, message, at));
    }
    if ((at + 1) % prune.everyMessages !== 0) continue;
    if (identifiers.prune(prune.over, prune.keep)) statements.unreadNames();
    statements.prune();
  }
  const listed = statements.toEvidence();
  const named = identifiers.toEvidence();
  return {
    messages: previous.messages + messages.length,
    chars: identifiers.position,
    ...reading.calls.toEvidence(),
    ...reading.conclusions.toEvidence(),
    statements: listed,
    identifiers: named,
  };
}

/** Takes a part in; answers how many characters it was. */
function readPart(reading: Reading, part: Part, message: Message, at: number): number {
  switch (part.type) {
    case 'text':
      readText(reading, part.text, message, at);
      return part.text.length;
    case 'reasoning':
      reading.identifiers.scan(part.text, 'inSaid');
      return part.text.length;
    case 'call':
      reading.calls.addCall(part);
      return readInput(reading, part, at);
    case 'result':
      return readResult(reading, part, at);
    default:
      return 0;
  }
}

/** What a call is about stands in its own section, or above its lines; what it writes is lines. */
function readInput({ identifiers, statements }: Reading, part: CallPart, at: number): number {
  const about = describeAbout(part);
  return scanInput(part.input, identifiers, (text, isAbout) => {
    const source = isAbout ? 'inCalls' : 'inWritten';
    if (isAbout && !mayTell(text)) identifiers.scan(text, source);
    else statements.read(text, { source: 'called', about, at }, source);
  });
}

/** A path, a pattern or a command of one line stands in a section of its own. */
const mayTell = (about: string): boolean => about.includes('\n') || /[=({;] ?|: /.test(about);

function readText(reading: Reading, text: string, message: Message, at: number): void {
  const { identifiers, calls, statements } = reading;
  if (message.role === 'assistant') readAnswer(reading, text, message, at);
  else if (calls.isOpen('') && isToolText(text)) {
    const output = stripTerminalCodes(text);
    const about = calls.aboutOf('');
    statements.read(output, { source: 'shown', about, at }, 'inResults');
    calls.addResult('', output, false, at);
  } else if (message.origin === 'human' && findBlockKind(text) === undefined) readRequest(reading, text, at);
  else identifiers.scan(text.replace(tags, ' '), message.origin === 'palimpsest' ? 'inSaid' : 'inResults');
}

/** Longer texts were pasted: their names are no more the user's than a tool's output. */
const TYPED_CHARS = 2_000;

/** The user speaks: the model's turn is over. The text stays in the view; here its names count. */
function readRequest({ conclusions, calls, identifiers }: Reading, text: string, at: number): void {
  conclusions.endTurn();
  calls.endTurn(at);
  identifiers.scan(text, text.length > TYPED_CHARS ? 'inResults' : 'inWords');
}

/** The model speaks; some agents have it write its commands as text. */
function readAnswer(reading: Reading, text: string, message: Message, at: number): void {
  const { calls, conclusions, statements } = reading;
  statements.read(text, { source: 'said', about: '', at }, 'inSaid');
  conclusions.addWords(text, message.id, at);
  const command = message.parts.some((part) => part.type === 'call') ? undefined : readFencedCommand(text);
  if (command !== undefined) calls.addWritten({ type: 'call', callId: '', tool: 'bash', input: command });
}

function readResult({ calls, statements }: Reading, part: ResultPart, at: number): number {
  const shown = stripTerminalCodes(partText(part)).replace(numbered, '');
  // What a host wrote around a result is no part of it.
  const output = shown.includes('<system') ? shown.replace(reminders, '') : shown;
  const where = part.isError === true ? 'inErrors' : 'inResults';
  const about = calls.aboutOf(part.callId);
  statements.read(output, { source: 'shown', about, at }, where);
  calls.addResult(part.callId, output, part.isError === true, at);
  return output.length;
}
