/** The source files of a small shop: enough of them to fill the offline model's window, so that it is compacted. */

const PARTS: Readonly<Record<string, readonly string[]>> = {
  billing: ['deposits', 'dunning', 'invoices', 'late-fees', 'payouts', 'reminders'],
  cart: ['add-item', 'bundles', 'checkout', 'coupons', 'gift-wrap', 'totals'],
  orders: ['cancel-order', 'history', 'place-order', 'receipts', 'refunds', 'returns'],
  parcels: ['addresses', 'carriers', 'labels', 'pick-up', 'tracking', 'weights'],
  stock: ['counting', 'deliveries', 'price-list', 'reservations', 'shelves', 'suppliers'],
};

/** What each file has a function for. */
const STEPS = ['check', 'limit', 'share', 'charge', 'report'] as const;

/** Paths of the shop and what stands in them. */
export function shopFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>([
    ['README.md', README],
    ['AGENTS.md', 'Two spaces, no tabs. Prices are in cents.\n'],
    ['db/migrations/001-orders.sql', 'create table orders (id text primary key, cents integer not null);\n'],
    ['src/cents.ts', CENTS],
  ]);
  for (const [part, names] of Object.entries(PARTS))
    for (const [i, name] of names.entries()) files.set(`src/${part}/${name}.ts`, moduleText(part, name, i + 1));
  return files;
}

const README = `# The corner shop

Carts, orders, stock, billing and parcels of a small shop, made up for practice. Change what you like: a file that is
gone is written anew at the next start.
`;

const CENTS = `/** Whole cents, rounded half up. */
export const toCents = (amount: number): number => Math.round(amount);
`;

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function moduleText(part: string, name: string, number: number): string {
  const about = name.replaceAll('-', ' ');
  const subject = name.split('-').map(capitalize).join('');
  const limit = number * 500 + part.length * 20;
  const head = `import { toCents } from '../cents.ts';

/** ${capitalize(part)}: ${about}. All amounts are in cents. */
export interface ${subject}Line {
  readonly article: string;
  readonly cents: number;
  readonly count: number;
}

export const MOST_${subject.toUpperCase()} = ${limit};
`;
  return [head, ...STEPS.map((step, i) => stepText(step, subject, about, number + i))].join('\n');
}

const stepText = (step: string, subject: string, about: string, factor: number): string =>
  `/** ${capitalize(step)}s what the ${about} come to, line by line; never more than the limit. */
export function ${step}${subject}(lines: readonly ${subject}Line[]): number {
  const sum = lines.reduce((total, { cents, count }) => total + cents * count, 0);
  const ${step} = toCents((sum * ${factor * 3 + 1}) / 100);
  return Math.min(${step}, MOST_${subject.toUpperCase()});
}
`;
