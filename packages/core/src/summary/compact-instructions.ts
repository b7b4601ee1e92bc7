const HEADING = /^(#{1,6})[ \t]+(.*?)[ \t#]*$/gm;
const NAME = /^(?:compact|compaction|summary)[ -]instructions:?$/i;

/**
 * The section of a project's instructions that is about summaries: what stands under a heading "Compact Instructions" (or
 * "Summary instructions"), up to the next heading that is not below it. Undefined where there is none, or nothing in it.
 */
export function findCompactInstructions(source: string): string | undefined {
  const headings = [...source.matchAll(HEADING)];
  const at = headings.findIndex(([, , name = '']) => NAME.test(name));
  const heading = headings[at];
  if (heading === undefined) return undefined;
  const [line, marks = ''] = heading;
  const next = headings.slice(at + 1).find(([, others = '']) => others.length <= marks.length);
  const section = source.slice(heading.index + line.length, next?.index).trim();
  return section === '' ? undefined : section;
}
