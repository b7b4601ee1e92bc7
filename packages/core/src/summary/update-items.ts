import type { ItemPlace, ItemUpdate, RetiredItem, SummaryItem } from '../ledger/summary-item.ts';
import type { Message } from '../message/message.ts';
import type { ItemBase } from '../view/need.ts';
import { findSection, sortItems } from '../view/summary-items.ts';
import type { SummaryTemplate } from '../view/summary-template.ts';
import { newPlaceFinder, type PlaceFinder } from './find-places.ts';
import { normalizeText } from './normalize-text.ts';
import { type ItemChange, readChanges } from './read-changes.ts';

/** More places than these prove nothing more. */
const MOST_PLACES = 3;

/** The statements under change: what stands by its number, and what was retired on the way. */
interface Course {
  readonly standing: Map<number, SummaryItem>;
  readonly retired: RetiredItem[];
  /** What the answer said: added or changed. */
  readonly said: Set<number>;
  last: number;
}

/**
 * The statements after an answer of the model. What it does not name stays word for word; what it retires it must prove by words
 * of the conversation; what the user wrote it cannot touch. An answer that is a whole text adds what is not there yet.
 */
export function updateItems(
  base: ItemBase,
  body: string,
  source: readonly Message[],
  template: SummaryTemplate,
): ItemUpdate {
  const { first, since, items: before } = base;
  const changes = readChanges(body);
  const finder = newPlaceFinder({
    source,
    first,
    since,
    statements: [...before, ...changes].flatMap((one) => ('text' in one ? [one.text] : [])),
    hasQuotes: changes.some(({ quote }) => quote !== undefined),
  });
  const course: Course = {
    standing: new Map(base.items.map((item) => [item.number, item])),
    retired: [],
    said: new Set(),
    last: base.lastItem,
  };
  const newest = base.first + Math.max(0, source.length - 1);
  for (const change of changes) {
    makeChange(course, change, finder, newest, template);
  }
  retireFollowed(course, template);
  const items = [...course.standing.values()].map((item) =>
    course.said.has(item.number) ? item : { ...item, used: Math.max(item.used, finder.findUse(item.text) ?? 0) },
  );
  return {
    items: sortItems(items, template),
    retired: course.retired,
    aged: [],
    ...(base.left === undefined ? {} : { left: base.left }),
    lastItem: course.last,
  };
}

function makeChange(
  course: Course,
  change: ItemChange,
  finder: PlaceFinder,
  used: number,
  template: SummaryTemplate,
): void {
  const { standing, retired, said } = course;
  const item = change.type === 'add' ? undefined : standing.get(change.number);
  if (change.type === 'retire') {
    const places = change.quote === undefined ? [] : finder.findPlaces(change.quote, '');
    if (item?.by === 'model' && places.length > 0) retire(course, item, places);
    return;
  }
  const { text, quote } = change;
  if (item === undefined) {
    const section = findSection(template, change.section)?.name ?? change.section;
    addItem(course, { section, text, places: finder.findPlaces(quote, text), by: 'model', used });
    return;
  }
  if (item.by !== 'model' || isSame(item.text, text)) return;
  const found = finder.findPlaces(quote, text);
  retired.push({ item, places: found });
  standing.set(item.number, { ...item, text, places: joinPlaces(found, item.places), used });
  said.add(item.number);
}

/** A statement that stands already is not added; one that says all of another, and more, takes its place. */
function addItem(course: Course, made: Omit<SummaryItem, 'number'>): void {
  const { standing, said } = course;
  const known = [...standing.values()];
  const same = known.find(({ text }) => isSame(text, made.text));
  if (same !== undefined) {
    standing.set(same.number, { ...same, used: made.used });
    said.add(same.number);
    return;
  }
  const words = new Set(splitWords(made.text));
  const isCovered = ({ by, section, text }: SummaryItem): boolean =>
    by === 'model' && section === made.section && splitWords(text).every((word) => words.has(word));
  const covered = known.filter(isCovered);
  for (const item of covered) retire(course, item, made.places);
  const number = ++course.last;
  const places = covered.reduce<readonly ItemPlace[]>((all, item) => joinPlaces(all, item.places), made.places);
  standing.set(number, { number, ...made, places });
  said.add(number);
}

/** Under a heading that tells the newest state, what was said before goes once something new is said. */
function retireFollowed(course: Course, template: SummaryTemplate): void {
  const { standing, said } = course;
  for (const { name, latest } of template.sections) {
    const items = latest === true ? [...standing.values()].filter(({ section }) => section === name) : [];
    const fresh = items.filter(({ number }) => said.has(number));
    if (fresh.length === 0) continue;
    const places = fresh.reduce<readonly ItemPlace[]>((all, item) => joinPlaces(all, item.places), []);
    for (const item of items) if (!said.has(item.number) && item.by === 'model') retire(course, item, places);
  }
}

function retire({ standing, retired }: Course, item: SummaryItem, places: readonly ItemPlace[]): void {
  standing.delete(item.number);
  retired.push({ item, places });
}

const isSame = (one: string, other: string): boolean => normalizeText(one).trim() === normalizeText(other).trim();

/** All that a statement says, word by word; of scripts without blanks sign by sign. */
const splitWords = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[\p{L}\p{N}_][\p{L}\p{N}_./:@-]*/gu) ?? [];

function joinPlaces(first: readonly ItemPlace[], second: readonly ItemPlace[]): readonly ItemPlace[] {
  const seen = new Set(first.map(({ message }) => message));
  return [...first, ...second.filter(({ message }) => !seen.has(message))].slice(0, MOST_PLACES);
}
