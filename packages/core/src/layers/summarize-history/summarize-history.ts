import { foldOver, madeMessage } from '../../edits/fold-slots.ts';
import { type CarryItem, carriedText, derivedFiles, fitted } from '../../ledger/carry.ts';
import type { Edit, FoldEdit, SummaryMark } from '../../ledger/edit.ts';
import type { DraftFact, Fact } from '../../ledger/ledger.ts';
import { type Message, type MessageId, partText, text } from '../../message/message.ts';
import { attachmentFrame, summaryFrame } from '../../notices.ts';
import { share } from '../../size/budget.ts';
import { type Decision, type Layer, type Look, type Need, nothing } from '../../view/look.ts';
import { type Cut, cutFor, spanOf } from './summary-span.ts';

/** How much stays as it is, and how long the summary of the rest may be. */
export interface SummarizeHistoryOptions {
  /**
   * The tail that stays: so many turns (2), within clamp(fraction of the effective window, least, most) tokens
   * (0.25, 2,000, 8,000).
   */
  readonly tailTurns?: number;
  readonly tailFraction?: number;
  readonly tailLeast?: number;
  readonly tailMost?: number;
  /**
   * The model's part of the summary, and the evidence beside it: 6,000 tokens each, or 10 % and 8 % of the effective
   * window where that is less.
   */
  readonly narrativeTokens?: number;
  readonly evidenceTokens?: number;
  /** `off`: the digest is the summary even where there is a model. On by default. */
  readonly model?: 'on' | 'off';
  /** Files and other things that code takes across are shown behind the kept messages. True by default. */
  readonly attach?: boolean;
}

const NARRATIVE_SHARE = 0.1;
const EVIDENCE_SHARE = 0.08;
/** What rules, the user's words and the state of the work need at the least. */
const LEAST_EVIDENCE = 2_500;
const LEAST_EVIDENCE_SHARE = 0.05;
const FRAME_TOKENS = 80;
/** Below this the long frame would be a good part of the view. */
const SMALL_TARGET = 4_000;

/**
 * The last resort that still tells what was said: one live summary, brought up to date and never nested. A model writes
 * the narrative where there is one; the evidence beside it is by code always, read off the transcript itself, so it does
 * not wear out however often it is done.
 */
export function summarizeHistory(options: SummarizeHistoryOptions = {}): Layer {
  return {
    name: 'summarize-history',
    decide(look) {
      if (look.over.tokens === 0 && look.over.messages === 0 && !isDemanded(look)) return nothing;
      const drafted = draftedCut(look, options);
      const cut = drafted?.cut ?? cutFor(look, options);
      if (cut === undefined) return nothing;
      const asked = hookAnswer(look, cut);
      if (asked.needs.length > 0) return { edits: [], needs: asked.needs };
      if (asked.veto !== undefined) return { edits: [], reason: `vetoed: ${asked.veto}` };
      const wanted = narrative(look, cut, options, drafted?.draft, asked.instructions);
      if (wanted.needs.length > 0) return { edits: [], needs: wanted.needs };
      const carry = carried(look, options);
      if (carry.needs.length > 0) return { edits: [], needs: carry.needs };
      return summarized(look, cut, options, wanted, carry.items);
    },
  };
}

/** Somebody asked for a summary: then clearing old results is no answer, however much it freed. */
const isDemanded = ({ trigger, asked }: Look): boolean =>
  trigger === 'manual' || trigger === 'tool' || asked.form !== undefined || asked.instructions !== undefined;

const tokensIn = (look: Look, start: number, end: number): number =>
  look.slots.slice(start, end).reduce((sum, slot) => sum + slot.tokens, 0);

/** The keys of facts name what they are about, so that a fact for another span is never taken. */
const keyOf = (kind: string, cut: Cut, more = ''): string =>
  `${kind}:${cut.from}:${cut.to}:${cut.previous?.ref ?? ''}:${more}`;

function hookAnswer(look: Look, cut: Cut): { needs: readonly Need[]; veto?: string; instructions?: string } {
  const given = look.asked.instructions;
  if (!look.hasHooks) return { needs: [], ...(given === undefined ? {} : { instructions: given }) };
  const key = keyOf('hooks', cut);
  const fact = look.fact(key);
  if (fact === undefined)
    return {
      needs: [{ type: 'hooks', key, trigger: look.trigger, ...(given === undefined ? {} : { instructions: given }) }],
    };
  if (fact.type !== 'hooked') return { needs: [], ...(given === undefined ? {} : { instructions: given }) };
  const instructions = [given, fact.instructions].filter((one) => one !== undefined && one !== '').join('\n');
  return {
    needs: [],
    ...(fact.veto === undefined ? {} : { veto: fact.veto }),
    ...(instructions === '' ? {} : { instructions }),
  };
}

