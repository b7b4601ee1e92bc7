import type { EditsEntry, Fact } from '../ledger/ledger.ts';
import { payback } from '../size/cost.ts';
import type { Ability, Circumstances } from '../view/circumstances.ts';
import { listHidden } from '../view/list-hidden.ts';
import { type Receipt, receiptOf } from '../view/receipt.ts';
import { messagesToSend } from '../view/view-state.ts';
import type { Walk } from '../walk/walk.ts';
import { layersNow, stateCircumstances } from './circumstances-now.ts';
import { budgetForAsked, describeState } from './compact-session.ts';
import type { Preview } from './preview-types.ts';
import { checkPreviewOptions } from './session-rules.ts';
import { measureNow, type SessionState, waysToSettle } from './session-state.ts';
import type { PreviewRequest } from './session-types.ts';
import { settleNeeds } from './settle.ts';
import { walkSession } from './walk-session.ts';

/**
 * What `compact()` would do, by the same walk. Nothing is recorded and nobody is told; of the ports only `carry` is asked,
 * which lists what the host has at hand.
 */
export async function previewCompaction(session: SessionState, request: PreviewRequest): Promise<Preview> {
  checkPreviewOptions(request);
  const { trigger = 'manual', now, signal, ...asked } = request;
  const budget = budgetForAsked(session);
  const given = stateCircumstances(session, budget, trigger, asked, now);
  const { made, facts } = await walkAlone(session, given, signal);
  const tokensBefore = measureNow(session);
  const receipt = receiptBefore(session, made);
  return {
    tokensBefore,
    tokensAfter: made.tokens,
    layers: made.visits
      .filter(({ edits }) => edits > 0)
      .map(({ layer, edits, tokensBefore: from, tokensAfter: to }) => ({
        layer,
        edits,
        tokensBefore: from,
        tokensAfter: to,
      })),
    items: listHidden(session.view, session.view, made.entries, session.originals),
    ...(receipt === undefined ? {} : { receipt }),
    messages: messagesToSend(session.view, made.view.slots),
    money: priceWalk(session, made, given),
    asks: listAsked(session, facts, made),
    plan: { trigger, asked, ...(now === undefined ? {} : { now }), state: describeState(session) },
  };
}

/** The walk, with what can be had without asking anybody for anything that costs or acts. */
function walkAlone(session: SessionState, given: Circumstances, signal: AbortSignal | undefined) {
  const { carry, clock } = session.ports;
  const make = (facts: ReadonlyMap<string, Fact>): Walk =>
    walkSession(session, layersNow(session), { ...given, facts });
  const ports = { ...(carry === undefined ? {} : { carry }), ...(clock === undefined ? {} : { clock }) };
  const { countText, owed } = waysToSettle(session);
  return settleNeeds(make, ports, { countText, owed, signal });
}

function receiptBefore({ originals }: SessionState, { entries }: Walk): Receipt | undefined {
  const [first, ...others] = entries;
  if (first === undefined) return undefined;
  const { summary, ...receipt } = receiptOf([first, ...others], originals);
  if (summary === undefined) return receipt;
  // Nobody has failed: nobody was asked.
  const { failure: _, ...known } = summary;
  return { ...receipt, summary: known };
}

/** The needs that a walk of ours leaves open; a hook behind a summary too. */
function listAsked({ ports }: SessionState, facts: ReadonlyMap<string, Fact>, { entries }: Walk): readonly Ability[] {
  const open = [...facts.values()].flatMap((fact) => (fact.type === 'failed' ? [fact.need as Ability] : []));
  const isHeard = ports.hooks?.after !== undefined && entries.some(hasSummary);
  return [...new Set([...open, ...(isHeard ? (['hooks'] as const) : [])])];
}

const hasSummary = ({ edits }: EditsEntry): boolean =>
  edits.some((edit) => edit.type === 'fold' && edit.summary?.of === 'history');

/** What the change costs and saves: what stands behind the first difference must be written into the cache anew. */
function priceWalk({ view }: SessionState, made: Walk, { cache }: Circumstances): Preview['money'] {
  const first = made.view.slots.findIndex(({ message }, at) => message !== view.slots[at]?.message);
  const behind = first < 0 ? 0 : made.view.slots.slice(first).reduce((sum, slot) => sum + slot.tokens, 0);
  const { ratio } = view.meter;
  const freed = Math.max(0, Math.round((view.sizes.tokens - made.view.sizes.tokens) * ratio));
  const { pays: _, ...money } = payback(cache, { freed, behind: Math.round(behind * ratio) });
  return money;
}
