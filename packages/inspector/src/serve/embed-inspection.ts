import type { Inspector } from '../inspector.ts';
import type { AuditPage, Course, Embedded, SummaryText } from '../model/inspection.ts';
import { nameExcerpt } from '../model/name-excerpt.ts';

/** How much of the texts goes into a file. */
export interface EmbedOptions {
  /** Of all texts together. */
  readonly maxChars: number;
  /** Of one text. */
  readonly maxTextChars: number;
}

/** A file that can be sent to a colleague: some megabytes. */
export const USUAL_ROOM: EmbedOptions = { maxChars: 6_000_000, maxTextChars: 12_000 };

/** What a single file holds: short texts first, so that most can be read in it; a text that is cut says so. */
export function embedInspection(
  inspector: Inspector,
  courses: readonly Course[],
  room: EmbedOptions = USUAL_ROOM,
  audit?: AuditPage,
): Embedded {
  const { inspection } = inspector;
  const all = [...inspection.courses, ...courses];
  let left = room.maxChars;
  const take = (course: string, name: string): string | undefined => {
    if (left <= 0) return undefined;
    const read = inspector.readText(course, name);
    if (read === undefined) return undefined;
    const most = Math.min(room.maxTextChars, left);
    const text = read.text.slice(0, most);
    left -= text.length;
    return text.length < read.chars
      ? `${text}\n[… ${read.chars - text.length} more characters are not in this file]`
      : text;
  };
  const made: Record<string, string> = {};
  const summaries: Record<string, SummaryText> = {};
  for (const course of all)
    for (const [i, cliff] of course.cliffs.entries()) {
      for (const { id } of cliff.made) made[`${course.name}/${id}`] ??= take(course.name, id) ?? '';
      const summary = cliff.summary === undefined || left <= 0 ? undefined : inspector.readSummary(course.name, i);
      if (summary === undefined) continue;
      summaries[`${course.name}/${i}`] = summary;
      left -= summary.text.length * 2;
    }
  for (const { name, stretches } of all)
    for (const stretch of stretches) {
      const text = stretch.made === undefined ? take(name, nameExcerpt(stretch)) : undefined;
      if (text !== undefined) made[`${name}/${nameExcerpt(stretch)}`] = text;
    }
  const { tokens } = inspection.messages;
  const order = tokens.map((_, place) => place).sort((one, other) => (tokens[one] ?? 0) - (tokens[other] ?? 0));
  const texts: Record<string, string> = {};
  for (const place of order) {
    const text = take('', `#${place + 1}`);
    if (text !== undefined) texts[place] = text;
  }
  return {
    inspection: { ...inspection, courses: all },
    texts,
    made,
    summaries,
    ...(audit === undefined ? {} : { audit }),
  };
}
