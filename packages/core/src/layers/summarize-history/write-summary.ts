import { quoteUserText } from '../../digest/quote-user-text.ts';
import { makeMessage } from '../../edits/fold-slots.ts';
import {
  type Hidden as HiddenUnits,
  type Hiding,
  hideAround,
  splitAround,
  goneTokens as tokensOf,
} from '../../edits/hide-around.ts';
import type { CarryItem } from '../../ledger/carry.ts';
import type { SummaryMark } from '../../ledger/edit.ts';
import { text } from '../../message/message.ts';
import { summaryFrame } from '../../notices.ts';
import { ownTargetForMessages, targetForMessages } from '../../size/budget.ts';
import type { Decision, Look } from '../../view/look.ts';
import { readKept } from '../../view/read-kept.ts';
import { insertBehind } from './insert-behind.ts';
import { markSummary } from './mark-summary.ts';
import { FRAME_TOKENS, type Narrative, roomsFor } from './narrative.ts';
import type { SummarizeHistoryOptions } from './summary-options.ts';
import type { SummarySpan } from './summary-span.ts';

/** What a short summary takes: the digest has it where no model is asked for want of room. */
const SHORT_SUMMARY = 1_000;
/** Less than this says nothing. */
const TINY_EVIDENCE = 64;
/** Below this the long frame would be a good part of the view. */
const SMALL_TARGET = 4_000;

/** The decision that puts a summary in a span's place. Pinned units in it stay where they are, and so does the text of users and clients. */
export function writeSummary(
  look: Look,
  span: SummarySpan,
  options: SummarizeHistoryOptions,
  told: Narrative,
  items: readonly CarryItem[],
  goesOn: boolean,
): Decision {
  const hiding = splitAround(look, span.units);
  const goneTokens = tokensOf(hiding);
  const quoted = quoteHiddenText(look, span, told, hiding);
  const evidence = writeEvidence(look, span, options, told, hiding, quoted);
  const hide = (bodies: readonly (string | undefined)[]): HiddenUnits =>
    hideBehindSummary(look, span, options, told, hiding, [told.text, ...bodies]);
  const full = hide([quoted, evidence]);
  const made = full.made < full.gone || quoted === undefined ? full : hide([evidence]);
  if (made.made >= made.gone) return { edits: [], reason: 'a summary would be no smaller than what it stands for' };
  const freed = goneTokens - made.made;
  const edits = [...made.edits, ...insertBehind(look, span, options, items, freed, goesOn, made.edits)];
  return { edits, ...(told.spared === undefined ? {} : { reason: told.spared }) };
}

/** What code read off the span, in the room that it has. */
function writeEvidence(
  look: Look,
  span: SummarySpan,
  options: SummarizeHistoryOptions,
  told: Narrative,
  hiding: Hiding,
  quoted = '',
): string {
  const toldTokens = told.text === undefined ? 0 : look.given.countText(told.text);
  const room = evidenceRoom(look, options, told, tokensOf(hiding), toldTokens, look.given.countText(quoted));
  const beside = `${told.text ?? ''}\n${readKept(look.slots, hiding)}`;
  return room < TINY_EVIDENCE ? '' : look.digest(span.first.first, span.reach, room, beside).text;
}

/** What users typed in the span and no message shows any more may take so many tokens of the summary, or this share of the target. */
const QUOTED_TOKENS = 4_000;
const QUOTED_SHARE = 0.3;