interface Narrative {
  readonly needs: readonly Need[];
  readonly by: SummaryMark['by'];
  readonly text?: string;
  readonly fact?: Extract<Fact, { type: 'summary' }>;
}

const budgetFor = (look: Look, options: SummarizeHistoryOptions): { narrative: number; evidence: number } => ({
  narrative: Math.max(64, share(look.budget, options.narrativeTokens ?? 6_000, NARRATIVE_SHARE)),
  evidence: Math.max(64, share(look.budget, options.evidenceTokens ?? 6_000, EVIDENCE_SHARE)),
});

function narrative(
  look: Look,
  cut: Cut,
  options: SummarizeHistoryOptions,
  draft: DraftFact | undefined,
  instructions: string | undefined,
): Narrative {
  if (draft !== undefined) return { needs: [], by: 'draft', text: draft.fact.text, fact: draft.fact };
  if (!look.hasSummarizer || options.model === 'off') return { needs: [], by: 'digest' };
  const key = keyOf('summary', cut, instructions ?? '');
  const fact = look.fact(key);
  if (fact?.type === 'summary') return { needs: [], by: 'model', text: fact.text, fact };
  if (fact !== undefined) return { needs: [], by: 'digest' };
  return { needs: [summaryNeed(look, cut, key, budgetFor(look, options).narrative, instructions)], by: 'model' };
}

function summaryNeed(
  look: Look,
  cut: Cut,
  key: string,
  maxTokens: number,
  instructions: string | undefined,
): Extract<Need, { type: 'summary' }> {
  const span = spanOf(look, cut);
  const source = look.behind(look.slots[cut.start]!, look.slots[cut.end - 1]!);
  const end = look.slots[cut.end - 1]!.last;
  const lastShown = look.shown.findLast((slot) => slot.last <= end)?.message ?? span.at(-1)!;
  const last = lastShown.parts.map(partText).join(' ').slice(0, 80);
  return {
    type: 'summary',
    key,
    span,
    live: look.shown.map((slot) => slot.message),
    liveTokens: look.shownTokens,
    maxTokens,
    to: cut.to,
    ...(cut.previous === undefined ? {} : { after: cut.previous.ref }),
    source,
    sourceTokens: tokensIn(look, cut.start, cut.end),
    // A call in flight cannot be sent: then the span goes alone.
    ...(cut.start === 0 && last !== '' && !look.hasOpenCalls ? { upTo: last } : {}),
    ...(cut.previous?.narrative === undefined ? {} : { previous: cut.previous.narrative }),
    ...(instructions === undefined ? {} : { instructions }),
  };
}

/** A draft is taken when its prefix still stands and what remains behind it is small enough. */
function draftedCut(look: Look, options: SummarizeHistoryOptions): { cut: Cut; draft: DraftFact } | undefined {
  if (look.asked.form !== undefined || look.asked.instructions !== undefined) return undefined;
  for (const draft of [...look.drafts].reverse()) {
    const cut = cutFor(look, options, draft.upTo);
    if (cut === undefined || cut.to !== draft.upTo || cut.previous?.ref !== draft.after) continue;
    const freed = tokensIn(look, cut.start, cut.end);
    const { narrative: narrativeRoom, evidence } = budgetFor(look, options);
    if (freed - narrativeRoom - evidence >= look.over.tokens * 0.6) return { cut, draft };
  }
  return undefined;
}

function carried(
  look: Look,
  options: SummarizeHistoryOptions,
): { needs: readonly Need[]; items: readonly CarryItem[] } {
  if (options.attach === false) return { needs: [], items: [] };
  if (!look.hasCarry) return { needs: [], items: [] };
  const key = `carry:${look.slots.at(-1)!.message.id}`;
  const fact = look.fact(key);
  if (fact === undefined) return { needs: [{ type: 'carry', key }], items: [] };
  return { needs: [], items: fact.type === 'carried' ? fact.items : [] };
}

