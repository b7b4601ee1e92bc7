import type { View } from '@palimpsest/core';
import { asFields, asNumber, type Fields, isFields, omitFields } from '@palimpsest/core/json';

/** The room that an answer has behind a view may be less than the estimate says by this share of the view. */
const MARGIN = 0.02;

/** The most tokens that a request behind a view may ask for. */
export const measureRoom = ({ tokens, maxOutput }: Pick<View, 'tokens' | 'maxOutput'>, window: number): number =>
  Math.max(1, Math.min(maxOutput, Math.floor(window - tokens * (1 + MARGIN))));

/** Where a form of request has a budget for thinking, and the least that its vendor takes there. */
interface ThinkingPlace {
  /** The names on the way to the budget, and how many of them lead to what is left out where the least is too much. */
  readonly path: readonly string[];
  readonly keeps: number;
  readonly least: number;
  /** The budget comes on top of the limit, and not out of it. */
  readonly isAdded?: boolean;
}

const anthropicThinking = (...path: readonly string[]): ThinkingPlace => ({
  path,
  keeps: path.length - 1,
  least: 1_024,
});
const geminiThinking = (...path: readonly string[]): ThinkingPlace => ({ path, keeps: path.length, least: 512 });

/** One of the ways to state the most that an answer may take. */
interface LimitPlace {
  readonly path: readonly string[];
  readonly thinking?: readonly ThinkingPlace[];
}

/** The ways of the wires. */
export const BODY_LIMITS: readonly LimitPlace[] = [
  { path: ['max_completion_tokens'] },
  { path: ['max_tokens'], thinking: [anthropicThinking('thinking', 'budget_tokens')] },
  { path: ['max_output_tokens'] },
  {
    path: ['generationConfig', 'maxOutputTokens'],
    thinking: [geminiThinking('generationConfig', 'thinkingConfig', 'thinkingBudget')],
  },
  {
    path: ['generation_config', 'max_output_tokens'],
    thinking: [geminiThinking('generation_config', 'thinking_config', 'thinking_budget')],
  },
];

/** The AI SDK's own way. Its provider for Anthropic sends the sum of limit and budget as `max_tokens`. */
export const AI_SDK_LIMITS: readonly LimitPlace[] = [
  {
    path: ['maxOutputTokens'],
    thinking: [
      { ...anthropicThinking('providerOptions', 'anthropic', 'thinking', 'budgetTokens'), isAdded: true },
      geminiThinking('providerOptions', 'google', 'thinkingConfig', 'thinkingBudget'),
    ],
  },
];

/** What a request states as the most that its answer may take. */
export const readOutputLimit = (request: object, places: readonly LimitPlace[]): number | undefined =>
  places.map((place) => readLimit(request as Fields, place)?.total).find((limit) => limit !== undefined);

/**
 * The request with no more than `room` asked for. Nothing is ever raised, what is not stated stays so, and a request that
 * asks for no more is handed back as the very object that it was.
 */
export function lowerOutput<Request extends object>(
  request: Request,
  room: number,
  places: readonly LimitPlace[],
): Request {
  let fields = request as Fields;
  for (const place of places) {
    const { limit, total } = readLimit(fields, place) ?? { limit: 0, total: 0 };
    if (total <= room) continue;
    for (const thinking of place.thinking ?? []) fields = lowerThinking(fields, thinking, total, room);
    const added = sumAdded(fields, place);
    fields = writeAt(fields, place.path, Math.max(1, Math.min(limit, room - added)));
  }
  return fields as Request;
}

function readLimit(fields: Fields, place: LimitPlace): { readonly limit: number; readonly total: number } | undefined {
  const limit = asNumber(readAt(fields, place.path));
  return limit === undefined ? undefined : { limit, total: limit + sumAdded(fields, place) };
}

const sumAdded = (fields: Fields, { thinking = [] }: LimitPlace): number =>
  thinking.reduce((sum, { path, isAdded }) => sum + (isAdded ? (asNumber(readAt(fields, path)) ?? 0) : 0), 0);

/** Behind its thoughts an answer has as much as this, where the request left it as much. */
const LEAST_ANSWER = 4_096;

/** A budget below the limit stays below it; one above is a host's that may have it there. */
function lowerThinking(fields: Fields, { path, keeps, least }: ThinkingPlace, stated: number, room: number): Fields {
  const budget = asNumber(readAt(fields, path));
  if (budget === undefined || budget <= 0 || budget >= stated) return fields;
  if (room - budget >= Math.min(stated - budget, LEAST_ANSWER)) return fields;
  const lowered = stepBelow((room * budget) / stated);
  if (lowered >= least) return writeAt(fields, path, lowered);
  const without = writeAt(fields, path.slice(0, keeps), undefined);
  return keeps < path.length ? omitThinkingEdits(without) : without;
}

/** In few steps: a budget that changes from request to request would void the provider's cache every time. */
const stepBelow = (tokens: number): number => 2 ** Math.floor(Math.log2(Math.max(1, tokens)));

/** Clearing of thinking is refused where there is none. */
function omitThinkingEdits(body: Fields): Fields {
  const management = body.context_management;
  if (!isFields(management) || !Array.isArray(management.edits)) return body;
  const edits = management.edits.filter((edit) => !String(asFields(edit).type).startsWith('clear_thinking'));
  if (edits.length === management.edits.length) return body;
  return edits.length === 0
    ? omitFields(body, 'context_management')
    : { ...body, context_management: { ...management, edits } };
}

const readAt = (fields: Fields, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => asFields(value)[name], fields);

/** A copy with another value at a place that is there; undefined takes it out. */
function writeAt(fields: Fields, [name, ...rest]: readonly string[], value: unknown): Fields {
  if (name === undefined) return fields;
  if (rest.length > 0) return { ...fields, [name]: writeAt(asFields(fields[name]), rest, value) };
  return value === undefined ? omitFields(fields, name) : { ...fields, [name]: value };
}
