import { cutWords, hookRoom } from '../../edits/cut-words.ts';
import type { SummaryMark } from '../../ledger/edit.ts';
import type { DraftFact, Fact } from '../../ledger/ledger.ts';
import { partText } from '../../message/message.ts';
import { share } from '../../size/budget.ts';
import { cutHead } from '../../text.ts';
import type { Look } from '../../view/look.ts';
import type { Need } from '../../view/need.ts';
import type { SummarizeHistoryOptions } from './summary-options.ts';
import { findSummarySpan, messagesIn, type SummarySpan } from './summary-span.ts';

const NARRATIVE_SHARE = 0.1;
const EVIDENCE_SHARE = 0.08;

/** The tokens that the model's part of a summary and the evidence beside it may take. */
export const roomsFor = (look: Look, options: SummarizeHistoryOptions): { narrative: number; evidence: number } => ({
  narrative: Math.max(64, share(look.given.budget, options.narrativeTokens ?? 6_000, NARRATIVE_SHARE)),
  evidence: Math.max(64, share(look.given.budget, options.evidenceTokens ?? 6_000, EVIDENCE_SHARE)),
});

/** The keys of facts name what they are about, so that a fact for another span is never taken. */
const keyOf = (kind: string, span: SummarySpan, more = ''): string =>
  `${kind}:${span.from}:${span.to}:${span.previous?.ref ?? ''}:${more}`;

/** What the hooks say to a summary, if there are any: a need until they were heard. */
export function hearHooks(
  { given }: Look,
  span: SummarySpan,
): { readonly need?: Need; readonly veto?: string; readonly instructions?: string } {
  const asked = given.asked.instructions === undefined ? {} : { instructions: given.asked.instructions };
  if (!given.can.has('hooks')) return asked;
  const key = keyOf('hooks', span);
  const fact = given.facts.get(key);
  if (fact === undefined) return { need: { type: 'hooks', key, trigger: given.trigger, ...asked } };
  if (fact.type !== 'hooked') return asked;
  const hooked = cutWords(fact.instructions ?? '', hookRoom(given.budget), given.countText);
  const words = [asked.instructions, hooked].filter((one) => one !== undefined && one !== '').join('\n');
  return {
    ...(fact.veto === undefined ? {} : { veto: fact.veto }),
    ...(words === '' ? {} : { instructions: words }),
  };
}

/** What a summary tells besides the evidence, and by whom it is; a need until the model has written it. */
export interface Narrative {
  readonly need?: Need;
  readonly by: SummaryMark['by'];
  readonly fact?: Extract<Fact, { type: 'summary' }>;
}

/** The narrative of a span: a draft's, the model's, or none, and then the digest is all. */
export function findNarrative(
  look: Look,
  span: SummarySpan,
  options: SummarizeHistoryOptions,
  draft: DraftFact | undefined,
  instructions: string | undefined,
): Narrative {
  // A draft that was written without what a hook wants minded now would lose it.
  if (draft !== undefined && draft.instructions === instructions) return { by: 'draft', fact: draft.fact };
  if (!look.given.can.has('summary') || options.model === 'off') return { by: 'digest' };
  const key = keyOf('summary', span, instructions ?? '');
  const fact = look.given.facts.get(key);
  if (fact?.type === 'summary') return { by: 'model', fact };
  if (fact !== undefined) return { by: 'digest' };
  return { by: 'model', need: askForSummary(look, span, key, roomsFor(look, options).narrative, instructions) };
}

function askForSummary(
  look: Look,
  span: SummarySpan,
  key: string,
  maxTokens: number,
  instructions: string | undefined,
): Need {
  const messages = messagesIn(span);
  const end = span.last.last;
  const lastShown = look.shown.slots.findLast((slot) => slot.last <= end)?.message ?? messages.at(-1);
  const opening = cutHead((lastShown?.parts ?? []).map(partText).join(' '), 80);
  return {
    type: 'summary',
    key,
    span: messages,
    live: look.shown.slots.map((slot) => slot.message),
    liveTokens: look.shown.tokens,
    maxTokens,
    to: span.to,
    ...(span.previous === undefined ? {} : { after: span.previous.ref }),
    source: look.behind(span.first, { ...span.last, last: span.reach }),
    sourceTokens: span.tokens,
    // A call in flight cannot be sent: then the span goes alone.
    ...(span.start === 0 && opening !== '' && !look.hasOpenCalls ? { upTo: opening } : {}),
    ...(span.previous?.narrative === undefined ? {} : { previous: span.previous.narrative }),
    ...(instructions === undefined ? {} : { instructions }),
  };
}

/** The newest draft whose prefix still stands, where what remains behind it is small enough. */
export function findDraft(
  look: Look,
  options: SummarizeHistoryOptions,
): { readonly span: SummarySpan; readonly draft: DraftFact } | undefined {
  const { asked } = look.given;
  if (asked.form !== undefined || asked.instructions !== undefined) return undefined;
  for (const draft of look.drafts.toReversed()) {
    const span = findSummarySpan(look, options, draft.upTo);
    if (span === undefined || span.to !== draft.upTo || span.previous?.ref !== draft.after) continue;
    const rooms = roomsFor(look, options);
    if (span.tokens - rooms.narrative - rooms.evidence >= look.over.tokens * 0.6) return { span, draft };
  }
  return undefined;
}
