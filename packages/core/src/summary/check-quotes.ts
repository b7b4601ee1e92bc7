import type { SummaryTemplate } from '../view/summary-template.ts';
import { headingPattern } from './heading-pattern.ts';
import { normalizeText } from './normalize-text.ts';
import { FROM } from './read-changes.ts';

const QUOTE = /["“„«]([^"“”„«»\n]{8,})["”»]/g;
const ATTRIBUTED = /\buser(?:'s)?\b[^\n"“]{0,60}$/i;

/** Lines that put words into the user's mouth go; a quote counts as the user's in the user's section or behind "user said". */
export function checkQuotes(body: string, said: string, previous: string, { sections, itemised }: SummaryTemplate) {
  const quoting = sections.filter(({ quotes }) => quotes === true).map(({ name }) => headingPattern(name));
  let inSection = false;
  let all = 0;
  const removed: string[] = [];
  const lines = body.split('\n').filter((line) => {
    if (/^\s*(?:#+|\*\*)/.test(line)) inSection = quoting.some((heading) => heading.test(line));
    let keep = true;
    // Words that prove a statement are nobody's in particular.
    const claim = itemised === true ? line.replace(FROM, '') : line;
    for (const match of claim.matchAll(QUOTE)) {
      if (!inSection && !ATTRIBUTED.test(claim.slice(0, match.index))) continue;
      all++;
      const [, quoted = ''] = match;
      const quote = normalizeText(quoted).trim();
      if (said.includes(quote) || previous.includes(quote)) continue;
      removed.push(quoted);
      keep = false;
    }
    return keep;
  });
  return { text: lines.join('\n'), all, false: removed.length, removed };
}
