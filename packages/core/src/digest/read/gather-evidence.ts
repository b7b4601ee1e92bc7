import { stripHostText } from '../../message/host-text.ts';
import { type CallPart, type Message, type Part, partText, type ResultPart } from '../../message/message.ts';
import { redact } from '../../message/redact.ts';
import { type Constraint, type Evidence, noEvidence, type Words } from '../evidence/evidence.ts';
import { keepNewest } from '../evidence/newest-of.ts';
import { newCallTally } from './call-tally.ts';
import { readFencedCommand } from './command-tally.ts';
import { newConclusionTally, shorten } from './conclusion-tally.ts';
import { findConstraints } from './constraints.ts';
import { newIdentifierTally, scanInput } from './identifier-tally.ts';

/** More of one message than this is not shown even in the largest digest. */
const longestWords = 8_000;

/** Words said in a message longer than this stand in something pasted. */
const directChars = 2_000;

/**
 * Identifiers are forgotten at fixed places in the transcript, so that it does not matter in how many steps it is read.
 * 20,000 tokens of digest hold fewer than are kept.
 */
const prune = { everyMessages: 128, over: 12_000, keep: 6_000 };

/** What a tool answers to an agent that writes its commands as text. */
const observation = /<returncode>|^\s*(?:<output>|observation:)/i;

/**
 * Reads the evidence off a span, continuing from that of the span before it. One pass; nothing is invented. Reading a
 * transcript in several steps gives the same as reading it at once.
 */
export function gatherEvidence(messages: readonly Message[], previous: Evidence = noEvidence): Evidence {
  const tally = newIdentifierTally(previous.identifiers, previous.chars);
  const calls = newCallTally(previous);
  const conclusions = newConclusionTally(previous.conclusions, previous.lastSaid);
  const words: Words[] = [...previous.words];
  const constraints: Constraint[] = [...previous.constraints];

  const hear = (text: string, message: Message, at: number): void => {
    const own = redact(stripHostText(text));
    if (own === '') return;
    conclusions.endTurn();
    calls.endTurn(at);
    words.push({ text: shorten(own, longestWords), message: message.id, at });
    const direct = own.length <= directChars;
    for (const found of findConstraints(own)) constraints.push({ ...found, direct, message: message.id, at });
    tally.scan(own, 'inWords');
  };

  const say = (text: string, message: Message, at: number): void => {
    const clean = redact(text);
    tally.scan(clean, 'inSaid');
    conclusions.addWords(clean, message.id, at);
    const command = message.parts.some((part) => part.type === 'call') ? undefined : readFencedCommand(clean);
    if (command !== undefined) calls.addCall(fencedCall(command));
  };

  const observe = (text: string, at: number): void => {
    const output = redact(text);
    tally.scan(output, 'inResults');
    calls.addResult('', output, false, at);
  };

  const takeText = (text: string, message: Message, at: number): void => {
    if (message.role === 'assistant') say(text, message, at);
    else if (calls.isOpen('') && observation.test(text)) observe(text, at);
    else if (message.origin === 'human') hear(text, message, at);
    else tally.scan(redact(text), message.origin === 'palimpsest' ? 'inSaid' : 'inResults');
  };

  const takeResult = (part: ResultPart, at: number): number => {
    const output = redact(partText(part));
    tally.scan(output, part.isError === true ? 'inErrors' : 'inResults');
    calls.addResult(part.callId, output, part.isError === true, at);
    return output.length;
  };

  /** How many characters it was. */
  const takeIn = (part: Part, message: Message, at: number): number => {
    switch (part.type) {
      case 'text':
        takeText(part.text, message, at);
        return part.text.length;
      case 'reasoning':
        tally.scan(redact(part.text), 'inSaid');
        return part.text.length;
      case 'call':
        calls.addCall(part);
        return scanInput(part.input, tally);
      case 'result':
        return takeResult(part, at);
      default:
        return 0;
    }
  };

  for (const [index, message] of messages.entries()) {
    const at = previous.messages + index;
    for (const part of message.parts) tally.advance(takeIn(part, message, at));
    if ((at + 1) % prune.everyMessages === 0) tally.prune(prune.over, prune.keep);
  }

  const { conclusions: concluded, lastSaid } = conclusions.toEvidence();
  return {
    messages: previous.messages + messages.length,
    chars: tally.position,
    words,
    constraints: keepNewest(constraints),
    ...calls.toEvidence(),
    conclusions: concluded,
    ...(lastSaid === undefined ? {} : { lastSaid }),
    identifiers: tally.toEvidence(),
  };
}

/** A command written as text, as the call that it is. */
const fencedCall = (command: string): CallPart => ({ type: 'call', callId: '', tool: 'bash', input: command });
