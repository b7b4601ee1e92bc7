import { callsOf, type Message, resultsOf } from '../message/message.ts';
import { cutHead } from '../text.ts';
import { quoteMessage } from './quote-message.ts';

/** The tokens that a whole span takes as quoted lines. */
export const countSpan = (span: readonly Message[], countText: (text: string) => number): number =>
  countLines(span.map(quoteMessage), countText);

const countLines = (lines: readonly string[], countText: (text: string) => number): number =>
  lines.reduce((sum, line) => sum + countText(line) + 1, 0);

/** A span as quoted lines, in chunks of whole rounds that take at most `allowed` tokens each. */
export function splitSpan(
  span: readonly Message[],
  allowed: number,
  countText: (text: string) => number,
): readonly (readonly string[])[] {
  let chunk: string[] = [];
  const chunks = [chunk];
  let used = 0;
  for (const round of groupRounds(span)) {
    let lines = round.map(quoteMessage);
    let tokens = countLines(lines, countText);
    if (tokens > allowed) {
      // One round larger than the window: each line keeps its head.
      const chars = Math.max(40, Math.floor((allowed * 2) / lines.length));
      lines = lines.map((line) => (line.length > chars ? `${cutHead(line, chars)} […]` : line));
      tokens = countLines(lines, countText);
    }
    if (used + tokens > allowed && chunk.length > 0) {
      chunk = [];
      chunks.push(chunk);
      used = 0;
    }
    chunk.push(...lines);
    used += tokens;
  }
  return chunks;
}

/** Calls stay with their results. */
function groupRounds(span: readonly Message[]): readonly (readonly Message[])[] {
  const rounds: Message[][] = [];
  let round: Message[] = [];
  let open = 0;
  for (const message of span) {
    if (open === 0 || message.role !== 'user') {
      round = [];
      rounds.push(round);
    }
    round.push(message);
    open = Math.max(0, open + callsOf(message).length - resultsOf(message).length);
  }
  return rounds;
}
