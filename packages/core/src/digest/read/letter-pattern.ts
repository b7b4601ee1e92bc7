/** Answers the pattern to look for in a text. */
export type PickPattern = (text: string) => RegExp;

const foreign = /[^\0-\x7f]/;

/**
 * A pattern that knows letters of any script, whatever their case. To be made ready it takes longer than reading most texts does, so that
 * a text of plain Latin letters is read by one that knows only those: what it finds is the same.
 */
export function newLetterPattern(source: string, flags = ''): PickPattern {
  let any: RegExp | undefined;
  let plain: RegExp | undefined;
  return (text) => {
    if (foreign.test(text)) {
      any ??= new RegExp(source, `iu${flags}`);
      return any;
    }
    plain ??= new RegExp(toPlain(source), `i${flags}`);
    return plain;
  };
}

const toPlain = (source: string): string =>
  source.replaceAll('[\\p{L}\\p{N}]', '[A-Za-z0-9]').replaceAll('\\p{L}', '[A-Za-z]');
