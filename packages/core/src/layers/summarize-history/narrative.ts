import { cutWords, hookRoom } from '../../edits/cut-words.ts';
import type { SummaryMark } from '../../ledger/edit.ts';
import type { DraftFact, Fact } from '../../ledger/ledger.ts';
import type { ItemUpdate } from '../../ledger/summary-item.ts';
import { partText } from '../../message/message.ts';
import { type Budget, ownTargetForMessages, share, targetForMessages } from '../../size/budget.ts';
import { cutHead, toWellFormed } from '../../text.ts';
import type { Look } from '../../view/look.ts';
import type { ItemBase, Need, SummaryScope } from '../../view/need.ts';
import { fitItems, writeItems } from '../../view/summary-items.ts';
import { type SummarizeHistoryOptions, statedTemplate } from './summary-options.ts';
import { findSummarySpan, messagesIn, type SummarySpan } from './summary-span.ts';

const NARRATIVE_SHARE = 0.1;
/** What a model wrote is taken up to here, whatever it was asked to keep to: 99.99 % of all summaries have less than 17,387 tokens. */
const MOST_NARRATIVE = 20_000;
const MOST_NARRATIVE_SHARE = 0.125;
const EVIDENCE_SHARE = 0.08;
/** What the sentence before a summary takes. */
export const FRAME_TOKENS = 80;

/** What the state of the work needs at the least; in a small window all that the evidence may have. */
const LEAST_EVIDENCE = 6_400;

/** The tokens that the model's part of a summary and the evidence beside it may take, and what the evidence gets at the least. */
export const roomsFor = (
  { given: { budget } }: Look,
  options: SummarizeHistoryOptions,
): { readonly narrative: number; readonly evidence: number; readonly least: number } => {
  const { narrativeTokens = 6_000, narrativeFraction = NARRATIVE_SHARE, evidenceTokens = 6_000 } = options;
  return {
    narrative: Math.max(64, share(budget, narrativeTokens, narrativeFraction)),
    evidence: Math.max(64, share(budget, evidenceTokens, EVIDENCE_SHARE)),
    least: share(budget, options.evidenceLeast ?? LEAST_EVIDENCE, NARRATIVE_SHARE + EVIDENCE_SHARE),
  };
};

/** The keys of facts name what they are about, so that a fact for another span is never taken. */
const keyOf = (kind: string, span: SummarySpan, more = ''): string =>
  toWellFormed(`${kind}:${span.from}:${span.to}:${span.previous?.ref ?? ''}:${more}`);

/** What a summary is to mind: the user's own words for it, then the project's, then the hook's. */
export interface Wishes {
  readonly instructions?: string;
  /** A hook's words for what to write, in place of ours. */
  readonly prompt?: string;
}

/** What hooks said to a summary. */
export interface Heard extends Wishes {
  readonly need?: Need;
  readonly veto?: string;
  readonly autoContinue?: boolean;
}

/** What the hooks say to a summary, if there are any: a need until they were heard. */
export function hearHooks({ given }: Look, span: SummarySpan): Heard {
  const { instructions: own } = given.asked;
  const cutToRoom = (words = ''): string => cutWords(words, hookRoom(given.budget), given.countText);
  const join = (...all: readonly (string | undefined)[]): Wishes => {
    const words = all.filter((one) => one !== undefined && one !== '').join('\n');
    return words === '' ? {} : { instructions: words };
  };
  const project = cutToRoom(given.compactInstructions);
  if (!given.can.has('hooks')) return join(own, project);
  const key = keyOf('hooks', span);
  const fact = given.facts.get(key);
  if (fact === undefined)
    return {
      need: { type: 'hooks', key, trigger: given.trigger, ...(own === undefined ? {} : { instructions: own }) },
    };
  if (fact.type !== 'hooked') return join(own, project);
  const { veto, prompt, autoContinue } = fact;
  return {
    ...join(own, project, cutToRoom(fact.instructions)),
    ...(veto === undefined ? {} : { veto }),
    ...(prompt === undefined ? {} : { prompt: cutToRoom(prompt) }),
    ...(autoContinue === undefined ? {} : { autoContinue }),
  };
}

/** What a summary tells besides the evidence, and by whom it is; a need until the model has written it. */
export interface Narrative {
  readonly need?: Need;
  readonly by: SummaryMark['by'];
  /** What stands before the evidence. With no model, what earlier summaries said stays, where that is made of statements. */
  readonly text?: string;
  readonly statements?: ItemUpdate;
  /** What the model wrote. */
  readonly fact?: Extract<Fact, { type: 'summary' }>;
  /** Why the model's is not to be had, and what trying cost. */
  readonly failed?: Extract<Fact, { type: 'failed' }>;
  /** Why the model was not asked, where the digest has the room of its words. */
  readonly spared?: string;
}

