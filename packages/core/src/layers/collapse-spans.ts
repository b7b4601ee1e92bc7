import { allow, checkOptions } from '../check-options.ts';
import { countBehind, makeMessage } from '../edits/fold-slots.ts';
import { goneTokens, hideAround, isAllKept, splitAround } from '../edits/hide-around.ts';
import type { Edit } from '../ledger/edit.ts';
import { text } from '../message/message.ts';
import { collapsedFrame } from '../notices.ts';
import { share, targetForMessages } from '../size/budget.ts';
import { hasCrossed, type Layer, type Look, nothing } from '../view/look.ts';
import { readKept } from '../view/read-kept.ts';
import type { Slot } from '../view/slot.ts';
import { lastTurns } from '../view/turns.ts';
import { type Unit, unitsOf } from '../view/units.ts';

/** When old spans collapse, and how far. */
export interface CollapseSpansOptions {
  /** From this share of the effective window on, old spans collapse: 0.9 by default; at the trigger in any case. */
  readonly from?: number;
  /** A span is at least so large, or this share of the effective window where that is less: 8,000 and 0.08. */
  readonly spanTokens?: number;
  readonly spanFraction?: number;
  /** What is left of a span, as a share of it; 0.15 by default. */
  readonly keep?: number;
  /**
   * From this share of the effective window on, no view goes out before something has collapsed: spans of any size, those that
   * collapsed before with them, and all but the last turn. Never by default.
   */
  readonly blockAt?: number;
  /**
   * `spares-a-call`: only where a model would be asked for the summary, and only where it makes that needless. A single digest of
   * all holds more than several of spans at the same size. `always` by default.
   */
  readonly when?: 'always' | 'spares-a-call';
  /** False: only where the user's switch (`PALIMPSEST_COLLAPSE`) says so. The switch counts before it; true by default. */
  readonly enabled?: boolean;
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
  checkOptions<CollapseSpansOptions>('collapseSpans()', options, {
    from: allow.amount,
    spanTokens: allow.amount,
    spanFraction: allow.amount,
    keep: allow.share,
    blockAt: allow.amount,
    when: allow.oneOf('always', 'spares-a-call'),
    enabled: allow.boolean,
    most: allow.amount,
  });
  const { from = 0.9, spanTokens = 8_000, spanFraction = 0.08, keep = 0.15, most = 0.3 } = options;
  const { blockAt = Infinity, enabled = true, when = 'always' } = options;
  return {
    name: 'collapse-spans',
    decide(look) {
      const { budget, asked, trigger } = look.given;
      // A summary that is drafted is paid for.
      const isWorth = when === 'always' || (look.given.can.has('summary') && look.drafts.length === 0);
      if (!isCollapsing(look, enabled && isWorth)) return nothing;
      const isBlocked = budget.trigger !== Infinity && look.tokens >= budget.effective * blockAt;
      // Before the trigger it is thought about at every per cent of the way, not at every call.
      const due =
        look.tokens >= budget.effective * from &&
        budget.trigger !== Infinity &&
        hasCrossed(look, Math.max(1, budget.effective * 0.01));
      if (asked.form !== undefined || trigger === 'manual' || (!due && !isBlocked && look.over.tokens === 0))
        return nothing;
      const least = share(budget, spanTokens, spanFraction);
      const goal = Math.max(look.over.tokens, look.tokens - budget.target);
      const room = targetForMessages(budget);
      const allowance = isBlocked ? room : room * most - collapsedTokens(look);
      const units = unitsOf(look.slots);
      const { edits, freed } = collapse(look, listSpans(look, units, least, isBlocked), keep, goal, allowance);
      // Where the summary is written all the same, it holds more than digests of spans beside it.
      const isInVain = when === 'spares-a-call' && budget.collapse === undefined && freed < goal;
      return isInVain ? nothing : { edits };
    },
  };
}

/** Whether old spans collapse: as the user's switch says, else as the layer does. */
export const isCollapsing = (look: Look, enabled: boolean): boolean => look.given.budget.collapse ?? enabled;

const collapsedTokens = (look: Look): number =>
  look.slots.reduce((sum, slot) => sum + (slot.summary?.of === 'span' ? slot.tokens : 0), 0);

function collapse(
  look: Look,
  spans: Iterable<readonly Unit[]>,
  keep: number,
  goal: number,
  allowance: number,
): { readonly edits: readonly Edit[]; readonly freed: number } {
  const edits: Edit[] = [];
  let freed = 0;
  let spent = 0;
  for (const units of spans) {
    if (freed >= goal || allowance - spent < LEAST_DIGEST * 2) break;
    const hiding = splitAround(look, units);
    const [first, last] = [hiding.runs[0], hiding.runs.at(-1)];
    if (first === undefined || last === undefined) continue;
    const kept = readKept(look.slots, hiding);
    const gone = goneTokens(hiding);
    const room = Math.min(Math.floor(gone * keep), allowance - spent - LEAST_DIGEST);
    const { text: body } = look.digest(first.first.first, last.last.last, Math.max(LEAST_DIGEST, room), kept);
    const count = hiding.runs.reduce((sum, run) => sum + countBehind(run), 0);
    const about = { ...(hiding.runs.length > 1 ? { from: look.original(first.first).id } : {}) };
    const hidden = hideAround(
      look,
      hiding,
      () => ({ of: 'span', by: 'digest', ...about }),
      (ref, standsFor) => {
        const made = makeMessage(ref, standsFor, collapsedFrame(count, ref, look.given.canRecall));
        return [body === '' ? made : { ...made, parts: [...made.parts, text(body)] }];
      },
      edits.length,
    );
    if (hidden.made >= hidden.gone || spent + hidden.made > allowance) continue;
    edits.push(...hidden.edits);
    freed += hidden.gone - hidden.made;
    spent += hidden.made;
  }
  return { edits, freed };
}

/**
 * Old runs of whole units, oldest first, each of at least `least` tokens, without pins, summaries or the last two turns.
 * Where something must go (`all`), smaller ones too, together with spans that collapsed before, up to the last turn.
 */
function* listSpans(look: Look, units: readonly Unit[], least: number, all: boolean): Generator<readonly Unit[]> {
  const turns = lastTurns(look.slots, all ? 1 : 2);
  // One endless turn must not shield everything: then the newest third of the view is left alone.
  const end = turns > 0 ? turns : Math.floor(look.slots.length * (2 / 3));
  const isBarred = ({ summary, message }: Slot): boolean =>
    (all ? summary?.of === 'history' : summary !== undefined) || look.isPinned(message.id);
  let run: Unit[] = [];
  let tokens = 0;
  for (const unit of units) {
    const barred = unit.end > end || unit.slots.some(isBarred);
    if (!barred) {
      run.push(unit);
      // Text of users in between stays, and counts for nothing.
      if (!isAllKept(look, unit)) tokens += unit.tokens;
    }
    if (!barred && tokens < least) continue;
    if (tokens > 0 && (tokens >= least || all)) yield run;
    run = [];
    tokens = 0;
  }
}
