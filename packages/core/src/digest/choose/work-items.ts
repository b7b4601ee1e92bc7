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
  if (plan !== undefined) items.push({ text: `Plan: ${plan}`, atMost: 1 });
  return items;
}

/** Where the work stands: the last call, the last words, the next task. */
export function progressItems({ lastSaid, lastCall, todos, errors, conclusions }: Evidence): readonly Item[] {
  const items: Item[] = [];
  const next = todos.find((one) => one.status === 'doing') ?? todos.find((one) => one.status === 'open');
  if (lastCall !== undefined) {
    const { tool, what, outcome } = lastCall;
    const error = outcome === 'failed' ? errors.at(-1) : undefined;
    const how = error === undefined ? outcome : `failed: ${error.text}`;
    items.push({ text: `Last call: ${tool} ${shorten(toOneLine(what), 200)} (${how})`, atMost: 0.6 });
  }
  const said = lastSaid ?? conclusions.at(-1);
  if (said !== undefined) items.push({ text: `Last said: ${toOneLine(said.text)}`, atMost: 0.7 });
  if (next !== undefined) items.push({ text: `Next: ${toOneLine(next.text)}` });
  return items;
}

/** Errors as they were shown, newest first; those that went away come last. */
export function errorItems(evidence: Evidence): readonly Item[] {
  return [...evidence.errors]
    .reverse()
    .sort((a, b) => Number(a.gone) - Number(b.gone))
    .map(({ text, source, gone }) => ({ text: `- ${text} ← ${toOneLine(source)}${gone ? ' (went well since)' : ''}` }));
}

/** What the model concluded, newest first. */
export const conclusionItems = (evidence: Evidence): readonly Item[] =>
  [...evidence.conclusions].reverse().map(({ text }) => ({ text: `- ${toOneLine(text)}`, atMost: 0.3 }));
