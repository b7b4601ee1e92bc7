import { graphemesOf, textWidth } from '@palimpsest/terminal';

/** A path or a name within so many columns: its beginning and its end, which say most. */
export function shortenMiddle(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  const all = [...graphemesOf(text)];
  const room = Math.max(1, columns - 1);
  const tail = takeWithin(all.toReversed(), Math.ceil(room / 2)).toReversed();
  return `${takeWithin(all, room - Math.ceil(room / 2)).join('')}…${tail.join('')}`;
}

function takeWithin(graphemes: readonly string[], columns: number): readonly string[] {
  let width = 0;
  const end = graphemes.findIndex((one) => {
    width += textWidth(one);
    return width > columns;
  });
  return end < 0 ? graphemes : graphemes.slice(0, end);
}
