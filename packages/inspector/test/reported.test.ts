import { costOfUsage } from '@palimpsest/core';
import { expect, it } from 'vitest';
import { EXAMPLE_PRICES, inspectForeign } from '../src/index.ts';
import { addUpReported } from '../src/model/reckon.ts';
import { makeRecording } from './made-sessions.ts';

it('what a provider reported is added up as it is: calls, and summaries that were asked for', () => {
  const made = makeRecording();
  const answers = made.messages.flatMap(({ role }, after) => (role === 'assistant' ? [after] : []));
  const usage = answers.slice(0, 5).map((after) => ({ after, usage: { input: 10, cacheRead: 1_000, output: 50 } }));
  const asked = { input: 5, cacheWrite: 100, output: 200 };
  const [first] = made.compactions;
  const recording = { ...made, usage, compactions: [{ ...first!, usage: asked }] };
  const [course] = inspectForeign(recording, 'made').inspection.courses;
  const totals = addUpReported(course!, EXAMPLE_PRICES)!;
  expect(totals).toMatchObject({ calls: 5, prompts: 5 * 1_010 + 105, answers: 450 });
  const money = [...usage.map((one) => one.usage), asked].reduce(
    (sum, one) => sum + costOfUsage(one, EXAMPLE_PRICES),
    0,
  );
  expect(totals.money).toBeCloseTo(money, 10);
  expect(totals.farthest.reported).toBe(1_010);
  expect(
    addUpReported(inspectForeign({ ...made, usage: [] }, 'made').inspection.courses[0]!, EXAMPLE_PRICES),
  ).toBeUndefined();
});
