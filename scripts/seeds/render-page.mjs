import { itemsOf } from './read-systems.mjs';

const linkTo = (file) => `[${file.split('/').at(-1)}](../${file})`;
const cell = (words) => words.replaceAll('|', '\\|').replaceAll('<', '&lt;');
const proofOf = ({ test, title }) => (test === undefined ? '' : `${linkTo(test)}: ${cell(title)}`);

function outcomeOf({ status, reason = '' }) {
  if (status === 'does') return '✓';
  return status === undefined ? 'no row yet' : `**${status}**: ${cell(reason)}`;
}

const rowOf = (item) =>
  `| ${item.id} | ${cell(item.what)} | ${item.where === undefined ? '' : linkTo(item.where)} | ${proofOf(item)} | ${outcomeOf(item)} |`;

/** How many of these items have which outcome, in words. */
function countOutcomes(items) {
  const count = (status) => items.filter((item) => item.status === status).length;
  const open = count(undefined);
  return `${items.length} items: ${count('does')} as described, ${count('better')} better, ${count('elsewhere')} elsewhere${open === 0 ? '' : `, ${open} without a row`}`;
}

/** The page that tells of every described thing where it is done, which test proves it, or why it is otherwise. */
export function renderPage(systems) {
  const lines = [
    '# Described → done',
    '',
    'What the documents describe that this project was made from, item by item: where it is done, and the test that proves it. Made by `npm run docs:seeds`',
    'from `scripts/seeds/*.json`; `npm run check` holds it against the files and the names of the tests. **better**: done otherwise on purpose, with the reason;',
    '**elsewhere**: not a matter of this project. Rules of the field (A12, C3, …) are those of [conformance.md](conformance.md).',
    '',
    `In all ${countOutcomes(systems.flatMap(itemsOf))}.`,
    '',
  ];
  for (const system of systems) {
    lines.push(`## ${system.name}`, '', `${system.about} ${countOutcomes(itemsOf(system))}.`, '');
    for (const { title, items } of system.sections)
      lines.push(
        ...(title === undefined ? [] : [`### ${title}`, '']),
        '| item | what is described | where | test | |',
        '|---|---|---|---|---|',
        ...items.map(rowOf),
        '',
      );
  }
  return `${lines.join('\n').trimEnd()}\n`;
}