/** The narrative of a span: a draft's, the model's, or none, and then the digest is all. */
export function findNarrative(
  look: Look,
  span: SummarySpan,
  options: SummarizeHistoryOptions,
  draft: DraftFact | undefined,
  wishes: Wishes,
): Narrative {
  // A draft that was written without what a hook wants minded now would lose it.
  if (
    draft !== undefined &&
    draft.instructions === wishes.instructions &&
    draft.prompt === (wishes.prompt ?? options.prompt)
  )
    return tellFact('draft', draft.fact);
  if (!look.given.can.has('summary') || options.model === 'off' || isDear(look, span))
    return keepStatements(look, span, options);
  const spared = tellNoRoom(look, span, options);
  if (spared !== undefined) return { ...keepStatements(look, span, options), spared };
  const key = keyOf('summary', span, [wishes.instructions, wishes.prompt].filter(isStated).join('\n'));
  const fact = look.given.facts.get(key);
  if (fact?.type === 'summary') return tellFact('model', fact);
  if (fact === undefined) return { by: 'model', need: askForSummary(look, span, key, options, wishes) };
  return { ...keepStatements(look, span, options), ...(fact.type === 'failed' ? { failed: fact } : {}) };
}

const tellFact = (by: SummaryMark['by'], fact: Extract<Fact, { type: 'summary' }>): Narrative => ({
  by,
  fact,
  text: fact.text,
  ...(fact.statements === undefined ? {} : { statements: fact.statements }),
});

/** Nobody retires a statement by failing to write the next summary. */
function keepStatements(look: Look, span: SummarySpan, options: SummarizeHistoryOptions): Narrative {
  const template = statedTemplate(options);
  const { statements } = span.previous ?? {};
  // Where summaries are written whole, only what the user wrote into one stays.
  const items = statements?.items.filter(({ by }) => by === 'user' || template?.itemised === true) ?? [];
  // Where all of them had no room, what is known of them is which they were.
  const isKnown = items.length > 0 || (template?.itemised === true && statements?.left !== undefined);
  if (statements === undefined || !isKnown) return { by: 'digest' };
  const room = roomForItems(look, span, options);
  const base = { ...statements, items, retired: [], aged: [] };
  const update = fitItems(base, room, look.given.countText, template ?? { sections: [] });
  return { by: 'digest', text: writeItems(update.items, update.left), statements: update };
}

/**
 * On a cold cache a model would read all of it at the price of writing, for less than code keeps: the digest serves. Not
 * where an earlier summary was written whole, and would be lost.
 */
const isDear = ({ given: { trigger, cache, budget } }: Look, { previous }: SummarySpan): boolean =>
  trigger === 'auto' && cache.state === 'cold' && budget.money !== undefined && !isWrittenWhole(previous);

const isWrittenWhole = (previous: SummarySpan['previous']): boolean =>
  previous?.narrative !== undefined && previous.statements === undefined;

/** Somebody wants a summary, and not only room. */
export const isAskedFor = ({ given: { trigger, asked } }: Look): boolean =>
  trigger === 'manual' || trigger === 'tool' || asked.form !== undefined || asked.instructions !== undefined;

/** Whether a compaction may leave less than a model is asked for. */
export const hasLittleRoom = (budget: Budget, modelFrom: number): boolean => ownTargetForMessages(budget) < modelFrom;

/** Where a model's words would take the room of facts, and nobody asked for them: why the digest serves. */
function tellNoRoom(
  look: Look,
  { previous }: SummarySpan,
  { modelFrom = 0 }: SummarizeHistoryOptions,
): string | undefined {
  const { budget } = look.given;
  if (isAskedFor(look) || !hasLittleRoom(budget, modelFrom) || isWrittenWhole(previous)) return undefined;
  const room = ownTargetForMessages(budget);
  return `no model was asked: in ${room} tokens its words would take the room of facts (one is from ${modelFrom} on)`;
}

const isStated = (words: string | undefined): words is string => words !== undefined;

