import {
  assistant,
  call,
  type NewMessage,
  type ResultPart,
  reasoning,
  result,
  results,
  text,
  user,
} from '@palimpsest/core';
import { newDice } from './dice.ts';

const VOCABULARY = `the of and a request handler returns when connection pool import export const await function error
  timeout retry queue worker index column table row customer invoice payload schema value default parse stream buffer
  test expect equal throws describe src lib server client route middleware logger config 200 404 500 17 4096 0x1f
  => === !== && || { } ( ) [ ] ; , . : // TODO return if else for while class extends new null undefined true false`
  .split(/\s+/)
  .filter(Boolean);

/** Text as V8 holds a tool's output: one flat string of one-byte characters, not a chain of pieces. */
export function writeProse(roll: () => number, chars: number): string {
  const bytes = Buffer.allocUnsafe(chars);
  let at = 0;
  while (at < chars) {
    at += bytes.write(VOCABULARY[Math.floor(roll() * VOCABULARY.length)]!, at, 'latin1');
    if (at < chars) bytes[at++] = roll() < 0.12 ? 10 : 32;
  }
  return bytes.toString('latin1');
}

const TOOLS = ['read_file', 'read_file', 'bash', 'bash', 'grep', 'edit_file', 'web_fetch'] as const;

/**
 * What an agent's host appends before each model call, without end: every sixth time a human asks; otherwise the model's
 * last answer with one to three calls and their results (300 to 3,000 characters; one in fifty is 20,000 to 80,000), or a
 * share of that.
 */
export function* makeTraffic(seed: number, share = 1): Generator<readonly NewMessage[]> {
  const roll = newDice(seed);
  const rollBetween = (low: number, high: number): number => Math.floor(low + roll() * (high - low));
  let calls = 0;
  for (let round = 0; ; round++) {
    if (round % 6 === 0) {
      const words = user(writeProse(roll, rollBetween(80, 400)));
      yield round === 0 ? [words] : [assistant(writeProse(roll, rollBetween(100, 600))), words];
      continue;
    }
    const made = Array.from({ length: roll() < 0.75 ? 1 : rollBetween(2, 4) }, () => {
      const tool = TOOLS[rollBetween(0, TOOLS.length)]!;
      const file = `src/module-${rollBetween(0, 300)}.ts`;
      const input = tool === 'bash' ? { command: `npm test -- ${file}` } : { path: file, note: `look ${calls}` };
      return call(`call-${++calls}`, tool, input);
    });
    const thought = roll() < 0.4 ? [reasoning(writeProse(roll, rollBetween(100, 800)), writeProse(roll, 120))] : [];
    const answers = made.map((one): ResultPart => {
      const chars = roll() < 0.02 ? rollBetween(20_000, 80_000) : rollBetween(300, 3_000);
      return result(one.callId, writeProse(roll, Math.floor(chars * share)), roll() < 0.03);
    });
    yield [assistant([...thought, text(writeProse(roll, rollBetween(40, 200))), ...made]), results(answers)];
  }
}
