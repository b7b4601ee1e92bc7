import { grep, read, shell, write } from '../actions.ts';
import { requestLog, testRun } from '../outputs.ts';
import type { Tale } from '../tale.ts';
import { PINNED } from './quantities.ts';
import { RULE } from './reminders.ts';

const EXPORTS = ['items', 'purchases', 'waste', 'loans', 'deliveries', 'transfers', 'stocktakes', 'jars'] as const;

/** The session comes back from lunch, writes whole files, is compacted by hand and refused by the provider once. */
export function exports(tale: Tale): void {
  tale.pause(70);
  tale.human(
    `Back from lunch. Now a CSV export for the accountant: one module a table, for these: items, purchases, waste, loans, deliveries, transfers, stocktakes, jars. And please look why these exports failed:\n\n${requestLog(47, 80)}`,
  );
  tale.round(
    { thought: 'Eight modules of one form. First a look at one route for the names of the columns.' },
    read('src/routes/items.ts'),
    grep('quantity'),
  );
  for (const [n, table] of EXPORTS.entries()) {
    tale.round({ words: `Number ${n + 1}: ${table}.` }, write(`src/export/${table}.ts`, exportModule(table)));
    if (n % 3 === 2) tale.round({}, shell('npm test -- export', testRun(60 + n, undefined, 70)));
  }
  tale.say(
    'All eight exports are written. Numbers are whole, as you asked; the file begins with a mark so that spreadsheets see the encoding.',
  );

  tale.human('Good. This has become long, let me tidy up before we go on.');
  tale.happens('compact-asked');
  tale.round(
    { words: 'One thing to check after that: the exports of all tables side by side.' },
    ...EXPORTS.slice(0, 4).map((table) => read(`src/export/${table}.ts`)),
  );
  tale.round({}, shell('npm test', testRun(71, 'export')), shell('npm run build', 'built in 1.2 s'));
  tale.happens('request-refused');
  tale.round({ thought: 'The failing export test wants a line end of two characters.' }, read('src/export/items.ts'));
  tale.round({}, write('src/export/items.ts', exportModule('items').replaceAll("'\\n'", "'\\r\\n'")));
  tale.round({}, shell('npm test', testRun(72)));
  tale.say("The export of items ends its lines the way the accountant's program wants it. All tests pass.");

  tale.human('Before you stop: which rules did I give you today, and what is still open?');
  tale.say(
    `Three: ${RULE}; ask before adding a dependency; and: ${PINNED} Still open: the column in the database is called qty, and the digest would rather have a column than a file. Both are migrations, so both are yours.`,
  );
}

const exportModule = (table: string): string => `import { all } from '../db/query.ts';
import { isoDay } from '../dates.ts';

/** Spreadsheets take a file for UTF-8 only when it begins with this. */
const MARK = '\\ufeff';

const quoted = (value: unknown): string => {
  const text = value instanceof Date ? isoDay(value) : String(value ?? '');
  return /[",\\n;]/.test(text) ? \`"\${text.replaceAll('"', '""')}"\` : text;
};

/** Every row of ${table} between two days, oldest first, as the accountant wants it. */
export async function export${table[0]!.toUpperCase()}${table.slice(1)}(from: Date, to: Date): Promise<string> {
  const rows = await all('select * from ${table} where changed_at between ? and ? order by id', [isoDay(from), isoDay(to)]);
  const columns = rows[0] === undefined ? [] : Object.keys(rows[0]).filter((name) => name !== 'secret');
  const lines = [columns.map(quoted).join(';')];
  for (const row of rows) lines.push(columns.map((name) => quoted(row[name])).join(';'));
  return MARK + lines.join('\\n') + '\\n';
}

/** The same as a stream, for tables that are larger than memory likes. */
export async function* stream${table[0]!.toUpperCase()}${table.slice(1)}(from: Date, to: Date): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const rows = await all('select * from ${table} where id > ? and changed_at between ? and ? order by id limit 500', [after, isoDay(from), isoDay(to)]);
    if (rows.length === 0) return;
    for (const row of rows) yield Object.values(row).map(quoted).join(';') + '\\n';
    after = Number(rows.at(-1)!.id);
  }
}
`;
