import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const PARTS = ['cart', 'orders', 'stock', 'billing', 'parcels'] as const;

/** A shop in TypeScript, generated: enough files to fill a small window several times over. */
export async function newShopFolder(files: number): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'palimpsest-shop-'));
  const write = async (path: string, content: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  };
  for (let n = 0; n < files; n++)
    await write(`src/${PARTS[n % PARTS.length]}/module-${String(n).padStart(3, '0')}.ts`, moduleText(n));
  await write(
    'README.md',
    '# The corner shop\n\nCarts, orders, stock, billing and parcels of a small shop.\n\nRun `npm test` before you push.\n',
  );
  await write('AGENTS.md', 'Two spaces, no tabs. Prices are in cents.\n');
  await write(
    'package.json',
    `${JSON.stringify({ name: 'corner-shop', type: 'module', scripts: { test: 'node --test test/' } }, null, 2)}\n`,
  );
  // Its cache, its log files and its look for a newer version would reach beyond this folder.
  await write('.npmrc', `cache=${join(root, '.npm')}\nlogs-max=0\nupdate-notifier=false\n`);
  await write('db/migrations/001-orders.sql', 'create table orders (id text primary key, cents integer not null);\n');
  await write('test/cents.test.mjs', testText);
  return root;
}

const RULES = ['Fee', 'Discount', 'Tax', 'Refund', 'Bonus', 'Deposit'] as const;

/** Most are a page long; every seventeenth is a price list longer than a quarter of the window. */
function moduleText(n: number): string {
  const part = PARTS[n % PARTS.length]!;
  const name = `${part}${n}`;
  const head = `/** Module ${n} of ${part}. */\nimport { toCents } from '../cents.ts';\n\n`;
  const rules = RULES.slice(0, 2 + (n % 5)).map((rule, i) => ruleText(`${name}${rule}`, i + 1, n));
  const list =
    n % 17 === 3
      ? `export const ${name}Prices = [\n${Array.from({ length: 420 }, (_, i) => `  { article: '${part}-${n}-${i}', cents: ${i * 7 + n} },`).join('\n')}\n];\n`
      : '';
  return `${head}${rules.join('\n')}${list}`;
}

const ruleText = (name: string, factor: number, n: number): string =>
  `/** In cents, rounded; never below ${n}. */
export function ${name}(cents: number): number {
  if (cents < ${n * 10}) return ${n};
  return Math.max(${n}, toCents(cents * ${factor} + ${n}));
}
`;

const testText = `import assert from 'node:assert/strict';
import { test } from 'node:test';

test('cents are whole', () => assert.equal(Math.round(19.99 * 100), 1999));
`;
