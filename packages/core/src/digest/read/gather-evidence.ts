import { type Message, type Part, partText, type ResultPart } from '../../message/message.ts';
import { redact } from '../../message/redact.ts';
import { type Constraint, type Evidence, noEvidence, type Words } from '../evidence/evidence.ts';
import { keepNewest } from '../evidence/keep-newest.ts';
import { type CallTally, newCallTally } from './call-tally.ts';
import { readFencedCommand } from './command-tally.ts';
import { type ConclusionTally, newConclusionTally } from './conclusion-tally.ts';
import { type IdentifierTally, newIdentifierTally, scanInput } from './identifier-tally.ts';
import { readTyped } from './read-typed.ts';

/**
 * Identifiers are forgotten at fixed places in the transcript, so that it does not matter in how many steps it is read.
 * 20,000 tokens of digest hold fewer than are kept.
 */
const prune = { everyMessages: 128, over: 12_000, keep: 6_000 };

/** What a tool answers to an agent that writes its commands as text. */
const observation = /<returncode>|^\s*(?:<output>|observation:)/i;

/** What has been read so far. */
interface Reading {
  readonly identifiers: IdentifierTally;
  readonly calls: CallTally;
  readonly conclusions: ConclusionTally;
  readonly words: Words[];
  readonly constraints: Constraint[];
}

/**
 * Reads the evidence off a span, continuing from that of the span before it. One pass; nothing is invented. Reading a
 * transcript in several steps gives the same as reading it at once.
 */
export function gatherEvidence(messages: readonly Message[], previous: Evidence = noEvidence): Evidence {
  const reading: Reading = {
    identifiers: newIdentifierTally(previous.identifiers, previous.chars),
    calls: newCallTally(previous),
    conclusions: newConclusionTally(previous.conclusions, previous.lastSaid),
    words: [...previous.words],
    constraints: [...previous.constraints],
  };
  const { identifiers } = reading;
  for (const [index, message] of messages.entries()) {
    const at = previous.messages + index;
    for (const part of message.parts) identifiers.advance(readPart(reading, part, message, at));
    if ((at + 1) % prune.everyMessages === 0) identifiers.prune(prune.over, prune.keep);
  }
  return {
    messages: previous.messages + messages.length,
    chars: identifiers.position,
    words: reading.words,
    constraints: keepNewest(reading.constraints),
    ...reading.calls.toEvidence(),
    ...reading.conclusions.toEvidence(),
    identifiers: identifiers.toEvidence(),
  };
}

/** Takes a part in; answers how many characters it was. */
function readPart(reading: Reading, part: Part, message: Message, at: number): number {
  switch (part.type) {
    case 'text':
      readText(reading, part.text, message, at);
      return part.text.length;
    case 'reasoning':
      reading.identifiers.scan(redact(part.text), 'inSaid');
      return part.text.length;
    case 'call':
      reading.calls.addCall(part);
      return scanInput(part.input, reading.identifiers);
    case 'result':
      return readResult(reading, part, at);
    default:
      return 0;
  }
}

function readText(reading: Reading, text: string, message: Message, at: number): void {
  const { identifiers, calls } = reading;
  if (message.role === 'assistant') readAnswer(reading, text, message, at);
  else if (calls.isOpen('') && observation.test(text)) {
    const output = redact(text);
    identifiers.scan(output, 'inResults');
    calls.addResult('', output, false, at);
  } else if (message.origin === 'human') readWords(reading, text, message, at);
  else identifiers.scan(redact(text), message.origin === 'palimpsest' ? 'inSaid' : 'inResults');
}

/** The user speaks: the model's turn is over, and there may be rules in it. */
function readWords(reading: Reading, text: string, message: Message, at: number): void {
  const typed = readTyped(text, message.id, at);
  if (typed === undefined) return;
  reading.conclusions.endTurn();
  reading.calls.endTurn(at);
  reading.words.push(typed.words);
  reading.constraints.push(...typed.constraints);
  reading.identifiers.scan(typed.own, 'inWords');
}

/** The model speaks; some agents have it write its commands as text. */
function readAnswer({ identifiers, calls, conclusions }: Reading, text: string, message: Message, at: number): void {
  const clean = redact(text);
  identifiers.scan(clean, 'inSaid');
  conclusions.addWords(clean, message.id, at);
  const command = message.parts.some((part) => part.type === 'call') ? undefined : readFencedCommand(clean);
  if (command !== undefined) calls.addCall({ type: 'call', callId: '', tool: 'bash', input: command });
}

function readResult({ identifiers, calls }: Reading, part: ResultPart, at: number): number {
  const output = redact(partText(part));
  identifiers.scan(output, part.isError === true ? 'inErrors' : 'inResults');
  calls.addResult(part.callId, output, part.isError === true, at);
  return output.length;
}
