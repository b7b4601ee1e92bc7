import { call, type Message, type Part, reasoning, result, text, type Usage } from '@palimpsest/core';
import type { RecordedUsage, SessionRecord } from '@palimpsest/formats';
import { withCompaction } from '@palimpsest/formats';

/**
 * A day of an agent in a small shop's code, as a recording: it reads, edits and tests, is compacted by its own summary,
 * which leaves out half of what it then needs, looks things up again, pauses, and goes on. The same in every run.
 */

const START = Date.UTC(2026, 2, 2, 9, 0, 0);
const MINUTE = 60_000;

export const RULE = 'Never touch the migrations folder.';
/** Used again after the compaction, and not in its summary. */
export const FORGOTTEN = {
  file: 'src/price/rounding-table.ts',
  identifier: 'halfEvenScale',
  command: 'npm test -- --run price --seed 4711',
} as const;
/** In the summary. */
export const REMEMBERED = { file: 'src/price/total.ts', identifier: 'grandTotal' } as const;

const SUMMARY = `The user asked for the price rounding to be moved into a module of its own, and laid down a rule: ${RULE}
Work so far: the files of the price folder were read one after the other, and those of the cart and of the taxes beside
them. ${REMEMBERED.file} holds ${REMEMBERED.identifier}, which adds up the lines of an order before anything is rounded;
it was read in full, and the rounding that stood in its last lines was taken out of it. The tests of the price folder
were run once and failed, since a value that lies exactly between two steps was rounded up where the old code had
rounded it to the even neighbour. Four files were then edited so that the names which other parts of the shop import
stay where those parts look for them. Nothing was committed. The table that says how many minor units a currency has
was looked at, but has not been moved yet.
Open: the table has to follow into the new module; then the tests are to be run again, and the imports of the cart are
to be looked through for anything that still reaches into the old place. After that the user wants to see a short list
of what was moved, before anything else is done. The user has not said yet whether the rates of the taxes, which are
rounded in a way of their own, belong into the new module too; that should be asked when the table is done.`;

const FILES: readonly (readonly [path: string, names: readonly string[]])[] = [
  [REMEMBERED.file, [REMEMBERED.identifier, 'lineTotal', 'withTax', 'netOf']],
  [FORGOTTEN.file, [FORGOTTEN.identifier, 'roundHalfEven', 'tableRow', 'minorUnits']],
  ['src/price/discount.ts', ['applyDiscount', 'tierFor', 'couponOf']],
  ['src/price/currency.ts', ['currencyOf', 'parseAmount', 'formatAmount']],
  ['src/cart/cart-store.ts', ['cartStore', 'addLine', 'dropLine', 'cartKey']],
  ['src/tax/rates.ts', ['rateFor', 'vatTable', 'reverseCharge']],
];

const sourceOf = (path: string, names: readonly string[]): string =>
  names
    .flatMap((name, i) => [
      `/** ${name}, as ${path} has it; see ticket SHOP-${1200 + i * 7}. */`,
      `export function ${name}(lines: readonly Line[], scale = ${100 + i * 11}): Amount {`,
      '  let sum = 0;',
      ...Array.from(
        { length: 9 },
        (_, n) => `  for (const line of lines) sum += line.amount * ${n + 2} - scale; // step ${n + 1}`,
      ),
      '  return sum;',
      '}',
      '',
    ])
    .join('\n');

interface Scribe {
  readonly messages: Message[];
  readonly usage: RecordedUsage[];
  wait(minutes: number): void;
  ask(words: string): void;
  answer(parts: readonly Part[], usage?: Usage): void;
  round(parts: readonly Part[], tool: string, input: Readonly<Record<string, string>>, output: string): void;
}

