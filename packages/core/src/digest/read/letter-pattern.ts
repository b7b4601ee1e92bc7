/** Answers the pattern to look for in a text. */
export type PickPattern = (text: string) => RegExp;

const latinLetters = 'A-Za-zªµºÀ-ÖØ-öø-žƀ-ɏ';
const latinNumbers = '0-9²³¹¼-¾';
/** Neither Latin letters nor signs, arrows and lines, which are no letters anywhere. The long s is an s to a pattern of any script alone. */
const foreign = /[^\0-\u017e\u0180-\u024f\u2010-\u2027\u2030-\u205e\u2190-\u23ff\u2500-\u2775]/;

/**
 * A pattern that knows letters of any script, whatever their case. To be made ready it takes longer than most texts take to be read, so that
 * a text in Latin letters is read by one that knows only those: what it finds is the same.
 */
export function newLetterPattern(source: string, flags = ''): PickPattern {
  let any: RegExp | undefined;
  let latin: RegExp | undefined;
  return (text) => {
    if (foreign.test(text)) {
      any ??= new RegExp(source, `iu${flags}`);
      return any;
    }
    latin ??= new RegExp(toLatin(source), `i${flags}`);
    return latin;
  };
}

const toLatin = (source: string): string =>
  source.replaceAll('[\\p{L}\\p{N}]', `[${latinLetters}${latinNumbers}]`).replaceAll('\\p{L}', `[${latinLetters}]`);