function summarized(
  look: Look,
  cut: Cut,
  options: SummarizeHistoryOptions,
  told: Narrative,
  items: readonly CarryItem[],
): Decision {
  const first = look.slots[cut.start]!;
  const last = look.slots[cut.end - 1]!;
  const runs = runsAround(look, cut);
  const goneTokens = runs.reduce((sum, run) => sum + tokensIn(look, run.start, run.end), 0);
  const rooms = budgetFor(look, options);
  const room = told.text === undefined ? rooms.narrative + rooms.evidence : rooms.evidence;
  // The summary leaves the view at the target where it can, but never so that rules and words have no room: the target
  // lies far below the trigger. It is smaller than what it stands for in any case.
  const left = goneTokens - look.over.tokens - (told.text === undefined ? 0 : look.countText(told.text)) - FRAME_TOKENS;
  const least = share(look.budget, LEAST_EVIDENCE, LEAST_EVIDENCE_SHARE);
  const allowed = Math.min(Math.max(left, least), room, Math.floor(goneTokens * 0.6));
  const evidence = look.digest(first.first, last.last, Math.max(64, allowed));
  const mark: SummaryMark = {
    of: 'history',
    by: told.by,
    ...(told.text === undefined ? {} : { narrative: told.text }),
    ...(told.fact === undefined ? {} : { flagged: told.fact.flagged, calls: told.fact.calls }),
    ...keptSegment(look, cut),
  };
  const edits: Edit[] = [];
  const refs = runs.map((_, i) => look.ref(i));
  const short = look.budget.target < SMALL_TARGET;
  const reference = refs.length > 1 ? `${refs[0]} to ${refs.at(-1)}` : refs[0]!;
  const frame = summaryFrame(last.last - first.first + 1, reference, look.trigger, short);
  for (const [i, run] of runs.entries()) {
    const ref = look.ref(edits.length);
    const from = look.slots[run.start]!;
    const to = look.slots[run.end - 1]!;
    const fold = foldOver(look, from, to, ref, (standsFor) =>
      i > 0 ? [] : [summaryMessage(ref, standsFor, frame, told.text, evidence.text)],
    );
    edits.push(i > 0 ? fold : ({ ...fold, summary: mark } satisfies FoldEdit));
  }
  const summaryTokens =
    (edits[0] as FoldEdit | undefined)?.messages.reduce((sum, message) => sum + look.count(message), 0) ?? Infinity;
  if (summaryTokens >= goneTokens)
    return { edits: [], reason: 'a summary would be no smaller than what it stands for' };
  const attachments = attachmentFor(
    look,
    cut,
    options,
    items,
    goneTokens - summaryTokens - look.over.tokens,
    edits.length,
  );
  return { edits: attachments === undefined ? edits : [...edits, attachments] };
}

const keptSegment = (look: Look, cut: Cut): Pick<SummaryMark, 'kept'> => {
  const kept = cut.start > 0 ? look.slots.slice(0, cut.start) : look.slots.slice(cut.end);
  if (kept.length === 0) return {};
  // A kept tail hangs on the summary, a kept prefix is what the boundary itself hangs on.
  const anchor = cut.start > 0 ? kept.at(-1)!.message.id : `palimpsest/${look.ref(0)}`;
  return { kept: { first: kept[0]!.message.id, anchor, last: kept.at(-1)!.message.id } };
};

function summaryMessage(
  ref: string,
  standsFor: { from: MessageId; to: MessageId },
  frame: string,
  told: string | undefined,
  evidence: string,
): Message {
  const made = madeMessage(ref, standsFor, frame);
  const parts = [told, evidence].filter((body): body is string => body !== undefined && body !== '').map(text);
  return { ...made, parts: [...made.parts, ...parts] };
}

/** The runs of the cut between pinned units, which stay where they are. */
function runsAround(look: Look, cut: Cut): readonly { start: number; end: number }[] {
  const runs: { start: number; end: number }[] = [];
  for (const unit of cut.units) {
    const pinned = look.slots.slice(unit.start, unit.end).some((slot) => look.isPinned(slot.message.id));
    const before = runs.at(-1);
    if (pinned) continue;
    if (before !== undefined && before.end === unit.start) before.end = unit.end;
    else runs.push({ start: unit.start, end: unit.end });
  }
  return runs;
}

/** What code takes across goes behind the kept messages. Not while a call is in flight: its results must come first. */
function attachmentFor(
  look: Look,
  cut: Cut,
  options: SummarizeHistoryOptions,
  items: readonly CarryItem[],
  spare: number,
  at: number,
): Edit | undefined {
  if (options.attach === false || look.hasOpenCalls || spare < 128 || cut.end >= look.slots.length) return undefined;
  const last = look.slots.at(-1)!;
  if (last.message.role !== 'user' || last.fold !== undefined) return undefined;
  const shown = new Set(look.slots.slice(cut.end).map((slot) => slot.message.id));
  const source = look.behind(look.slots[0]!, last);
  const own = look.hasCarry ? items : derivedFiles(source, shown);
  // Half of what is to spare: the next turns want room too.
  const fitting = fitted(own, Math.floor(Math.min(spare, look.budget.target * 0.25) / 2), look.countText);
  if (fitting.length === 0) return undefined;
  const ref = look.ref(at);
  const made = madeMessage(
    ref,
    { from: last.message.id, to: last.message.id },
    `${attachmentFrame}\n${carriedText(fitting)}`,
  );
  return { type: 'insert', ref, after: look.original(last).id, messages: [made] };
}
