import {
  type Ability,
  type Asked,
  assistant,
  type Budget,
  budget,
  type CacheState,
  call,
  type Decision,
  type Edit,
  type EditsEntry,
  type Entry,
  type Fact,
  type Json,
  type Layer,
  type Ledger,
  type Look,
  type MediaPart,
  type Message,
  type NewMessage,
  type Plan,
  partText,
  plan,
  type ResultPart,
  result,
  results,
  type Trigger,
  type WireRules,
} from '../../src/index.ts';

/** A budget under which nothing is ever under pressure. */
export const roomy: Budget = budget({ window: 2_000_000 });

/** A budget with figures of one's own: what is not stated never presses. */
export const budgetOf = (figures: Partial<Budget>): Budget => ({ ...stated, ...figures });

/** Targets are stated in tokens here, not as a share of the window. */
const { keepFraction: _, ...figured } = roomy;
const stated: Budget = { ...figured, money: { ...roomy.money!, keep: false } };

/** Pressure on tokens at this target, whatever there is: the trigger is 1. */
export const pressedTo = (target: number, figures: Partial<Budget> = {}): Budget =>
  budgetOf({ trigger: 1, target, floorFrom: 1, ...figures });

/** What somebody outside can be asked for. */
export type Port = Ability;

/** All that `plan()` may be told, by the names that the tests of layers use. */
export interface Circumstances {
  readonly budget?: Budget;
  readonly ledger?: Ledger;
  readonly trigger?: Trigger;
  readonly asked?: Asked;
  readonly now?: number;
  readonly cache?: CacheState;
  readonly wire?: WireRules;
  readonly facts?: readonly Fact[];
  readonly ports?: readonly Port[];
  readonly subagent?: boolean;
  readonly compactInstructions?: string;
  readonly transcript?: string;
  readonly count?: (message: Message) => number;
  readonly countText?: (text: string) => number;
  readonly system?: string;
}

/** One walk through `plan()`: the only place where these tests spell its options. */
export function walkWith(history: readonly NewMessage[], layers: readonly Layer[], told: Circumstances = {}): Plan {
  const { budget: given = roomy, ledger = decided(), facts = [], ports = [], ...rest } = told;
  return plan(history, ledger, {
    ...rest,
    budget: given,
    layers,
    facts: new Map(facts.map((fact) => [fact.key, fact])),
    can: new Set(ports),
  });
}

/** A ledger that says what was decided before: pins, how many messages a model has seen, entries of earlier walks. */
export const decided = (
  told: { pins?: readonly string[]; seen?: number; entries?: readonly Entry[] } = {},
): Ledger => ({
  version: 1,
  entries: [
    ...(told.entries ?? []),
    ...(told.pins ?? []).map((message): Entry => ({ type: 'pin', message })),
    ...(told.seen === undefined ? [] : [{ type: 'seen', count: told.seen } as const]),
  ],
});

/** Characters instead of tokens: figures in a test are then lengths of strings. A picture weighs 1,000. */
export const countChars = (message: Message): number => message.parts.reduce((sum, part) => sum + charsOf(part), 0);

const charsOf = (part: Message['parts'][number]): number =>
  part.type === 'media'
    ? 1_000
    : part.type === 'result'
      ? part.content.reduce((sum, piece) => sum + charsOf(piece), 0)
      : partText(part).length;

/** Both counters by characters. */
export const inChars = { count: countChars, countText: (text: string): number => text.length } as const;

export const round = (
  id: string,
  tool: string,
  input: Json,
  output: string | ResultPart['content'],
  failed = false,
): readonly NewMessage[] => [
  assistant([call(id, tool, input)], `a-${id}`),
  results([result(id, output, failed)], `r-${id}`),
];

/** The texts of the results that a view shows, in order. */
export const bodies = (view: readonly Message[]): readonly string[] =>
  view.flatMap((message) => message.parts.filter((part) => part.type === 'result').map(partText));

export const picture = (name: string, more: Partial<MediaPart> = {}): MediaPart => ({
  type: 'media',
  kind: 'image',
  mediaType: 'image/png',
  data: 'A'.repeat(2_000),
  name,
  width: 800,
  height: 600,
  ...more,
});

export const entriesOf = (made: { readonly ledger: Ledger }): readonly EditsEntry[] =>
  made.ledger.entries.filter((entry): entry is EditsEntry => entry.type === 'edits');

export const editsOf = (made: { readonly ledger: Ledger }): readonly Edit[] =>
  entriesOf(made).flatMap((entry) => entry.edits);

/** The layers that changed something, in order. */
export const layersIn = (made: { readonly ledger: Ledger }): readonly string[] =>
  entriesOf(made).map((entry) => entry.layer);

export const idsOf = (view: readonly Message[]): readonly string[] => view.map((message) => message.id);

/** The same layer, and all that it answered: reasons without edits are in no ledger. */
export function watching(layer: Layer): { readonly layer: Layer; readonly answers: Decision[] } {
  const answers: Decision[] = [];
  return {
    answers,
    layer: {
      name: layer.name,
      decide(look) {
        const answer = layer.decide(look);
        answers.push(answer);
        return answer;
      },
    },
  };
}

/** What somebody finds who looks at a history as a layer does. */
export function looking<Found>(
  history: readonly NewMessage[],
  look: (look: Look) => Found,
  told: Circumstances = {},
): Found {
  const found: Found[] = [];
  const layer: Layer = {
    name: 'looking',
    decide(seen) {
      found.push(look(seen));
      return { edits: [] };
    },
  };
  walkWith(history, [layer], { ...inChars, ...told });
  return found[0]!;
}
