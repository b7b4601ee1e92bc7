import type { Evidence, StatementEvidence } from '../evidence/evidence.ts';
import { type FoundValue, findValues, writeBinding } from '../evidence/find-values.ts';
import type { Item } from './item.ts';

/** A file or an output with more values is data; one of few is worth remembering. */
const mostInSource = 3;

/** A value as a digest tells it. */
export interface ValueItem extends Item {
  readonly value: string;
  /** It has a name; what has none takes words to say what it is. */
  readonly isNamed: boolean;
}

interface Told extends FoundValue {
  readonly about: string;
}

/**
 * Values that stood nearly alone in what showed them, the newest first, each with its name: what was read once in a file among many,
 * and cannot be told again without reading it again. Those of the user's words stand there already.
 */
export function valueItems({ statements = [] }: Evidence): readonly ValueItem[] {
  const sources = new Map<string, Map<string, Told>>();
  for (const statement of statements) {
    const key = sourceOf(statement);
    const source = sources.get(key) ?? new Map<string, Told>();
    // That of data is not told, whatever else stands in it.
    if (source.size > mostInSource) continue;
    for (const value of findValues(statement))
      source.set(writeBinding(value.name, value.value), { ...value, about: statement.about });
    if (source.size > 0) sources.set(key, source);
  }
  const few = [...sources.values()].reverse().filter(({ size }) => size <= mostInSource);
  const told = new Map<string, Told>();
  for (const source of few)
    for (const one of source.values()) if (isSaying(one) && !told.has(one.value)) told.set(one.value, one);
  const names = countNames([...told.values()]);
  return [...told.values()].map((one) => ({
    text: writeValue(one, (names.get(one.name) ?? 0) > 1),
    value: one.value,
    isNamed: one.name !== '',
  }));
}

/** Two words, or a long one; in some scripts two characters are. */
const words = /\p{L}{6}|\p{L}{2}\P{L}+\p{L}{2}|[\u3040-\u9fff\uac00-\ud7af]{2}/u;
/** What git says of a commit; its log says more. */
const commit = /^\[[\w./-]+ (?:\([\w-]+\) )?$/;

/** Whether something says what the value is. */
const isSaying = ({ name, lead }: FoundValue): boolean => name !== '' || (words.test(lead) && !commit.test(lead));

const sourceOf = ({ about, at }: StatementEvidence): string => (about === '' ? `#${at}` : about);

function countNames(told: readonly Told[]): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  for (const { name } of told) names.set(name, (names.get(name) ?? 0) + 1);
  return names;
}

/** A name that has several values says less than the file that each stands in. */
function writeValue({ name, value, lead, about }: Told, isShared: boolean): string {
  if (name === '') return `${lead}${value};`;
  const file = isShared ? findFile(about) : '';
  return `${file === '' ? '' : `${file}:`}${writeBinding(name, value)}`;
}

const fileName = /([\w@+.-]+\.\w{1,8})(?=["'`\s;|&)]|$)/g;

/** The last file that a call or a command names. */
const findFile = (about: string): string => [...about.matchAll(fileName)].at(-1)?.[1] ?? '';
