const WORD = /[A-Za-z_$][\w$]*|\d+(?:\.\d+)?|[\u3400-\u9fff]/g;
const PHRASE_WORDS = 4;
/** A run of one or two different words (`- - - -`) says nothing. */
const MIN_DISTINCT = 3;
/** A phrase found in this many projects is boilerplate. */
const BOILERPLATE_PROJECTS = 3;

/** Every four words in a row. */
export function listPhrases(text: string): ReadonlySet<string> {
  const words = text.match(WORD) ?? [];
  const phrases = new Set<string>();
  for (let i = 0; i + PHRASE_WORDS <= words.length; i++) {
    const phrase = words.slice(i, i + PHRASE_WORDS);
    if (new Set(phrase).size >= MIN_DISTINCT) phrases.add(phrase.join(' '));
  }
  return phrases;
}

/** FNV-1a: a set of numbers takes a fraction of the memory of the phrases. */
function hashPhrase(phrase: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < phrase.length; i++) hash = Math.imul(hash ^ phrase.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Tells the phrases that stand in several of these projects; each project is the texts of its messages. */
export function findBoilerplate(projects: Iterable<Iterable<string>>): (phrase: string) => boolean {
  const counts = new Map<number, number>();
  for (const texts of projects) {
    const own = new Set<number>();
    for (const text of texts) for (const phrase of listPhrases(text)) own.add(hashPhrase(phrase));
    for (const hash of own) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  return (phrase) => (counts.get(hashPhrase(phrase)) ?? 0) >= BOILERPLATE_PROJECTS;
}
