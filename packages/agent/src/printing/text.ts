import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';

export type Paint = ReturnType<typeof pc.createColors>;

/** Not picocolors' own answer, which paints into files where CI is set. */
export function paintFor(environment: Readonly<Record<string, string | undefined>>, isTerminal: boolean): Paint {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return pc.createColors(false);
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0') return pc.createColors(true);
  return pc.createColors(isTerminal && TERM !== 'dumb');
}

/** Files and commands may say anything; on a screen they may not move the cursor or ring. */
export const clean = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is removed
  stripVTControlCharacters(text.replaceAll('\t', '  ')).replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '');

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NOTHING = /\p{Mn}|\p{Me}|[\u200b-\u200f\u2060]/u;

const widthOfCharacter = (character: string): number => (NOTHING.test(character) ? 0 : WIDE.test(character) ? 2 : 1);

/** Columns a text takes; colours take none. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) width += widthOfCharacter(character);
  return width;
}

/** At most so many columns, with a sign that more follows. For text without colours. */
export function clip(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let out = '';
  let width = 0;
  for (const character of text) {
    width += widthOfCharacter(character);
    if (width > columns - 1) break;
    out += character;
  }
  return `${out}…`;
}

/** Lines of at most so many columns, broken at spaces where there are some. For text without colours. */
export function wrap(text: string, columns: number): readonly string[] {
  const most = Math.max(8, columns);
  return text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    let rest = line;
    while (widthOf(rest) > most) {
      const head = clip(rest, most + 1).slice(0, -1);
      const space = head.lastIndexOf(' ');
      const cut = space > most / 3 ? space + 1 : head.length;
      lines.push(rest.slice(0, cut).trimEnd());
      rest = rest.slice(cut);
    }
    return [...lines, rest];
  });
}

export const count = (value: number): string => value.toLocaleString('en-US');

export const bytes = (value: number): string =>
  value < 1_000
    ? `${value} bytes`
    : value < 1_000_000
      ? `${(value / 1_000).toFixed(1)} kB`
      : `${(value / 1_000_000).toFixed(1)} MB`;

export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
