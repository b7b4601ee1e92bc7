import { afterEveryStep } from '@palimpsest/testing';
import { expect, it } from 'vitest';
import { readBeside } from '../../src/digest/choose/beside.ts';
import {
  assistant,
  call,
  createSession,
  dropOldestRounds,
  type Layer,
  type Message,
  result,
  results,
  type Summarizer,
  summarizeHistory,
  user,
} from '../../src/index.ts';
import { estimateText } from '../../src/size/estimate-message.ts';
import { runSteps, type Steps, stepsOf } from '../../src/steps.ts';
import { judge } from '../../src/summary/judge.ts';
import { splitSpan } from '../../src/summary/split-span.ts';
import { updateItems } from '../../src/summary/update-items.ts';
import { stepsOfKept } from '../../src/view/read-kept.ts';
import { summaryTemplates } from '../../src/view/summary-template.ts';
import { summaryFor } from '../summarizers.ts';

const ROUNDS = 400;
const rounds = Array.from({ length: ROUNDS }, (_, i) => [
  assistant([call(`c${i}`, 'read', { path: `src/part-${i}.ts` })], `a${i}`),
  results([result(`c${i}`, `const value${i} = ${i};\n`.repeat(40))], `r${i}`),
]).flat();
const source = rounds as readonly Message[];

function countSteps(steps: Steps<unknown>): number {
  for (let count = 0; ; count++) if (steps.next().done === true) return count;
}

it('what a model is shown of a long span is quoted in steps', () => {
  expect(countSteps(stepsOf(splitSpan, source, 50_000, estimateText))).toBeGreaterThanOrEqual(ROUNDS / 8);
});

it('where statements come from is looked for in steps', () => {
  const base = { items: [], lastItem: 0, room: 1_000, first: 0, since: 0 };
  const body = '## Facts\n- value3 is 3\n- value7 is 7 | from: "const value7 = 7"';
  const steps = countSteps(stepsOf(updateItems, base, body, source, summaryTemplates.statements));
  // Once for the names, and once for the words that were quoted.
  expect(steps).toBeGreaterThanOrEqual(2 * (rounds.length / 8));
});

it('names that the conversation may not hold are looked for in steps', () => {
  const names = Array.from({ length: 20 }, (_, i) => `strangerName${i}`);
  const text = `## Goal\n${names.join(', ')}`;
  const matter = { source, sourceTokens: 50_000, maxTokens: 2_000, countText: estimateText, prompt: 'Tell it.' };
  const steps = stepsOf(judge, { text, stop: 'end' as const }, matter);
  expect(countSteps(steps)).toBeGreaterThanOrEqual(rounds.length / 8);
});

/** A layer that decides nothing, and notes how many turns there were when it was asked. */
const watch = (loop: { readonly turns: number }, seen: number[]): Layer => ({
  name: 'watch',
  decide() {
    seen.push(loop.turns);
    return { edits: [] };
  },
});

it('a session lets others have their turn while it judges the answer', async () => {
  const loop = afterEveryStep();
  const walks: number[] = [];
  let asked = 0;
  const summarizer: Summarizer = {
    window: 100_000,
    async summarize(request) {
      asked = loop.turns;
      return { text: `<summary>\n${summaryFor(request, { Facts: '- value3 is 3' })}\n</summary>`, stop: 'end' };
    },
  };
  const layers = [watch(loop, walks), summarizeHistory({ template: 'statements' }), dropOldestRounds()];
  const session = createSession({
    window: 40_000,
    maxOutput: 1_000,
    layers,
    drafts: false,
    ports: { summarizer, loop },
  });
  session.append(user('Read all of it.', 'u'));
  for (const message of rounds) session.append(message);
  await session.view();
  expect(session.summary()?.by).toBe('model');
  const behind = walks.find((turns) => turns >= asked && asked > 0) ?? 0;
  expect(behind - asked).toBeGreaterThanOrEqual(rounds.length / 16);
});

it('what stays around a span is read in steps, and all of it', () => {
  const slots = source.map((message, i) => ({ message, tokens: 1, bytes: 1, images: 0, first: i, last: i }));
  const kept = stepsOfKept(slots, { runs: [{ start: 100, end: 200 }], parts: [] });
  expect(countSteps(kept)).toBeGreaterThanOrEqual(Math.floor(rounds.length / 64));
  const text = runSteps(stepsOfKept(slots, { runs: [{ start: 100, end: 200 }], parts: [] }));
  const holds = (n: number): boolean => text.includes(`const value${n} = ${n};`);
  expect(Array.from({ length: ROUNDS }, (_, n) => n).filter(holds)).toEqual(
    Array.from({ length: ROUNDS }, (_, n) => n).filter((n) => n < 50 || n >= 100),
  );
});

it('what stands beside a digest is read in steps, and so are the names that stand together there', () => {
  const text = Array.from({ length: 4_096 }, (_, n) => `openName${n} shutName${n}`).join('\n');
  const steps = readBeside(text);
  expect(countSteps(readBeside(text))).toBeGreaterThanOrEqual(4);
  const beside = runSteps(steps);
  expect(beside.names.size).toBe(8_192);
  expect(countSteps(beside.visitPairs(() => {}))).toBeGreaterThanOrEqual(64);
  const pairs = new Set<string>();
  runSteps(beside.visitPairs((one, other) => pairs.add(`${one} ${other}`)));
  for (let n = 0; n < 4_096; n++) expect(pairs.has(`openName${n} shutName${n}`)).toBe(true);
});

it('the floor looks for the fewest rounds in steps', async () => {
  const loop = afterEveryStep();
  const [before, behind]: [number[], number[]] = [[], []];
  const layers = [watch(loop, before), dropOldestRounds(), watch(loop, behind)];
  const session = createSession({ window: 40_000, maxOutput: 1_000, layers, ports: { loop } });
  session.append(user('Read all of it.', 'u'));
  for (const message of rounds) session.append(message);
  expect((await session.view()).fits).toBe(true);
  expect((behind[0] ?? 0) - (before[0] ?? 0)).toBeGreaterThanOrEqual(Math.log2(ROUNDS));
});
