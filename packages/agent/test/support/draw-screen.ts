const [CELL, ROW, MARGIN] = [8.4, 19, 16];
const COLOURS: readonly (readonly [RegExp, string])[] = [
  [/^◆/, '#d787d7'],
  [/^[●✓]/, '#87d787'],
  [/^✗/, '#ff8787'],
  [/^(?:>|❯)/, '#ffffff'],
  [/context left/, '#87d787'],
  [/^ {2}(?:step \d|[a-z]+-[a-z-]+ +(?:hid|added)|why now|recall|…)/, '#8a8a8a'],
];

const escapeText = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '');

/** Lines of a terminal as a picture. */
export function drawScreen(title: string, lines: readonly string[], columns: number): string {
  const [width, height] = [Math.ceil(columns * CELL + 2 * MARGIN), lines.length * ROW + 2 * MARGIN];
  const rows = lines.map((line, i) => {
    const colour = COLOURS.find(([pattern]) => pattern.test(line))?.[1] ?? '#d0d0d0';
    return `  <text x="${MARGIN}" y="${MARGIN + (i + 0.75) * ROW}" fill="${colour}" xml:space="preserve">${escapeText(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" role="img">
  <title>${escapeText(title)}</title>
  <rect width="${width}" height="${height}" rx="8" fill="#1c1c1c"/>
${rows.join('\n')}
</svg>
`;
}
