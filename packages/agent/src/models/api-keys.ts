import { PROVIDERS } from './choose-model.ts';

const NAMES = [...new Set(Object.values(PROVIDERS).map(({ keyName }) => keyName))];
/** Shorter than any key, and perhaps a word. */
const SHORTEST = 8;

/** A command may print the keys of the environment, a file may hold them: what is kept and shown names them instead. */
export function newKeyBlanker(environment: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const keys = NAMES.map((name) => ({ name, value: environment[name]?.trim() ?? '' })).filter(
    ({ value }) => value.length >= SHORTEST,
  );
  return (text) => keys.reduce((rest, { name, value }) => rest.replaceAll(value, `[${name}]`), text);
}
