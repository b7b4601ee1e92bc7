import pc from 'picocolors';

/** Puts colours on; on text that is measured and clipped already. */
export type Paint = ReturnType<typeof pc.createColors>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Not picocolors' own answer, which paints into files where CI is set. */
export function wantsColour({ NO_COLOR, FORCE_COLOR, TERM }: Environment, isTerminal: boolean): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0') return true;
  return isTerminal && TERM !== 'dumb';
}

export const paintFor = (environment: Environment, isTerminal: boolean): Paint =>
  pc.createColors(wantsColour(environment, isTerminal));
