import type { CarryItem } from '../../ledger/carry.ts';
import { type Message, partText } from '../../message/message.ts';
import { shownAboveMark } from '../../notices.ts';

/** Fewer lines in a row than these may stand anywhere. */
const LEAST_RUN = 4;

/**
 * Files without the lines that the kept messages show: runs of them give way to a mark, and a file of which nothing else is
 * left is not carried at all. What is no file is carried as it is.
 */
export function leaveOutShown(items: readonly CarryItem[], kept: readonly Message[]): readonly CarryItem[] {
  const shown = new Set(
    kept.flatMap(({ parts }) => parts.flatMap((part) => partText(part).split('\n').map(bareLine))).filter(isTelling),
  );
  return items.flatMap((item) => {
    if (item.kind !== 'file') return [item];
    const text = cutShown(item.text, shown);
    return text === undefined ? [] : [{ ...item, text }];
  });
}

/** The text without runs of lines that are shown; undefined where all but a few of them are. */
function cutShown(text: string, shown: ReadonlySet<string>): string | undefined {
  const out: string[] = [];
  let run: string[] = [];
  let news = 0;
  let cut = 0;
  const close = (): void => {
    const telling = run.filter((line) => isTelling(bareLine(line))).length;
    if (telling >= LEAST_RUN) {
      out.push(shownAboveMark(run.length));
      cut += run.length;
    } else out.push(...run);
    run = [];
  };
  for (const line of text.split('\n')) {
    const bare = bareLine(line);
    if (!isTelling(bare) || shown.has(bare)) run.push(line);
    else {
      close();
      out.push(line);
      news++;
    }
  }
  close();
  return news === 0 || (cut > 0 && news < LEAST_RUN) ? undefined : out.join('\n');
}

/** A line as it stands in the file: without the number that a tool put before it. */
const bareLine = (line: string): string => line.replace(/^\s*\d{1,7}\s*[\t→:|│]\s?/, '').trim();

/** Brackets and blanks stand everywhere. */
const isTelling = (bare: string): boolean => /[\p{L}\p{N}]{2}/u.test(bare);
