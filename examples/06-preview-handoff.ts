/** Look before it is compacted, correct the summary, see what was spent, and hand the work to a fresh session. */
import assert from 'node:assert/strict';
import { assistant, call, createSession, DEFAULT_PRICES, result, results, user } from '@palimpsest/core';

const session = createSession({ window: 16_000, prices: DEFAULT_PRICES });
session.append(user('Find the slow query. Never touch db/migrations.'));
for (let n = 1; n <= 12; n++) {
  session.append(assistant([call(`read-${n}`, 'read_file', { path: `src/query-${n}.ts` })]));
  session.append(results([result(`read-${n}`, `export const limit${n} = ${n * 10};\n`.repeat(40))]));
  await session.view();
  session.observe({ input: 40, cacheRead: n * 400, cacheWrite: 400, output: 30 }); // as the provider reported it
}

// What would a compaction do? Nothing is recorded, and no model is asked.
const preview = await session.preview();
const largest = preview.items.reduce((most, item) => (item.tokens > most.tokens ? item : most));
assert.ok(preview.tokensAfter < preview.tokensBefore);

// Somebody likes it: it is done just so. Had the session changed meanwhile, this would reject with `stale-plan`.
const receipt = await session.compact({ plan: preview.plan });
assert.deepEqual(receipt, preview.receipt);

// The summary is yours to correct; undo() would take it back.
await session.editSummary('- The slow query is in src/query-7.ts.');
assert.match(session.summary()?.text ?? '', /query-7/);

// The opening message of a fresh session, made by code.
const { text, tokens } = session.handoff({ maxTokens: 1_000, from: 'the shop', recall: 'the tool recall' });
assert.ok(tokens <= 1_000 && text.includes('Never touch db/migrations.') && text.includes('query-7'));

const { conversation, cost } = session.totals();
console.log(
  `${preview.tokensBefore} → ${preview.tokensAfter} tokens, ${largest.tokens} of them ${largest.ref}; ${conversation.calls} calls for $${cost.toFixed(3)}; handed off in ${tokens} tokens.`,
);
