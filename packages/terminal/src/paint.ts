import pc from 'picocolors';

/** Puts colours on; on text that is measured and clipped already. */
export type Paint = ReturnType<typeof pc.createColors>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** The colours that are used, and their ends: bold, dim, red to cyan. Nothing that conceals or blinks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's own language
export const PAINT = /\u001b\[(?:1|2|22|3[1-6]|39)m/g;

/** Not picocolors' own answer, which paints into files where CI is set. */
export function wantsColour({ NO_COLOR, FORCE_COLOR, TERM }: Environment, isTerminal: boolean): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0') return true;
  return isTerminal && TERM !== 'dumb';
}

export const paintFor = (environment: Environment, isTerminal: boolean): Paint =>
  pc.createColors(wantsColour(environment, isTerminal));
