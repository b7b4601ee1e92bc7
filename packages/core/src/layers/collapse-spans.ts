import { countBehind, foldOver, madeMessage } from '../edits/fold-slots.ts';
import type { FoldEdit } from '../ledger/edit.ts';
import { text } from '../message/message.ts';
import { collapsedFrame } from '../notices.ts';
import { share } from '../size/budget.ts';
import { crossed, type Layer, type Look, nothing } from '../view/look.ts';
import { lastTurns, type Unit, unitsOf } from '../view/units.ts';

/** When old spans collapse, and how far. */
export interface CollapseSpansOptions {
  /** From this share of the effective window on, old spans collapse: 0.9 by default; at the trigger in any case. */
  readonly from?: number;
  /** A span is at least so large, or this share of the effective window where that is less: 8,000 and 0.08. */
  readonly spanTokens?: number;
  readonly spanFraction?: number;
  /** What is left of a span, as a share of it; 0.15 by default. */
  readonly keep?: number;
  /** Collapsed spans together may take this share of the target (0.3); beyond it, one summary of all is better. */
  readonly most?: number;
}

/** A digest below this says too little to be worth its place. */
const LEAST_DIGEST = 64;

/**
 * Finer than one summary: several old spans of whole turns give way to digests of their own, each with its reference. Runs
 * before the summary, so where it is enough no summary is written.
 */
export function collapseSpans(options: CollapseSpansOptions = {}): Layer {
  const { from = 0.9, spanTokens = 8_000, spanFraction = 0.08, keep = 0.15, most = 0.3 } = options;
  return {
    name: 'collapse-spans',
    decide(look) {
      // Before the trigger it is thought about at every per cent of the way, not at every call.
      const due =
        look.tokens >= look.budget.effective * from &&
        look.budget.trigger !== Infinity &&
        crossed(look, Math.max(1, look.budget.effective * 0.01));
      if (look.asked.form !== undefined || look.trigger === 'manual' || (!due && look.over.tokens === 0))
        return nothing;
      const least = share(look.budget, spanTokens, spanFraction);
      const goal = Math.max(look.over.tokens, look.tokens - look.budget.target);
      const allowance = look.budget.target * most - collapsedTokens(look);
      return { edits: collapse(look, least, keep, goal, allowance) };
    },
  };
}

const collapsedTokens = (look: Look): number =>
  look.slots.reduce((sum, slot) => sum + (slot.summary?.of === 'span' ? slot.tokens : 0), 0);

function collapse(look: Look, least: number, keep: number, goal: number, allowance: number): readonly FoldEdit[] {
  const edits: FoldEdit[] = [];
  let freed = 0;
  let spent = 0;
  for (const run of spansOf(look, least)) {
    if (freed >= goal || allowance - spent < LEAST_DIGEST * 2) break;
    const tokens = run.reduce((sum, unit) => sum + unit.tokens, 0);
    const from = look.slots[run[0]!.start]!;
    const to = look.slots[run.at(-1)!.end - 1]!;
    const ref = look.ref(edits.length);
    const digest = look.digest(
      from.first,
      to.last,
      Math.max(LEAST_DIGEST, Math.min(Math.floor(tokens * keep), allowance - spent - LEAST_DIGEST)),
    );
    const fold = foldOver(look, from, to, ref, (standsFor) => {
      const made = madeMessage(ref, standsFor, collapsedFrame(countBehind(from, to), ref));
      return [digest.text === '' ? made : { ...made, parts: [...made.parts, text(digest.text)] }];
    });
    const left = look.count(fold.messages[0]!);
    if (left >= tokens || spent + left > allowance) continue;
    edits.push({ ...fold, summary: { of: 'span', by: 'digest' } });
    freed += tokens - left;
    spent += left;
  }
  return edits;
}

/** Old runs of whole units, oldest first, each of at least `least` tokens, without pins, summaries or the last two turns. */
function* spansOf(look: Look, least: number): Generator<readonly Unit[]> {
  const units = unitsOf(look.slots);
  const turns = lastTurns(look.slots, 2);
  // One endless turn must not shield everything: then the newest third of the view is left alone.
  const end = turns > 0 ? turns : Math.floor(look.slots.length * (2 / 3));
  let run: Unit[] = [];
  let tokens = 0;
  for (const unit of units) {
    const slots = look.slots.slice(unit.start, unit.end);
    const barred = unit.end > end || slots.some((slot) => slot.summary !== undefined || look.isPinned(slot.message.id));
    if (!barred) {
      run.push(unit);
      tokens += unit.tokens;
    }
    if (barred || tokens >= least) {
      if (tokens >= least) yield run;
      run = [];
      tokens = 0;
    }
  }
}