function askForSummary(
  look: Look,
  span: SummarySpan,
  key: string,
  options: SummarizeHistoryOptions,
  { instructions, prompt = options.prompt }: Wishes,
): Need {
  const scope = scopeOf(look, span);
  const opening = options.request === 'stand-alone' ? undefined : findOpening(look, span, scope);
  const template = prompt === options.prompt ? statedTemplate(options) : undefined;
  const statements = template?.itemised === true ? baseOfItems(look, span, options) : undefined;
  return {
    type: 'summary',
    key,
    span: messagesIn(span),
    scope,
    live: look.shown.slots.map((slot) => slot.message),
    liveTokens: look.shown.tokens,
    ...sizesFor(look, span, roomForAnswer(look, roomsFor(look, options).narrative, statements)),
    to: span.to,
    ...(span.previous === undefined ? {} : { after: span.previous.ref }),
    source: look.behind(span.first, { ...span.last, last: span.reach }),
    sourceTokens: span.tokens,
    ...(opening === undefined ? {} : { opening }),
    ...(span.previous?.narrative === undefined ? {} : { previous: span.previous.narrative }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(template === undefined ? {} : { template }),
    ...(statements === undefined ? {} : { statements }),
  };
}

/** The statements that the next summary is to bring up to date; none where it is the first. */
function baseOfItems(look: Look, span: SummarySpan, options: SummarizeHistoryOptions): ItemBase {
  const first = span.first.first;
  return {
    ...(span.previous?.statements ?? { items: [], lastItem: 0 }),
    room: roomForItems(look, span, options),
    first,
    since: span.previous === undefined ? 0 : Math.max(0, span.previous.reach + 1 - first),
  };
}

/** The story does not take the room of the facts: statements get a part of the target, and in small ones what a short summary needs. */
const ITEMS_SHARE = 0.1;
const LEAST_ITEMS = 1_500;

function roomForItems(look: Look, span: SummarySpan, options: SummarizeHistoryOptions): number {
  const part = Math.max(LEAST_ITEMS, Math.floor(targetForMessages(look.given.budget) * ITEMS_SHARE));
  return Math.max(64, Math.min(roomsFor(look, options).narrative, part, span.foldedTokens - FRAME_TOKENS * 2));
}

/** Where statements stand already, what they leave of their room, and a quarter of it in any case. */
function roomForAnswer({ given }: Look, room: number, base: ItemBase | undefined): number {
  if (base === undefined || base.items.length === 0) return room;
  return Math.max(Math.floor(room / 4), room - given.countText(writeItems(base.items, base.left)));
}

/** Half of what there is to tell is enough; and whatever is taken in the end must leave room for the frame around it. */
function sizesFor(look: Look, span: SummarySpan, room: number): { maxTokens: number; mostTokens: number } {
  const maxTokens = Math.max(64, Math.min(room, Math.floor(span.foldedTokens / 2)));
  const most = Math.max(Math.ceil(maxTokens * 1.25), share(look.given.budget, MOST_NARRATIVE, MOST_NARRATIVE_SHARE));
  return { maxTokens, mostTokens: Math.max(maxTokens, Math.min(most, span.foldedTokens - FRAME_TOKENS * 2)) };
}

const scopeOf = ({ slots }: Look, span: SummarySpan): SummaryScope =>
  span.start > 0 ? 'from' : span.end < slots.length ? 'up-to' : 'all';

/** How the message at the span's edge begins, as it was sent; none where the span has to go alone. */
function findOpening(look: Look, span: SummarySpan, scope: SummaryScope): string | undefined {
  // A call in flight cannot be sent.
  if (look.hasOpenCalls) return undefined;
  const { slots } = look.shown;
  const edge =
    scope === 'from'
      ? slots.find((slot) => slot.first >= span.first.first)
      : slots.findLast((slot) => slot.last <= span.last.last);
  const message = edge?.message ?? (scope === 'from' ? span.first : span.last).message;
  const opening = cutHead(message.parts.map(partText).join(' '), 80);
  return opening === '' ? undefined : opening;
}

/** A draft is enough if it frees this share of what a summary of now would free. */
const ENOUGH_SHARE = 0.4;

/** The newest draft whose prefix still stands, where what remains behind it is small enough. */
export function findDraft(
  look: Look,
  options: SummarizeHistoryOptions,
): { readonly span: SummarySpan; readonly draft: DraftFact } | undefined {
  const { asked } = look.given;
  if (asked.form !== undefined || asked.instructions !== undefined || look.drafts.length === 0) return undefined;
  const most = findSummarySpan(look, options)?.foldedTokens ?? 0;
  for (const draft of look.drafts.toReversed()) {
    const span = findSummarySpan(look, options, draft.upTo);
    const end = look.placeOf(draft.upTo);
    if (span === undefined || end === undefined || span.previous?.ref !== draft.after) continue;
    // It ends inside a round.
    if ((look.slots[span.end]?.first ?? Infinity) <= end) continue;
    // What it takes is known; of the evidence only its own share counts: by the most that both may take, drafts that are enough would be dropped.
    const { evidence, least } = roomsFor(look, options);
    const taken = look.given.countText(draft.fact.text) + Math.min(evidence, least);
    if (span.foldedTokens - taken >= Math.max(1, (most - taken) * ENOUGH_SHARE)) return { span, draft };
  }
  return undefined;
}
