const NAME = /(?:[\w.@-]+\/)+[\w.@-]+|\b[A-Za-z_]\w*(?:[A-Z_]\w*|\.\w+)+\b|\b\d[\d.,:_-]{2,}\b|\b[0-9a-f]{7,40}\b/g;

/** Paths, code names and numbers of a summary that occur in none of the texts that it summarizes. */
export function findForeignNames(body: string, texts: Iterable<string>): readonly string[] {
  const names = new Set<string>();
  for (const [match] of body.matchAll(NAME)) {
    const name = match.replace(/[.,:;_-]+$/, '');
    if (name.length >= 3) names.add(name);
  }
  const unseen = new Set([...names].map((name) => name.toLowerCase()));
  for (const text of texts) {
    if (unseen.size === 0) break;
    const lower = text.toLowerCase();
    for (const name of unseen) if (lower.includes(name)) unseen.delete(name);
  }
  return [...names].filter((name) => unseen.has(name.toLowerCase()));
}

/** The text with a word behind each name that nothing proves. */
export function markNames(body: string, flagged: readonly string[]): string {
  let text = body;
  for (const name of flagged) text = text.replaceAll(name, `${name} (unverified)`);
  return text;
}
