import { inSteps, type Steps } from '../steps.ts';

const NAME = /(?:[\w.@-]+\/)+[\w.@-]+|\b[A-Za-z_]\w*(?:[A-Z_]\w*|\.\w+)+\b|\b\d[\d.,:_-]{2,}\b|\b[0-9a-f]{7,40}\b/g;

/** Paths, code names and numbers of the summary that occur nowhere in what it summarizes. */
export const findForeignNames = inSteps(function* (body: string, source: string): Steps<readonly string[]> {
  const names = new Set<string>();
  const lower = source.toLowerCase();
  for (const [match] of body.matchAll(NAME)) {
    const name = match.replace(/[.,:;_-]+$/, '');
    if (name.length < 3 || lower.includes(name.toLowerCase())) continue;
    names.add(name);
    // Of one that is not there, all of the source was read.
    yield;
  }
  return [...names];
});

/** The text with a word behind each name that nothing proves. */
export function markNames(body: string, flagged: readonly string[]): string {
  let text = body;
  for (const name of flagged) text = text.replaceAll(name, `${name} (unverified)`);
  return text;
}
