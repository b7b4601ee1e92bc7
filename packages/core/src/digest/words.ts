/** Words as phrases are made of them: a name, a number, a sign of a script without blanks. */
const word =
  /[A-Za-z_$\u00c0-\u024f\u0370-\u1fff][\w$\u00c0-\u024f\u0370-\u1fff]*|\d+(?:\.\d+)?|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;

export const splitWords = (text: string): readonly string[] => text.match(word) ?? [];

/** Who has written a word. */
export const By = { model: 1, user: 2 } as const;

/** All words met, by their numbers. */
export interface Words {
  /** The numbers of a text's words. Each word counts once for each part, which `part` tells apart. */
  read(text: string, part: number, by?: number): number[];
  /** The number of a word, if it was met. */
  find(text: string): number | undefined;
  readonly texts: readonly string[];
  /** In how many parts each stood. */
  readonly parts: readonly number[];
  /** In how many of these the model wrote it. */
  readonly said: readonly number[];
  /** Bits of `By`. */
  readonly by: readonly number[];
}

export function newWords(): Words {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  const parts: number[] = [];
  const said: number[] = [];
  const by: number[] = [];
  const seenIn: number[] = [];
  return {
    texts,
    parts,
    said,
    by,
    find: (text) => numbers.get(text),
    read(text, part, who = 0) {
      const found: number[] = [];
      for (const one of splitWords(text)) {
        let n = numbers.get(one);
        if (n === undefined) {
          n = texts.push(one) - 1;
          numbers.set(one, n);
          parts.push(0);
          said.push(0);
          by.push(0);
          seenIn.push(-1);
        }
        found.push(n);
        if (seenIn[n] !== part) {
          seenIn[n] = part;
          parts[n] = (parts[n] as number) + 1;
          if (who === By.model) said[n] = (said[n] as number) + 1;
        }
        by[n] = (by[n] as number) | who;
      }
      return found;
    },
  };
}

export const PHRASE_WORDS = 4;

/** A number for each phrase of four words of which more than two differ. Two phrases with one number are as rare as they are harmless. */
export function phrasesOf(words: readonly number[]): readonly number[] {
  const found = new Set<number>();
  for (let i = 0; i + PHRASE_WORDS <= words.length; i++) {
    const [a, b, c, d] = [words[i], words[i + 1], words[i + 2], words[i + 3]] as [number, number, number, number];
    const different = 1 + Number(b !== a) + Number(c !== a && c !== b) + Number(d !== a && d !== b && d !== c);
    if (different > 2) found.add(Math.imul(Math.imul(Math.imul(a, 0x9e3779b1) + b, 0x85ebca6b) + c, 0xc2b2ae35) + d);
  }
  return [...found];
}
