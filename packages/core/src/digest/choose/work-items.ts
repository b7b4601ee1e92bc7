import type { Evidence } from '../evidence/evidence.ts';
import { shorten } from '../evidence/shorten.ts';
import { type Item, toOneLine } from './item.ts';

const marks = { doing: '[>]', open: '[ ]', done: '[x]', dropped: '[-]' } as const;

/** The list of tasks, what is being done first, and the plan. */
export function todoItems({ todos, plan }: Evidence): readonly Item[] {
  const order = ['doing', 'open', 'done', 'dropped'] as const;
  const items: Item[] = order.flatMap((status) =>
    todos.filter((one) => one.status === status).map((one) => ({ text: `${marks[status]} ${toOneLine(one.text)}` })),
  );
  if (plan !== undefined) items.push({ text: `Plan: ${toOneLine(plan)}`, atMost: 1 });
  return items;
}

/** The first words of a sentence say nothing yet. */
const leastSaid = 100;

/** Where the work stands: the last call, the last words, the next task. */
export function progressItems(evidence: Evidence): readonly Item[] {
  const { lastSaid, lastCall, todos, errors, conclusions, refusals } = evidence;
  const items: Item[] = [];
  const next = todos.find((one) => one.status === 'doing') ?? todos.find((one) => one.status === 'open');
  if (lastCall !== undefined) {
    const { tool, what, outcome } = lastCall;
    const error = outcome === 'failed' ? errors.at(-1) : undefined;
    const how = error === undefined ? outcome : `failed: ${error.text}`;
    items.push({ text: `Last call: ${tool} ${shorten(toOneLine(what), 200)} (${how})`, atMost: 0.6 });
  }
  const said = lastSaid ?? conclusions.at(-1);
  if (said !== undefined) items.push({ text: `Last said: ${toOneLine(said.text)}`, atMost: 0.7, least: leastSaid });
  if (next !== undefined) items.push({ text: `Next: ${toOneLine(next.text)}` });
  // Newest first.
  const refused = refusals.toReversed().map(({ tool, what }) => `Not allowed: ${toOneLine(`${tool} ${what}`)}`);
  return [...items, ...[...new Set(refused)].map((text) => ({ text }))];
}

/** How many tests failed says less than which, and why. */
const count = /\b\d+ (?:failed|failures?|errors?)\b|test result:/i;

/** Errors as they were shown, those of the newest call first; those that went away come last. */
export function errorItems(evidence: Evidence): readonly Item[] {
  return [...evidence.errors]
    .sort(
      (a, b) =>
        Number(a.gone) - Number(b.gone) || b.at - a.at || Number(count.test(a.text)) - Number(count.test(b.text)),
    )
    .map(({ text, source, gone }) => ({
      text: `- ${toOneLine(text)} ← ${toOneLine(source)}${gone ? ' (went well since)' : ''}`,
    }));
}

/** What the model concluded, newest first; a sentence of words that stand there too is not told again. */
export function conclusionItems({ conclusions }: Evidence): readonly Item[] {
  const told: string[] = [];
  for (const { text } of conclusions.toReversed()) {
    const line = toOneLine(text);
    if (told.some((other) => other.includes(line))) continue;
    const part = told.findIndex((other) => line.includes(other));
    if (part < 0) told.push(line);
    else told[part] = line;
  }
  return told.map((line) => ({ text: `- ${line}`, atMost: 0.3 }));
}
