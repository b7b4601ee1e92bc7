import type { Digest } from '../../digest/digest.ts';
import type { Evidence } from '../../digest/evidence/evidence.ts';
import { isPaste } from '../../digest/words/give-way.ts';
import { wordsRoom } from '../../digest/words/words-room.ts';
import { countBehind, foldSlots, makeMessage } from '../../edits/fold-slots.ts';
import type { CarryItem } from '../../ledger/carry.ts';
import type { FoldEdit } from '../../ledger/edit.ts';
import { partText, text } from '../../message/message.ts';
import { droppedNotice, summaryFrame } from '../../notices.ts';
import { targetForMessages } from '../../size/budget.ts';
import type { Steps } from '../../steps.ts';
import { stepsOfDigest } from '../../view/decide-in-steps.ts';
import type { Decision, Look } from '../../view/look.ts';
import { stepsOfKept } from '../../view/read-kept.ts';
import { isWords } from '../../view/turns.ts';
import { joinUnits, type Span, splitRuns } from '../../view/units.ts';
import { insertBehind } from './insert-behind.ts';
import { markSummary } from './mark-summary.ts';
import { FRAME_TOKENS, type Narrative, roomsFor } from './narrative.ts';
import type { SummarizeHistoryOptions } from './summary-options.ts';
import { isPinned, type SummarySpan } from './summary-span.ts';
import { quoteUsedSince } from './used-since.ts';

/** Of the evidence beside a draft, what lines may take that the agent has used since: a tenth, and of a small one what a line needs. Their names stand behind the draft as well. */
const USED_SHARE = 0.1;
const MOST_USED_SHARE = 0.2;
const LINE_TOKENS = 60;
/** What a short summary takes: the digest has it where no model is asked for want of room. */
const SHORT_SUMMARY = 1_000;
/** Less than this says nothing. */
const TINY_EVIDENCE = 64;
/** Of the way from trigger to target, what a summary with all words must leave for the turns to come where there is pressure. */
const ROOM_TO_GO_ON = 0.1;
/** Below this the long frame would be a good part of the view. */
const SMALL_TARGET = 4_000;

/** The decision that puts a summary in a span's place. Pinned units in it stay where they are. */
export function* writeSummary(
  look: Look,
  span: SummarySpan,
  options: SummarizeHistoryOptions,
  told: Narrative,
  items: readonly CarryItem[],
  goesOn: boolean,
): Steps<Decision> {
  const runs = splitRuns(span.units, (unit) => isPinned(look, unit)).flatMap((run) => joinUnits(run) ?? []);
  const goneTokens = runs.reduce((sum, run) => sum + run.tokens, 0);
  yield;
  const made = yield* foldWithWords(look, span, options, runs, told, goneTokens);
  if (made === undefined) return { edits: [], reason: 'a summary would be no smaller than what it stands for' };
  const { folds, tokens } = made;
  const edits = [...folds, ...insertBehind(look, span, options, items, goneTokens - tokens, goesOn, folds)];
  return { edits, ...(told.spared === undefined ? {} : { reason: told.spared }) };
}

/** The folds of a summary, and what their messages take. */
interface Folded {
  readonly folds: readonly FoldEdit[];
  readonly tokens: number;
}

/**
 * What the user typed stays whole even where that takes more than the evidence has. Where nothing is gained so, long pastes
 * give way; other words only for need, so that they do not wear out by being summarized again, and rules that stand not even then.
 */
