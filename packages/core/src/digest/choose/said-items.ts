import type { Constraint, Evidence, Words } from '../evidence/evidence.ts';
import { keepNewest } from '../evidence/keep-newest.ts';
import { type Item, toOneLine } from './item.ts';

/** A message of a word or two ("ok", "continue") says nothing about what is wanted. */
const isSubstantial = ({ text }: Words): boolean => text.length >= 20 || /[\u3040-\u9fff\uac00-\ud7af]{5}/.test(text);

/** "ok", "yes", "go on". */
const isNod = ({ text }: Words): boolean => text.length < 8 && !/[\u3040-\u9fff\uac00-\ud7af]{3}/.test(text);

const findNewestRequest = (evidence: Evidence): Words | undefined =>
  evidence.words.findLast(isSubstantial) ?? evidence.words.at(-1);

/** The newest request, and the first. */
export function requestItems(evidence: Evidence): readonly Item[] {
  const newest = findNewestRequest(evidence);
  const first = evidence.words.find(isSubstantial);
  if (newest === undefined) return [];
  const items: Item[] = [{ text: newest.text, atMost: 0.7 }];
  if (first !== undefined && first !== newest) items.push({ text: `At first: ${first.text}`, atMost: 1 });
  return items;
}

/** Denials and corrections before demands, what was said directly before what was pasted; each kind newest first. */
const tier = ({ strength, direct }: Constraint): number => (direct ? 0 : 2) + (strength === 'denial' ? 0 : 1);

/** A pasted document may hold a hundred demands; the newest few stand for it. */
const mostPasted = 10;

/** The rules of the user, and what was not allowed. */
export function constraintItems(evidence: Evidence): readonly Item[] {
  const said = [...evidence.constraints].reverse().sort((a, b) => tier(a) - tier(b));
  const rules = [...said.filter((rule) => rule.direct), ...said.filter((rule) => !rule.direct).slice(0, mostPasted)];
  const refused = [...evidence.refusals].reverse().map(({ tool, what }) => `Not allowed: ${tool} ${toOneLine(what)}`);
  return [...rules.map(({ text }) => text), ...new Set(refused)].map((text) => ({ text: `- ${text}` }));
}

/** What else the user said, newest first. */
export function wordItems(evidence: Evidence): readonly Item[] {
  const newest = findNewestRequest(evidence);
  const first = evidence.words.find(isSubstantial);
  const rules = new Set(evidence.constraints.map(({ text }) => text));
  return keepNewest(evidence.words)
    .filter((one) => one !== newest && one !== first && !rules.has(one.text) && !isNod(one))
    .reverse()
    .map(({ text }) => ({ text: `- ${text}`, atMost: 0.3 }));
}

/** What the model concluded, newest first. */
export const conclusionItems = (evidence: Evidence): readonly Item[] =>
  [...evidence.conclusions].reverse().map(({ text }) => ({ text: `- ${toOneLine(text)}`, atMost: 0.3 }));
