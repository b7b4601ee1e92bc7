import { scanIdentifiers } from '../../digest/evidence/scan-identifiers.ts';
import { type Message, partText } from '../../message/message.ts';
import { usedSinceTitle } from '../../notices.ts';
import { cutHead } from '../../text.ts';
import type { Look } from '../../view/look.ts';
import type { SummarySpan } from './summary-span.ts';

/** Longer lines are quoted by a piece around the name. */
const LINE_CHARS = 200;
/** More names than these are not looked for. */
const MOST_NAMES = 60;

/**
 * What a draft could not know: names of its span that the agent has used since, and that it does not hold. For each the newest
 * line of the span that says it, with its place, as many as there is room for and the evidence does not show by itself.
 */
export function quoteUsedSince(look: Look, span: SummarySpan, draft: string, evidence: string, room: number): string {
  const missing = findMissing(look, span, draft);
  const lines: string[] = [];
  let left = room - look.given.countText(usedSinceTitle);
  for (const message of missing.size === 0 ? [] : messagesOf(look, span).toReversed()) {
    if (missing.size === 0) break;
    const body = message.parts.map(partText).join('\n');
    for (const name of [...missing]) {
      const at = body.indexOf(name);
      if (at < 0 || !missing.has(name)) continue;
      const line = quoteLine(body, at);
      const quoted = `- [${message.id}] ${line}`;
      const cost = look.given.countText(quoted) + 1;
      for (const one of [...missing]) if (line.includes(one)) missing.delete(one);
      missing.delete(name);
      if (cost > left || evidence.includes(line)) continue;
      left -= cost;
      lines.push(quoted);
    }
  }
  return lines.length === 0 ? '' : [usedSinceTitle, ...lines.reverse()].join('\n');
}

const messagesOf = (look: Look, { first, last, reach }: SummarySpan): readonly Message[] =>
  look.behind(first, { ...last, last: reach });

/** The names that the agent itself has used behind the span, and the draft does not hold; the oftenest first. */
function findMissing(look: Look, span: SummarySpan, draft: string): Set<string> {
  const [next, last] = [look.slots[span.end], look.slots.at(-1)];
  const since = next === undefined || last === undefined ? [] : look.behind(next, last);
  const uses = new Map<string, number>();
  for (const { role, parts } of since)
    if (role === 'assistant')
      for (const part of parts)
        if (part.type === 'text' || part.type === 'call')
          scanIdentifiers(partText(part), (name) => uses.set(name, (uses.get(name) ?? 0) + 1));
  const missing = [...uses].filter(([name]) => !draft.includes(name)).toSorted((a, b) => b[1] - a[1]);
  return new Set(missing.slice(0, MOST_NAMES).map(([name]) => name));
}

/** The line around a place of a text; of a long one a piece that begins a little before it. */
function quoteLine(body: string, at: number): string {
  const start = body.lastIndexOf('\n', at) + 1;
  const end = body.indexOf('\n', at);
  const from = at - start > LINE_CHARS / 2 ? at - LINE_CHARS / 4 : start;
  return cutHead(body.slice(from, end < 0 ? undefined : end).trim(), LINE_CHARS);
}
