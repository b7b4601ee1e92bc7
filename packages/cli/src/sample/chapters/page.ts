import { edit, look, read, shell } from '../actions.ts';
import { testRun } from '../outputs.ts';
import { screenshot } from '../picture.ts';
import type { Tale } from '../tale.ts';

const PAGE = 'http://localhost:4170/shelf/3';

/** Styles, tried out one after the other: a picture after each. */
const TRIES: readonly (readonly [string, string])[] = [
  ['width: 1180px; margin: 0 auto;', 'max-width: 1180px; margin: 0 auto; padding: 0 12px;'],
  ['.shelf { display: flex; gap: 12px; }', '.shelf { display: flex; flex-wrap: wrap; gap: 12px; }'],
  ['.shelf .item { width: 220px;', '.shelf .item { flex: 1 1 160px;'],
  ['.name { font-size: 13px; }', '.name { font-size: 1rem; }'],
  ['float: right; color: #a33;', 'display: block; color: #8a1f1f;'],
  ['table.stock { width: 1180px;', 'table.stock { width: 100%;'],
  ['white-space: nowrap;', 'overflow-wrap: anywhere;'],
];

/** Pictures pile up: the user's own, then one for every try. */
export function page(tale: Tale): void {
  tale.human('The page is unreadable on my phone, see the picture. Please make it fit.', screenshot('phone.png', 6));
  tale.round(
    { thought: 'Fixed widths everywhere. One rule at a time, with a look after each.' },
    read('web/shelf.css'),
  );
  for (const [n, [before, after]] of TRIES.entries()) {
    tale.round({}, edit('web/shelf.css', before, after));
    tale.round({ words: `Try ${n + 1}.` }, look(PAGE, screenshot(`try-${n + 1}.png`, 8 + 2 * n)));
  }
  tale.round({}, read('web/shelf.css'), shell('npm test -- page', testRun(51, undefined, 40)));
  tale.say(
    'It fits now: nothing is wider than the screen, and names are readable without zooming. The last picture shows it.',
  );
}