/** What users typed in the span and no message shows any more, quoted: where the preset folds it, where there was no room for it. */
function quoteHiddenText(look: Look, span: SummarySpan, told: Narrative, hiding: Hiding): string | undefined {
  const shown = new Set(hiding.stay.filter(({ fold }) => fold === undefined).map(({ first }) => first));
  const hidden = look
    .userTexts(span.first.first, span.reach)
    .filter(({ author, place }) => author === 'user' && !shown.has(place));
  const toldTokens = told.text === undefined ? 0 : look.given.countText(told.text);
  // A summary that does not fit is hidden by the floor, with all that it quotes.
  const fitting = tokensOf(hiding) - look.needed.tokens - toldTokens - FRAME_TOKENS;
  const most = Math.min(QUOTED_TOKENS, ownTargetForMessages(look.given.budget) * QUOTED_SHARE);
  const room = Math.max(0, Math.min(most, told.text === undefined ? most : fitting));
  return quoteUserText(hidden, Math.floor(room), look.given.countText, look.given.canRecall);
}

/**
 * The tokens of the evidence. The summary leaves the view at the target where it can, but never so that rules and words
 * have no room: the target lies far below the trigger. It is smaller than what it stands for in any case.
 */
function evidenceRoom(
  look: Look,
  options: SummarizeHistoryOptions,
  told: Narrative,
  goneTokens: number,
  toldTokens: number,
  quotedTokens: number,
): number {
  const { narrative, evidence, least } = roomsFor(look, options);
  // Alone, code gets what a narrative usually has: a model may be let to say more, lists by code do not get better by it.
  const usual = Math.min(narrative, roomsFor(look, {}).narrative);
  // A model's words come on top of that, whatever a draft left to stand behind it: who asks a model for a summary does not want
  // fewer facts beside it. Where somebody says that the target counts, both share it, and what the model leaves is the evidence's.
  const isOnTop = (told.text !== undefined || told.spared !== undefined) && options.evidenceLeast === undefined;
  const shared = isOnTop ? 0 : toldTokens;
  const isStated = told.text !== undefined && options.evidenceTokens !== undefined;
  const spared = told.spared === undefined ? 0 : Math.min(SHORT_SUMMARY, usual);
  const room = evidence + spared + (isStated ? 0 : Math.max(0, usual - shared));
  const beside = FRAME_TOKENS + quotedTokens;
  const left = goneTokens - look.over.tokens - beside;
  const asked = Math.max(left - shared, isOnTop ? room : least);
  const wanted = Math.max(TINY_EVIDENCE, Math.min(asked, room, Math.floor((goneTokens - quotedTokens) * 0.6)));
  if (told.text === undefined) return wanted;
  // What a model was paid for is not lost because code has more to say beside it: over the trigger the floor would hide both.
  const mostly = Math.floor(goneTokens * 0.95) - toldTokens - beside;
  const fitting = goneTokens - look.needed.tokens - toldTokens - beside;
  return Math.min(wanted, mostly, Math.max(left - toldTokens, fitting));
}

/** The edits that put the summary behind all text that stays in the span. */
function hideBehindSummary(
  look: Look,
  span: SummarySpan,
  options: SummarizeHistoryOptions,
  told: Narrative,
  hiding: Hiding,
  bodies: readonly (string | undefined)[],
): HiddenUnits {
  const { budget, trigger, transcript, canRecall } = look.given;
  const last = hiding.runs.at(-1);
  const stayed = hiding.stay.filter(({ inserted }) => inserted !== true).length;
  const mark = (ref: string): SummaryMark => ({
    ...markSummary(look, span, told, ref),
    ...(hiding.runs.length > 1 || hiding.stay.length > 0 ? { from: span.from } : {}),
    ...(last !== undefined && span.reach > last.last.last ? { to: span.to } : {}),
  });
  return hideAround(look, hiding, mark, (ref, standsFor) => {
    const frame = summaryFrame({
      count: span.reach - span.first.first + 1 - stayed,
      ref,
      canRecall,
      trigger,
      short: targetForMessages(budget) < SMALL_TARGET,
      transcript: options.namesTranscript === true ? transcript : undefined,
    });
    const made = makeMessage(ref, standsFor, frame);
    return [{ ...made, parts: [...made.parts, ...bodies.filter(isSaid).map(text)] }];
  });
}

const isSaid = (body: string | undefined): body is string => body !== undefined && body !== '';