function newScribe(): Scribe {
  const messages: Message[] = [];
  const usage: RecordedUsage[] = [];
  let at = START;
  let calls = 0;
  let cached = 9_000;
  const say = (role: Message['role'], origin: Message['origin'], parts: readonly Part[]): void => {
    at += 4_000;
    messages.push({ id: `m${messages.length + 1}`, role, origin, parts, at });
  };
  const answer = (parts: readonly Part[], told?: Usage): void => {
    say('assistant', 'model', parts);
    usage.push({
      after: messages.length - 1,
      usage: told ?? { input: 4, output: 80, cacheRead: cached, cacheWrite: 700 },
    });
    cached = (told?.cacheRead ?? cached) + (told?.cacheWrite ?? 700);
  };
  return {
    messages,
    usage,
    wait(minutes) {
      at += minutes * MINUTE;
    },
    ask: (words) => say('user', 'human', [text(words)]),
    answer,
    round(parts, tool, input, output) {
      const callId = `call_${++calls}`;
      answer([...parts, call(callId, tool, input)]);
      say('user', 'tool', [result(callId, output)]);
    },
  };
}

const read = (scribe: Scribe, path: string): void => {
  const names = FILES.find(([file]) => file === path)![1];
  scribe.round([text(`Reading ${path}.`)], 'Read', { file_path: `/shop/${path}` }, sourceOf(path, names));
};

const test = (scribe: Scribe, output: string): void => scribe.round([], 'Bash', { command: FORGOTTEN.command }, output);

function morning(scribe: Scribe): void {
  scribe.ask(`Move the price rounding into a module of its own. ${RULE}`);
  for (const [path] of FILES) read(scribe, path);
  test(
    scribe,
    `FAIL price/total.test.ts\nError: expected 1.005 to round to 1.00, scale 4711 (${FORGOTTEN.identifier})`,
  );
  scribe.ask('Keep the public names as they are, only move them.');
  for (const [path, names] of FILES.slice(0, 4))
    scribe.round(
      [reasoning(`The names ${names.join(', ')} have to stay.`)],
      'Edit',
      { file_path: `/shop/${path}`, old_string: names[0]!, new_string: `${names[0]}Moved` },
      `The file /shop/${path} has been updated.`,
    );
  scribe.answer([text('The rounding is moved; the table still has to follow.')]);
}

function afternoon(scribe: Scribe): void {
  scribe.ask('Go on with the rounding table.');
  read(scribe, FORGOTTEN.file);
  read(scribe, REMEMBERED.file);
  test(scribe, '12 passed');
  scribe.round([], 'Grep', { pattern: FORGOTTEN.identifier, path: '/shop/src' }, `${FORGOTTEN.file}:2`);
  scribe.wait(25);
  scribe.ask('And what about the tax rates?');
  // The provider's cache had expired; then something at the start of the request changed.
  scribe.answer([text('They are next.')], { input: 4, output: 20, cacheRead: 0, cacheWrite: 20_000 });
  read(scribe, 'src/tax/rates.ts');
  scribe.answer([text('vatTable stays as it is.')], { input: 4, output: 20, cacheRead: 5_000, cacheWrite: 16_000 });
}

export function workday(): SessionRecord {
  const scribe = newScribe();
  morning(scribe);
  const about = {
    id: '5b0c5f3e-6a77-4c1e-9d20-1f7a3c9e0b11',
    cwd: '/shop',
    model: 'claude-opus-9',
    version: '2.1.217',
  };
  const summary: Message = {
    id: 'summary-1',
    role: 'user',
    origin: 'palimpsest',
    parts: [text(SUMMARY)],
    at: START + 30 * MINUTE,
  };
  const before: SessionRecord = { ...about, messages: [...scribe.messages], usage: [], compactions: [] };
  const { compactions } = withCompaction(before, [summary], {
    type: 'summary',
    trigger: 'auto',
    when: summary.at!,
    tokensBefore: 21_000,
    tokensAfter: 400,
    summary: SUMMARY,
    summaryId: summary.id,
  });
  afternoon(scribe);
  return { ...about, messages: scribe.messages, usage: scribe.usage, compactions };
}
