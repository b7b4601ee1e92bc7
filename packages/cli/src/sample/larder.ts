/**
 * The project of the sample session: Larder, which keeps the books of a shared kitchen. It does not exist; its files are
 * what the session's tools read, search and change.
 */

/** Each is one route module with the fields of its table. */
const THINGS: Readonly<Record<string, readonly string[]>> = {
  items: ['name', 'qty', 'shelf', 'expires'],
  shelves: ['label', 'room', 'qty'],
  people: ['name', 'mail', 'language'],
  households: ['name', 'people', 'qty'],
  recipes: ['title', 'servings', 'steps'],
  ingredients: ['recipe', 'item', 'qty'],
  purchases: ['item', 'qty', 'price', 'boughtAt'],
  suppliers: ['name', 'phone', 'qty'],
  deliveries: ['supplier', 'qty', 'arrivesAt'],
  waste: ['item', 'qty', 'reason'],
  loans: ['item', 'person', 'qty', 'backBy'],
  labels: ['text', 'colour', 'qty'],
  freezers: ['room', 'degrees', 'qty'],
  jars: ['item', 'qty', 'sealedAt'],
  spices: ['name', 'qty', 'opened'],
  crates: ['shelf', 'qty', 'contents'],
  menus: ['day', 'recipe', 'qty'],
  stocktakes: ['shelf', 'countedBy', 'qty'],
  transfers: ['item', 'from', 'to', 'qty'],
  wishes: ['person', 'item', 'qty'],
};

export const ROUTES: readonly string[] = Object.keys(THINGS).map((thing) => `src/routes/${thing}.ts`);

function routeModule(thing: string, fields: readonly string[]): string {
  const table = thing.replace(/s$/, '');
  const reads = fields.map((field) => `    ${field}: row.${field} as string | number,`).join('\n');
  const columns = fields.join(', ');
  const marks = fields.map(() => '?').join(', ');
  return `import { all, one, run } from '../db/query.ts';
import { badRequest, notFound, type Handler } from '../http.ts';

/** One ${table} as the page shows it. */
export interface ${table[0]!.toUpperCase()}${table.slice(1)} {
  readonly id: number;
${fields.map((field) => `  readonly ${field}: string | number;`).join('\n')}
}

const read = (row: Record<string, unknown>) => ({
    id: row.id as number,
${reads}
});

export const list: Handler = async ({ query }) => {
  const limit = Math.min(Number(query.limit ?? 50), 200);
  const rows = await all('select id, ${columns} from ${thing} order by id limit ?', [limit]);
  return { status: 200, body: rows.map(read) };
};

export const show: Handler = async ({ params }) => {
  const row = await one('select id, ${columns} from ${thing} where id = ?', [Number(params.id)]);
  return row === undefined ? notFound('no such ${table}') : { status: 200, body: read(row) };
};

export const create: Handler = async ({ body }) => {
  const missing = [${fields.map((field) => `'${field}'`).join(', ')}].filter((field) => body[field] === undefined);
  if (missing.length > 0) return badRequest(\`missing: \${missing.join(', ')}\`);
  const values = [${fields.map((field) => `body.${field}`).join(', ')}];
  const { id } = await run('insert into ${thing} (${columns}) values (${marks})', values);
  return { status: 201, body: { id } };
};
`;
}

const SCHEDULE = `import { all, run } from '../db/query.ts';
import { endOfDay, startOfDay } from '../dates.ts';
import { send } from './send.ts';

const HOURS_AHEAD = 48;

/** Looks for items that expire soon and tells the people of the shelf. Started by the clock and by every stocktake. */
export async function remindAll(now: Date): Promise<number> {
  const from = startOfDay(now);
  const to = new Date(endOfDay(now).getTime() + HOURS_AHEAD * 3_600_000);
  const items = await all('select * from items where expires between ? and ?', [from.toISOString(), to.toISOString()]);
  let sent = 0;
  for (const item of items) {
    const people = await all('select * from people where shelf = ?', [item.shelf]);
    for (const person of people) {
      await send(person, \`\${item.name} on shelf \${item.shelf} expires on \${item.expires}\`);
      sent++;
    }
    await run('update items set reminded_at = ? where id = ?', [now.toISOString(), item.id]);
  }
  return sent;
}
`;

const SEND = `import { post } from '../http.ts';

export interface Person {
  readonly mail: string;
  readonly language: string;
}

/** One mail. Throws when the mail server refuses it; the caller decides whether to try again. */
export async function send(person: Person, words: string): Promise<void> {
  const answer = await post('/outbox', { to: person.mail, language: person.language, words });
  if (answer.status >= 400) throw new Error(\`the outbox said \${answer.status} for \${person.mail}\`);
}
`;

const DATES = `/** Days are those of the kitchen, not of the server. */
export const startOfDay = (now: Date): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate());

export const endOfDay = (now: Date): Date => new Date(startOfDay(now).getTime() + 86_400_000 - 1);

/** "2025-03-04" stands for a whole day. Parsed as UTC midnight, which is the evening before west of Greenwich. */
export const parseDay = (text: string): Date => new Date(text);

export const isoDay = (date: Date): string => date.toISOString().slice(0, 10);
`;

const STYLES = `body { font: 15px/1.4 sans-serif; width: 1180px; margin: 0 auto; }
.shelf { display: flex; gap: 12px; }
.shelf .item { width: 220px; padding: 8px; border: 1px solid #ccc; }
.shelf .item .name { font-size: 13px; }
.shelf .item .expires { float: right; color: #a33; }
table.stock { width: 1180px; border-collapse: collapse; }
table.stock td { padding: 2px 6px; white-space: nowrap; }
`;

const README = `# Larder

What is on which shelf, whose it is, and until when it is good. One kitchen, one SQLite file, one page.

    npm install
    npm test
    npm start        # http://localhost:4170

src/routes    one module a table: list, show, create
src/reminders mails before something expires
src/dates.ts  days, not moments
web           the page, no framework
migrations    the database's history; run by hand on the kitchen's server, never changed afterwards
`;

const MIGRATION = `create table items (id integer primary key, name text, qty real, shelf text, expires text, reminded_at text);
create table people (id integer primary key, name text, mail text, language text, shelf text);
`;

/** The files as they are when the session starts. */
export function larder(): Map<string, string> {
  const files = new Map<string, string>([
    ['README.md', README],
    [
      'package.json',
      `${JSON.stringify({ name: 'larder', type: 'module', scripts: { test: 'vitest run' } }, null, 2)}\n`,
    ],
    ['migrations/001_start.sql', MIGRATION],
    ['migrations/002_reminded.sql', 'alter table items add column reminded_by text;\n'],
    ['src/dates.ts', DATES],
    ['src/reminders/schedule.ts', SCHEDULE],
    ['src/reminders/send.ts', SEND],
    ['web/shelf.css', STYLES],
  ]);
  for (const [thing, fields] of Object.entries(THINGS)) files.set(`src/routes/${thing}.ts`, routeModule(thing, fields));
  return files;
}
