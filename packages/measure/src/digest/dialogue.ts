import { assistant, type Message, user } from '@palimpsest/core';
import { type Chooser, newChooser } from '../random.ts';

/** Two people over many days, and what somebody may ask later: each question with the turns that answer it. */
export interface Dialogue {
  readonly messages: readonly Message[];
  readonly questions: readonly Question[];
}

export interface Question {
  readonly text: string;
  /** The turns, word for word. */
  readonly evidence: readonly string[];
}

const SESSIONS = 14;
const TURNS_PER_SESSION = 36;
/** One turn in three tells something, and half of that is asked for. */
const TURNS_PER_FACT = 3;
const FACTS_PER_QUESTION = 2;

const SLOTS: Readonly<Record<string, readonly string[]>> = {
  person:
    'my sister Ines|my cousin Tomás|our neighbour Mr. Okafor|my boss Priya|my flatmate Jun|my aunt Ludmila|Coach Werner|my nephew Emil'.split(
      '|',
    ),
  place:
    'Trieste|Porto|the lake at Bled|a farm near Uppsala|Leeds|the old market hall|Valparaíso|a cabin in the Vosges|Kanazawa'.split(
      '|',
    ),
  thing:
    'a blue kayak|a second-hand cello|two goats|a sewing machine|a telescope|a cargo bike|a loom|a harmonium|a beehive'.split(
      '|',
    ),
  skill:
    'bookbinding|sign language|archery|bread baking|Portuguese|glass blowing|chess openings|tap dancing|beekeeping'.split(
      '|',
    ),
  food: 'lentil soup with orange peel|rye pancakes|plum dumplings|pickled turnips|saffron rice|chestnut cake'.split(
    '|',
  ),
  month: 'January|March|April|June|July|September|October|December'.split('|'),
  reason:
    'the rent went up|her knee hurts again|the shop closes early|they want a bigger garden|the train was cancelled'.split(
      '|',
    ),
};

const FACTS = [
  { tell: '{person} bought {thing} for {number} euros', ask: 'What did {person} buy?' },
  { tell: '{person} is moving to {place} in {month}', ask: 'Where is {person} moving to?' },
  { tell: 'I started to learn {skill} on the {day} of {month}', ask: 'When did the lessons in {skill} start?' },
  { tell: '{person} cannot come in {month} because {reason}', ask: 'Why can {person} not come in {month}?' },
  { tell: 'we cooked {food} for {number} people at {place}', ask: 'What was cooked at {place}?' },
  { tell: 'the appointment at {place} is on the {day} of {month}', ask: 'When is the appointment at {place}?' },
  { tell: '{person} taught me {skill} when we stayed in {place}', ask: 'Who taught {skill}?' },
] as const;

const CHAT = [
  'Oh really? That sounds lovely, tell me more about it when you have a moment.',
  'I know what you mean, it has been one of those weeks for me as well.',
  'Ha, that made me laugh out loud on the bus this morning.',
  'Anyway, how have you been since we last talked?',
  'I was just thinking the same thing, funny how that goes.',
  'That is great news, I am so happy for you and everyone there.',
  'Hmm, I am not sure yet, maybe we can decide that next time.',
  'Take care of yourself, and say hello from me.',
];

function fill(chooser: Chooser, templates: readonly string[]): readonly string[] {
  const chosen = new Map<string, string>();
  const draw = (slot: string): string =>
    slot === 'number'
      ? String(chooser.between(13, 980))
      : slot === 'day'
        ? `${chooser.between(4, 21)}th`
        : chooser.pick(SLOTS[slot] ?? []);
  return templates.map((template) =>
    template.replace(/\{(\w+)\}/g, (_, slot: string) => {
      const value = chosen.get(slot) ?? draw(slot);
      chosen.set(slot, value);
      return value;
    }),
  );
}

/** A made-up conversation without tools: many small facts among small talk. */
export function writeDialogue(seed: number): Dialogue {
  const chooser = newChooser(seed);
  const questions: Question[] = [];
  const messages = Array.from({ length: SESSIONS * TURNS_PER_SESSION }, (_, turn): Message => {
    const chat = chooser.pick(CHAT);
    const write = turn % 2 === 0 ? user : assistant;
    if (chooser.between(0, TURNS_PER_FACT) > 0) return { origin: 'model', ...write(chat), id: `m${turn}` };
    const { tell, ask } = chooser.pick(FACTS);
    const [fact = '', text = ''] = fill(chooser, [tell, ask]);
    const said = chooser.between(0, 2) === 0 ? `By the way, ${fact}.` : `${chat} You know, ${fact}.`;
    if (chooser.between(0, FACTS_PER_QUESTION) === 0) questions.push({ text, evidence: [said] });
    return { origin: 'model', ...write(said), id: `m${turn}` };
  });
  return { messages, questions };
}

/** Of the longer words of a turn, this share must stand in one line of the text. */
const HELD_WORDS = 0.8;

const listWords = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/\p{L}{4,}|\p{N}+/gu) ?? []);

/** The share of a question's evidence turns that a text holds, as a mean over questions. */
export function scoreEvidence(questions: readonly Question[], text: string): number {
  const lines = text.split('\n').map(listWords);
  const isHeld = (turn: string): boolean => {
    const words = [...listWords(turn)];
    return (
      words.length > 0 &&
      lines.some((line) => words.filter((word) => line.has(word)).length >= HELD_WORDS * words.length)
    );
  };
  const shares = questions.map(({ evidence }) => evidence.filter(isHeld).length / evidence.length);
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
