/** A pattern in lower case that knows letters of any script, and finds them whatever their case is. */
export interface LetterPattern {
  test(text: string): boolean;
  /** The text in lower case with a blank in the place of whatever it finds; a picture may have become another. */
  dropAll(text: string): string;
}

const latinLetters = 'A-Za-zªµºÀ-ÖØ-öø-ɏ';
const latinNumbers = '0-9²³¹¼-¾';
/** Neither Latin letters nor signs, arrows and lines, which are no letters anywhere. */
const foreign = /[^\0-\u024f\u2010-\u2027\u2030-\u205e\u2190-\u23ff\u2500-\u2775]/;

/** Emoji and the like: two units each, and neither letters nor numbers. */
const pictures = /\ud83c[\udc00-\udcff\udd0d-\udfff]|\ud83d[\udc00-\udfff]|\ud83e[\udc00-\udeff]/g;
const picture = '☐';

/** A text in which each picture is one unit, as it is one sign to a pattern of any script, in lower case: patterns that let cases pass by themselves take ten times as long to be made. */
const flatten = (text: string): string =>
  (/[\ud83c-\ud83e]/.test(text) ? text.replace(pictures, picture) : text).toLowerCase();

/**
 * To be made ready, a pattern of any script takes longer than most texts take to be read, so that a text in Latin letters is read by one
 * that knows only those: what it finds is the same.
 */
export function newLetterPattern(source: string): LetterPattern {
  let any: RegExp | undefined;
  let latin: RegExp | undefined;
  const pickPattern = (text: string): RegExp => {
    if (foreign.test(text)) {
      any ??= new RegExp(source, 'gu');
      return any;
    }
    latin ??= new RegExp(toLatin(source), 'g');
    return latin;
  };
  return {
    test(text) {
      const flat = flatten(text);
      return flat.search(pickPattern(flat)) >= 0;
    },
    dropAll(text) {
      const flat = flatten(text);
      return flat.replace(pickPattern(flat), ' ');
    },
  };
}

const toLatin = (source: string): string =>
  source.replaceAll('[\\p{L}\\p{N}]', `[${latinLetters}${latinNumbers}]`).replaceAll('\\p{L}', `[${latinLetters}]`);
