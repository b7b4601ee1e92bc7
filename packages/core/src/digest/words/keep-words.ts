import type { Cost } from '../choose/item.ts';
import { keepMade } from '../choose/keep-made.ts';
import type { Constraint, Evidence } from '../evidence/evidence.ts';
import { type Chosen, chooseWords } from './choose-words.ts';
import { foldAlike, shortenPastes } from './give-way.ts';
import { listRefusals, listRules } from './list-rules.ts';
import {
  findSoleRule,
  rulesBeside,
  type Shown,
  type Told,
  weighText,
  writeLine,
  writeRule,
  writeWhole,
} from './told-words.ts';
import { findAlike, findFirstRequest, findNewestRequest, listTyped, type Typed } from './typed-words.ts';

/** The lines of the sections that tell what the user typed. */
export interface KeptWords {
  /** The newest request, and the first. */
  readonly request: readonly string[];
  /** Rules, and what was not allowed. */
  readonly constraints: readonly string[];
  /** All else, in order. */
  readonly words: readonly string[];
  /** Everything stands in them word for word. */
  readonly isWhole: boolean;
}

/** Keeps what the user typed within a room, as often as asked. */
export interface WordKeeper {
  /** What it takes to tell everything word for word. */
  readonly demand: number;
  /** What it takes to tell the newest request. */
  readonly requestDemand: number;
  /** One text is all there is. */
  readonly isSole: boolean;
  keep(room: number): KeptWords;
}

/**
 * All that the user typed stands word for word where the room holds it. Else the oldest pastes are shortened to head, tail
 * and reference; then texts that differ in numbers only are told once; where even that is too much, requests, rules and
 * short words come first. `unit`: how much of the room one token is.
 */
export function newWordKeeper(evidence: WordEvidence, cost: Cost, unit: number, canRecall: boolean): WordKeeper {
  const rules = listRules(evidence);
  const typed = listTyped(evidence, rules);
  const [newest, first] = [findNewestRequest(typed), findFirstRequest(typed)];
  return keepTold(
    { ...newTold(typed, cost), rules, newest, first, hasSections: true, canRecall },
    listRefusals(evidence),
    unit,
  );
}

/** What the user typed, within so many tokens: line by line, in order. What does not fit goes last of all from the newest request. */
export function writeWords(
  typed: Pick<Evidence, 'words' | 'constraints'>,
  maxTokens: number,
  countText: (text: string) => number,
  canRecall: boolean,
): string {
  const rules = listRules(typed);
  const all = listTyped(typed, rules);
  const { constraints, words } = keepTold(
    {
      ...newTold(all, countText),
      rules,
      newest: findNewestRequest(all),
      first: undefined,
      hasSections: false,
      canRecall,
    },
    [],
    1,
  ).keep(maxTokens);
  return [...constraints, ...words].join('\n');
}

/** What a keeper reads of the evidence. */
export type WordEvidence = Pick<Evidence, 'words' | 'constraints' | 'refusals'>;

function keepTold(told: Told, refusals: readonly string[], unit: number): WordKeeper {
  const { typed } = told;
  const whole: Shown = new Map(typed.map((one) => [one, writeWhole(one)]));
  const demand = weighAll(told, whole);
  const choose = (room: number): Chosen => {
    const shown = new Map(whole);
    const over = demand <= room ? 0 : foldAlike(told, shown, shortenPastes(told, shown, demand - room, room));
    return over <= 0 ? takeAll(told, shown) : chooseWords(told, shown, room, unit);
  };
  return {
    demand,
    requestDemand: told.newest === undefined ? 0 : weighText(told, told.newest, told.newest.text),
    isSole: typed.length === 1,
    keep: (room) => ({ ...layOut(told, choose(room), refusals, room, demand <= room), isWhole: demand <= room }),
  };
}

/** What a room is tried with again and again is made once. */
const newTold = (typed: readonly Typed[], cost: Cost): Pick<Told, 'typed' | 'cost' | 'prices' | 'findAlike'> => ({
  typed,
  cost: rememberCosts(cost),
  prices: new Map(),
  findAlike: keepMade(() => findAlike(typed)),
});

function rememberCosts(cost: Cost): Cost {
  const known = new Map<string, number>();
  return (line) => {
    const price = known.get(line) ?? cost(`${line}\n`);
    known.set(line, price);
    return price;
  };
}

const weighAll = (told: Told, shown: Shown): number =>
  [...shown].reduce((sum, [one, text]) => sum + weighText(told, one, text), 0);

const takeAll = (told: Told, shown: Shown): Chosen => ({
  shown,
  rules: new Set([...shown].flatMap(([one, text]) => rulesBeside(told, one, text))),
  spent: weighAll(told, shown),
});

/** Rules that stand in a text already may take this part of the room besides. */
const ECHO_SHARE = 0.2;

/** Sets the lines; in the room that is left, what was not allowed, and rules that stand in a text are told as rules too. */
function layOut(
  told: Told,
  { shown, rules, spent }: Chosen,
  refusals: readonly string[],
  room: number,
  demandsAll: boolean,
): Omit<KeptWords, 'isWhole'> {
  let left = room - spent;
  const buy = (line: string): boolean => {
    const price = told.cost(line);
    if (price > left) return false;
    left -= price;
    return true;
  };
  const refused = refusals.filter(buy);
  left = demandsAll ? Math.min(left, room * ECHO_SHARE) : 0;
  const listed: readonly Constraint[] = told.rules.filter(
    (rule) => rules.has(rule) || (told.hasSections && buy(writeRule(rule))),
  );
  const line = (one: Told['newest']): readonly string[] => {
    const text = one === undefined ? undefined : shown.get(one);
    return one === undefined || text === undefined ? [] : [writeLine(told, one, text)];
  };
  const { newest, first, hasSections } = told;
  const isTold = (one: Typed): boolean => hasSections && (one === newest || one === first);
  const others = told.typed.filter((one) => !isTold(one) && findSoleRule(told, one) === undefined);
  return {
    request: hasSections ? [...line(newest), ...(first === newest ? [] : line(first))] : [],
    constraints: [...listed.map(writeRule), ...refused],
    words: others.flatMap(line),
  };
}
