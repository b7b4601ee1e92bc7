import { newStride, type Steps } from '../../steps.ts';
import { cutToCost } from '../choose/cut-to-cost.ts';
import type { Cost, Item } from '../choose/item.ts';

/** How a section's items stand. */
export interface Layout {
  /** Between the items of a group: a blank for packed lists, a line break for sentences. */
  readonly between: ' ' | '\n';
}

/** After so many items in a row that did not fit, the section is full. */
const mostMissed = 40;

/** What a section would cost with all of its items, counted no further than `most`. */
export function* demandOf(
  title: string,
  items: Iterable<Item>,
  most: number,
  cost: Cost,
  { between }: Layout,
): Steps<number> {
  const isStop = newStride(64);
  const seen = new Set(['']);
  let sum = 0;
  for (const { text, group = '' } of items) {
    sum += cost(text + between) + (seen.has(group) ? 0 : cost(`${group}:\n`));
    seen.add(group);
    if (sum > most) break;
    if (isStop()) yield;
  }
  return sum === 0 ? 0 : sum + cost(`${title}\n`);
}

/** A section's text within its allowance: the first items that fit, under their groups; nothing when none fits. */
export function fillSection(
  title: string,
  items: Iterable<Item>,
  allowance: number,
  cost: Cost,
  { between }: Layout,
): string {
  const groups = new Map<string, string[]>();
  let left = allowance - cost(`${title}\n`);
  let shown = 0;
  const show = (text: string, group: string, spent: number): void => {
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [text]);
    else members.push(text);
    left -= spent;
    shown++;
  };
  const heading = (group: string): number => (group === '' || groups.has(group) ? 0 : cost(`${group}:\n`));
  let first: Item | undefined;
  let missed = 0;
  for (const item of items) {
    const { text, atMost, group = '' } = item;
    first ??= item;
    if (left <= 0 || missed > mostMissed) break;
    const most = atMost === undefined ? left : Math.min(left, Math.max(atMost * allowance, cost(text.slice(0, 160))));
    const spent = cost(text + between) + heading(group);
    if (spent <= most) {
      show(text, group, spent);
      missed = 0;
      continue;
    }
    missed++;
    if (atMost === undefined) continue;
    const cut = cutToCost(text, most - heading(group) - cost(between), cost);
    if (cut !== undefined) show(cut, group, cost(cut + between) + heading(group));
  }
  if (shown === 0 && first !== undefined) {
    const cut = cutToCost(first.text, left - cost(between), cost);
    if (cut !== undefined) show(cut, '', 0);
  }
  if (shown === 0) return '';
  const lines = [...groups].map(([group, members]) =>
    group === '' ? members.join(between) : `${group}:${between}${members.join(between)}`,
  );
  return `${title}\n${lines.join('\n')}\n`;
}