function* foldWithWords(
  look: Look,
  span: SummarySpan,
  options: SummarizeHistoryOptions,
  runs: readonly Span[],
  told: Narrative,
  goneTokens: number,
): Steps<Folded | undefined> {
  const toldTokens = told.text === undefined ? 0 : look.given.countText(told.text);
  const room = evidenceRoom(look, options, told, goneTokens, toldTokens);
  yield;
  const usedRoom = Math.min(room * MOST_USED_SHARE, Math.max(room * USED_SHARE, LINE_TOKENS));
  const beside = `${told.text ?? ''}\n${yield* stepsOfKept(look.slots, span)}`;
  yield;
  const write = function* (upTo: number): Steps<Folded & Pick<Digest, 'text' | 'evidence'>> {
    const digestIn = (tokens: number): Steps<Digest> =>
      stepsOfDigest(look, span.first.first, span.reach, Math.max(tokens, TINY_EVIDENCE), Math.max(0, upTo), beside);
    const all = yield* digestIn(room);
    const used = told.by === 'draft' ? quoteUsedSince(look, span, told.text ?? '', all.text, usedRoom) : '';
    const digest = used === '' ? all : yield* digestIn(room - look.given.countText(used));
    const evidence = used === '' ? digest.text : `${digest.text}\n${used}`;
    const body = Math.max(room, upTo) < TINY_EVIDENCE ? '' : evidence;
    yield;
    const folds = foldRuns(look, span, runs, options, told, body);
    yield;
    const made = folds.flatMap((fold) => fold.messages);
    const tokens = made.reduce((sum, message) => sum + look.count(message), 0);
    return { folds, tokens, text: body, evidence: digest.evidence };
  };
  const words = wordsRoom(look.given.budget);
  const needed =
    look.needed.tokens > 0 ? look.needed.tokens + (look.over.tokens - look.needed.tokens) * ROOM_TO_GO_ON : 0;
  const whole = yield* write(words);
  if (whole.tokens < goneTokens && whole.tokens + needed <= goneTokens) return whole;
  const gain = Math.floor(goneTokens * 0.8) - toldTokens - FRAME_TOKENS;
  const fitting = told.text === undefined ? Infinity : goneTokens - look.needed.tokens - toldTokens - FRAME_TOKENS;
  const brief = yield* write(Math.min(words, gain, fitting));
  const holdsShort = brief.evidence.words.every(({ text: said }) => isPaste(said) || brief.text.includes(said));
  const shown = runs.flatMap((run) => run.slots.flatMap(({ message }) => message.parts.map(partText))).join('\n');
  // Where words stand behind the span, the newest of it are not the newest of all.
  const newest = look.slots.slice(span.end).some(isWords) ? 0 : 1;
  const losesRule = countMissing(brief.evidence, newest, brief.text) > countMissing(brief.evidence, newest, shown);
  if (brief.tokens < goneTokens && !losesRule && (needed > 0 || holdsShort)) return brief;
  return whole.tokens < goneTokens ? whole : undefined;
}

/** How many of the user's prohibitions, and of so many of the newest words, a text does not hold. */
function countMissing({ constraints, words }: Evidence, newest: number, body: string): number {
  const denials = constraints.filter((rule) => rule.direct && rule.strength === 'denial');
  return [...denials, ...words.slice(words.length - newest)].filter(
    ({ text: said }) => !isPaste(said) && !body.includes(said),
  ).length;
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
  const left = goneTokens - look.over.tokens - FRAME_TOKENS;
  const asked = Math.max(left - shared, isOnTop ? room : least);
  const wanted = Math.max(TINY_EVIDENCE, Math.min(asked, room, Math.floor(goneTokens * 0.6)));
  if (told.text === undefined) return wanted;
  // What a model was paid for is not lost because code has more to say beside it: over the trigger the floor would hide both.
  const mostly = Math.floor(goneTokens * 0.95) - toldTokens - FRAME_TOKENS;
  const fitting = goneTokens - look.needed.tokens - toldTokens - FRAME_TOKENS;
  return Math.min(wanted, mostly, Math.max(left - toldTokens, fitting));
}

/**
 * One fold a run; the first shows the summary, the others nothing. Only behind a pinned answer of the model's the end of a
 * view has a notice: providers refuse to go on from the model's own words.
 */
function foldRuns(
  look: Look,
  span: SummarySpan,
  runs: readonly Span[],
  options: SummarizeHistoryOptions,
  told: Narrative,
  evidence: string,
): readonly FoldEdit[] {
  const reference = runs.length > 1 ? `${look.ref(0)} to ${look.ref(runs.length - 1)}` : look.ref(0);
  const { budget, trigger, transcript, canRecall } = look.given;
  const frame = summaryFrame({
    count: span.reach - span.first.first + 1,
    ref: reference,
    canRecall,
    trigger,
    short: targetForMessages(budget) < SMALL_TARGET,
    transcript: options.namesTranscript === true ? transcript : undefined,
  });
  const bodies = [told.text, evidence].filter((body): body is string => body !== undefined && body !== '');
  return runs.map((run, i) => {
    const ref = look.ref(i);
    const endsAnswer = run.end === look.slots.length && look.slots[run.start - 1]?.message.role === 'assistant';
    if (i > 0)
      return foldSlots(look, run, ref, (standsFor) =>
        endsAnswer ? [makeMessage(ref, standsFor, droppedNotice(countBehind(run), ref, canRecall))] : [],
      );
    const fold = foldSlots(look, run, ref, (standsFor) => {
      const made = makeMessage(ref, standsFor, frame);
      return [{ ...made, parts: [...made.parts, ...bodies.map(text)] }];
    });
    const mark = markSummary(look, span, told);
    return { ...fold, summary: span.reach > run.last.last ? { ...mark, to: span.to } : mark };
  });
}
