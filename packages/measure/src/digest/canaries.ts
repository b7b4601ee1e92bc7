import { assistant, call, type Message, type NewMessage, result, results, user } from '@palimpsest/core';
import { type Chooser, newChooser } from '../random.ts';
import { FACT_FORMS, listSubjects, type Subject, writeAbout, writeOrdinaryLine } from './planted-forms.ts';

export const CANARY_TYPES = ['rule', 'constraint', 'fact', 'goal', 'preference'] as const;
export type CanaryType = (typeof CANARY_TYPES)[number];
export const CANARY_AUTHORS = ['user', 'assistant', 'tool'] as const;
export type CanaryAuthor = (typeof CANARY_AUTHORS)[number];
export const UPDATE_WAYS = ['second read', 'other value', 'correction', 'move'] as const;
export type UpdateWay = (typeof UPDATE_WAYS)[number];

/** Something that was said once; with `old`, it was said first with that value and later with another. */
export interface Canary {
  readonly type: CanaryType;
  readonly author: CanaryAuthor;
  /** All of these stand near the value, or it says nothing. */
  readonly words: readonly string[];
  readonly value: string;
  readonly old?: string;
}

export interface CanarySession {
  readonly messages: readonly Message[];
  readonly canaries: readonly Canary[];
}

/** A sentence, and behind it the words of it that matter. */
const WORDINGS: Readonly<Record<CanaryType, readonly [sentence: string, ...words: string[]]>> = {
  rule: ['Never restart the {first} {second} while job {value} runs.', 'never', 'restart'],
  constraint: ['The {first} {second} must stay under {value} MB.', 'under'],
  fact: ['The {first} {second} listens on port {value}.', 'port'],
  goal: ['The goal is that the {first} {second} serves {value} requests a second.', 'requests'],
  preference: ['Prefer the {first} {second} in batches of {value}.', 'batches'],
};

const ROUNDS = 60;
/** Where a value is said first, and where it is replaced. */
const FIRST_PART = [0, 0.45] as const;
const LAST_PART = [0.55, 1] as const;
const ROUNDS_PER_PROMPT = 4;
const CANARIES_PER_KIND = 2;
const UPDATES_PER_WAY = 4;
const RESULT_LINES = { min: 20, end: 60 };

const TALK = [
  'I will {verb} the {noun} next and look at what the {noun} does with it.',
  'The {noun} does {verb} its {noun}, so the {noun} can stay as it is.',
  'That went through; the {noun} and the {noun} agree.',
  'Let me {verb} the {noun} before I change the {noun}.',
];
const PROMPTS = [
  'Please {verb} the {noun} and tell me what you see.',
  'Go on with the {noun}, then {verb} the {noun}.',
  'Good. What about the {noun} and its {noun}?',
];

/** One round of the session: what the user, the agent and the tool say in it. */
type Round = Readonly<Record<CanaryAuthor, string[]>> & { path: string };

function newRounds(chooser: Chooser): readonly Round[] {
  const say = (list: readonly string[], count: number): string[] =>
    Array.from({ length: count }, () => writeOrdinaryLine(chooser.pick(list), chooser));
  return Array.from({ length: ROUNDS }, (_, number) => ({
    user: number % ROUNDS_PER_PROMPT === 0 ? say(PROMPTS, 2) : [],
    assistant: say(TALK, chooser.between(1, 4)),
    tool: say(chooser.pick(FACT_FORMS).ordinary, chooser.between(RESULT_LINES.min, RESULT_LINES.end)),
    path: `src/part-${number}.txt`,
  }));
}

