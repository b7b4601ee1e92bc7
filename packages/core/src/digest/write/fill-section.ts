import { cutToCost } from '../choose/cut-to-cost.ts';
import { type Cost, type Item, joinLines, quoteStart } from '../choose/item.ts';

/** How a section's items stand. */
export interface Layout {
  /** Between the items of a group: a blank for packed lists, a line break for sentences. */
  readonly between: ' ' | '\n';
}

/** After so many items in a row that did not fit, the section is full. */
const mostMissed = 40;

/** What a section would cost with all of its items, counted no further than `most`; what was counted once is not counted again. */
export function newDemand(
  title: string,
  list: () => Iterable<Item>,
  cost: Cost,
  { between }: Layout,
): (most: number) => number {
  /** What the first items cost together, one more each. */
  const sums: number[] = [];
  const groups = new Set(['']);
  let items: Iterator<Item> | undefined;
  let sum = 0;
  const addNext = (from: Iterator<Item>): boolean => {
    const next = from.next();
    if (next.done === true) return false;
    const { text, group = '' } = next.value;
    sum += cost(text + between) + (groups.has(group) ? 0 : cost(`${group}:\n`));
    groups.add(group);
    sums.push(sum);
    return true;
  };
  return (most) => {
    if (sum <= most) items ??= list()[Symbol.iterator]();
    while (items !== undefined && sum <= most && addNext(items));
    const counted = sums.find((one) => one > most) ?? sum;
    return counted === 0 ? 0 : counted + cost(`${title}\n`);
  };
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
    const { atMost, least = 0, group = '' } = item;
    const text = joinLines(item.text);
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
    if (cut !== undefined && cut.length >= least) show(cut, group, cost(cut + between) + heading(group));
  }
  if (shown === 0 && first !== undefined) {
    const cut = cutToCost(joinLines(first.text), left - cost(between), cost);
    if (cut !== undefined) show(cut, '', 0);
  }
  if (shown === 0) return '';
  const lines = [...groups].map(([group, members]) => writeGroup(group, members, between));
  return `${title}\n${lines.join('\n')}\n`;
}

/** A group's name and its members; a folder with one file is the path of that file. */
function writeGroup(group: string, members: readonly string[], between: string): string {
  const [first = '', second] = members;
  const name = quoteStart(group);
  if (group === '') return members.join(between);
  if (group.endsWith('/') && second === undefined && !first.startsWith('`')) return name + first;
  return `${name}:${between}${members.join(between)}`;
}
