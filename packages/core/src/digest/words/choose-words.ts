import { cutToCost } from '../choose/cut-to-cost.ts';
import type { Constraint } from '../evidence/evidence.ts';
import { findSoleRule, priceLine, type Shown, type Told, writeRule } from './told-words.ts';
import type { Typed } from './typed-words.ts';

/** The newest request stands as it is up to this part of the room; a longer one is cut to that. */
const requestPart = 0.85;
const cutRequestPart = 0.5;
/** The parts of the room that denials and demands may fill, one after the other, before plain words. */
const denialPart = 0.6;
const demandPart = 0.75;
const firstRequestPart = 0.25;
/** In a small room denials may have all that the request leaves, up to so many tokens. */
const leastForDenials = 64;
/** Words come in these classes of tokens, the short before the long: they cost least, and rules in any language are short. */
const classes = [12, 24, 48, 96, Number.POSITIVE_INFINITY];

/** Words said last that cost next to nothing. */
const isBrief = ({ text }: Typed): boolean => text.length < 40;

/** What is shown where not all can be. */
export interface Chosen {
  readonly shown: Shown;
  readonly rules: ReadonlySet<Constraint>;
  readonly spent: number;
}

/**
 * Of more than fits: the newest request, rules, the first request, then words, the short and new before the long and old.
 * `unit`: how much of the room one token is.
 */
export function chooseWords(told: Told, candidates: Readonly<Shown>, room: number, unit: number): Chosen {
  const { newest, first, cost } = told;
  const shown: Shown = new Map();
  const rules = new Set<Constraint>();
  let spent = 0;
  const pay = (price: number, upTo: number): boolean => {
    if (spent + price > upTo) return false;
    spent += price;
    return true;
  };
  const showText = (one: Typed, text: string, upTo: number): void => {
    if (!shown.has(one) && pay(priceLine(told, one, text), upTo)) shown.set(one, text);
  };
  const showRules = (some: readonly Constraint[], upTo: number): void => {
    for (const rule of some) if (!rules.has(rule) && pay(cost(writeRule(rule)), upTo)) rules.add(rule);
  };

  if (newest !== undefined) {
    const text = candidates.get(newest) ?? '';
    const fits = cost(text) <= room * requestPart;
    const cut = fits ? text : cutToCost(text, room * cutRequestPart, cost);
    if (cut !== undefined) showText(newest, cut, room);
  }
  const unsaid = told.rules.filter((rule) => ![...shown.values()].some((text) => text.includes(rule.text)));
  const direct = unsaid.filter((rule) => rule.direct);
  const denials = direct.filter((rule) => rule.strength === 'denial');
  // "Go on" says nothing about what is wanted, and yet it is what was said last.
  const last = told.typed.at(-1);
  if (last !== undefined && isBrief(last)) showText(last, candidates.get(last) ?? '', room);
  showRules(denials, Math.max(room * denialPart, Math.min(room, spent + leastForDenials * unit)));
  showRules(direct, room * demandPart);
  if (first !== undefined)
    showText(first, candidates.get(first) ?? '', Math.min(room, spent + room * firstRequestPart));
  for (const [one, text] of sortByClass(told, candidates, unit)) {
    const sole = findSoleRule(told, one);
    // Where rules have no section of their own, one that is all of its message stands already.
    if (!told.hasSections && [...rules].some((rule) => rule.text === text)) continue;
    if (sole === undefined) showText(one, text, room);
    else showRules([sole], room);
  }
  showRules(unsaid, room);
  return { shown, rules, spent };
}

function sortByClass(told: Told, candidates: Readonly<Shown>, unit: number): readonly (readonly [Typed, string])[] {
  const classOf = (one: Typed, text: string): number => {
    const price = priceLine(told, one, text);
    return classes.findIndex((most) => price <= most * unit);
  };
  return [...candidates]
    .reverse()
    .map((entry) => ({ entry, rank: classOf(...entry) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
}