/** A long session with things to remember in the words of all authors; some of them change in its second half. */
export function plantCanaries(seed: number): CanarySession {
  const chooser = newChooser(seed);
  const values = chooser.shuffle(Array.from({ length: 8_000 }, (_, i) => 1_300 + i));
  const subjects = listSubjects(chooser).map((subject, i) => ({ ...subject, value: values[i] ?? 0 }));
  const rounds = newRounds(chooser);
  let taken = 0;
  const takeSubject = (): Subject => subjects[taken++] as Subject;
  const pickRound = (author: CanaryAuthor, from: number, end: number): Round => {
    const number = chooser.between(Math.ceil(from * ROUNDS), Math.floor(end * ROUNDS));
    return rounds[author === 'user' ? number - (number % ROUNDS_PER_PROMPT) : number] as Round;
  };
  const put = (author: CanaryAuthor, sentence: string, round: Round): Round => {
    const lines = round[author];
    lines.splice(chooser.between(0, lines.length + 1), 0, author === 'tool' ? `# ${sentence}` : sentence);
    return round;
  };
  const canaries: Canary[] = [];
  const plant = (type: CanaryType, author: CanaryAuthor): void => {
    const subject = takeSubject();
    const [sentence, ...words] = WORDINGS[type];
    put(author, writeAbout(sentence, subject), pickRound(author, 0, 1));
    canaries.push({ type, author, words: [subject.first, subject.second, ...words], value: String(subject.value) });
  };
  const plantUpdated = (way: UpdateWay, number: number): void => {
    const subject = takeSubject();
    const [old, value] = [String(subject.value), String(values[subjects.length + taken] ?? 0)];
    const [name, key] = [`${subject.first} ${subject.second}`, `${subject.first}_${subject.second}`];
    const type = way === 'correction' ? (CANARY_TYPES[number % CANARY_TYPES.length] as CanaryType) : 'fact';
    const author = way === 'other value' || way === 'second read' ? 'tool' : number % 2 === 0 ? 'user' : 'assistant';
    const [first, then] = {
      correction: [writeAbout(WORDINGS[type][0], subject), `About the ${name}: not ${old} but ${value}.`],
      move: [`The ${name} runs on node-${old}.`, `We moved the ${name} to node-${value}.`],
      'other value': [`${key}: ${old}`, `${key}: ${value}`],
      'second read': [`${key}: ${old}`, ''],
    }[way] as [string, string];
    canaries.push({ type, author, words: [subject.first, subject.second], value, old });
    if (way !== 'second read') {
      put(author, first, pickRound(author, ...FIRST_PART));
      put(author, then, pickRound(author, ...LAST_PART));
      return;
    }
    // Rounds of their own: what else the file holds must not be told again as it was.
    const [before, after] = [rounds[2 * number + 1] as Round, rounds[ROUNDS - 2 * number - 2] as Round];
    put('tool', first, before);
    after.path = before.path;
    after.tool.splice(0, after.tool.length, ...before.tool.map((line) => line.replace(old, value)));
  };
  // Second reads come first, while the files hold nothing else.
  for (const way of UPDATE_WAYS) for (let number = 0; number < UPDATES_PER_WAY; number++) plantUpdated(way, number);
  for (const type of CANARY_TYPES)
    for (const author of CANARY_AUTHORS) for (let i = 0; i < CANARIES_PER_KIND; i++) plant(type, author);
  return { messages: writeRounds(rounds), canaries };
}

function writeRounds(rounds: readonly Round[]): readonly Message[] {
  const said = rounds.flatMap((round, number): readonly NewMessage[] => [
    ...(round.user.length === 0 ? [] : [user(round.user.join(' '))]),
    assistant([
      { type: 'text', text: round.assistant.join(' ') },
      call(`call-${number}`, 'Read', { file_path: round.path }),
    ]),
    results([result(`call-${number}`, round.tool.join('\n'))]),
  ]);
  return said.map((message, i) => ({ origin: 'model', ...message, id: `m${i}` }));
}

const NEAR_CHARS = 160;

/** The places of a value as a whole word with all of the words near it. */
function findPlaces(text: string, value: string, words: readonly string[]): readonly number[] {
  const lower = text.toLowerCase();
  return [...lower.matchAll(new RegExp(`(?<!\\w)${value}(?!\\w)`, 'g'))].flatMap(({ index }) => {
    const around = lower.slice(Math.max(0, index - NEAR_CHARS), index + value.length + NEAR_CHARS);
    return words.every((word) => around.includes(word)) ? [index] : [];
  });
}

/** A reader takes a value as old where its line, or the heading above, says so, or names the new value too. */
const OLD_MARK =
  /\b(?:old|older|was|were|former|formerly|previous|previously|superseded|replaced|outdated|stale|until|no longer)\b|→|->|~~/i;

function isMarkedOld(text: string, at: number, value: string): boolean {
  const start = text.lastIndexOf('\n', at) + 1;
  const end = text.indexOf('\n', at);
  const line = text.slice(Math.max(start, at - NEAR_CHARS), Math.min(end < 0 ? text.length : end, at + NEAR_CHARS));
  const heading =
    text
      .slice(0, start)
      .split('\n')
      .findLast((one) => /^#+ /.test(one)) ?? '';
  return OLD_MARK.test(line) || line.includes(value) || OLD_MARK.test(heading);
}

export interface CanaryScore {
  /** The share of canaries whose current value the text holds. */
  readonly kept: number;
  /** The share of replaced values that it shows as if they were current. */
  readonly stale: number;
  /** The share of replaced values that it shows so without the current one anywhere. */
  readonly onlyOld: number;
}

export function scoreCanaries(canaries: readonly Canary[], text: string): CanaryScore {
  const updated = canaries.filter(({ old }) => old !== undefined);
  const isStale = ({ old = '', words, value }: Canary): boolean =>
    findPlaces(text, old, words).some((at) => !isMarkedOld(text, at, value));
  const isKept = ({ words, value }: Canary): boolean => findPlaces(text, value, words).length > 0;
  const stale = updated.filter(isStale);
  return {
    kept: canaries.filter(isKept).length / canaries.length,
    stale: stale.length / updated.length,
    onlyOld: stale.filter((canary) => !isKept(canary)).length / updated.length,
  };
}
