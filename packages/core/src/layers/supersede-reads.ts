import { allow, checkOptions } from '../check-options.ts';
import { isReplaceable } from '../edits/clear-result.ts';
import { type EditBatch, newEditBatch } from '../edits/edit-batch.ts';
import { judgeCost } from '../edits/judge-cost.ts';
import { type ResultSite, replaceResult, resultsBackwards } from '../edits/result-sites.ts';
import { type CallPart, type Json, partText } from '../message/message.ts';
import { type ToolKind, toolTargets } from '../message/tool-kinds.ts';
import { supersededNotice, unchangedNotice } from '../notices.ts';
import { share } from '../size/budget.ts';
import { hasCrossed, isAutomatic, type Layer, type Look } from '../view/look.ts';

/** How rarely a warm cache is broken for stale results. */
export interface SupersedeReadsOptions {
  /** Stale results go in batches of at least this many tokens (20,000), so that the cached prefix is broken rarely. */
  readonly batchTokens?: number;
  /** The same as a share of the effective window, where that is less; 0.1 by default. */
  readonly batchFraction?: number;
  /** How many messages back an unchanged re-read is looked for; 200 by default. */
  readonly lookBack?: number;
}

/**
 * Two things that cost nothing to lose. A file read again without change: the fresh result points at the earlier one.
 * A result that newer ones made stale: the older read of a file since read whole or written, the older identical search.
 */
export function supersedeReads(options: SupersedeReadsOptions = {}): Layer {
  checkOptions<SupersedeReadsOptions>('supersedeReads()', options, {
    batchTokens: allow.amount,
    batchFraction: allow.amount,
    lookBack: allow.amount,
  });
  const { batchTokens = 20_000, batchFraction = 0.1, lookBack = 200 } = options;
  return {
    name: 'supersede-reads',
    decide(look) {
      const { budget, cache } = look.given;
      const repeats = findRepeats(look, lookBack);
      const small = replaceStale(look, repeats);
      const minimum = share(budget, batchTokens, batchFraction);
      const pressed = look.over.tokens > 0 || look.over.bytes > 0;
      const due = pressed || cache.state === 'cold' || hasCrossed(look, Math.max(1, minimum));
      if (!due || (!pressed && !isAutomatic(look))) return { edits: small.edits };
      const large = replaceStale(look, [...repeats, ...findStale(look, repeats)]);
      if (large.edits.length === small.edits.length) return { edits: small.edits };
      const { pays, reason } = judgeCost(look, large, minimum);
      return pays ? { edits: large.edits, reason } : { edits: small.edits };
    },
  };
}

interface Stale {
  readonly site: ResultSite;
  readonly notice: (ref: string) => string;
}

function replaceStale(look: Look, stale: readonly Stale[]): EditBatch {
  const batch = newEditBatch(look);
  for (const { site, notice } of stale) {
    batch.add(
      site.slot,
      replaceResult(site, (ref) => [notice(ref)]),
    );
  }
  return batch;
}

const canGiveWay = (look: Look, site: ResultSite): boolean => site.part.isError !== true && isReplaceable(look, site);

/** What a result said before any edit, and how much of it is shown. */
const readWhole = (look: Look, { slot, part, partIndex }: ResultSite): string =>
  partText(look.original(slot).parts[partIndex] ?? part);
const countShown = (site: ResultSite): number => (site.cleared ? 0 : partText(site.part).length);

/** A fresh read, and whether an earlier one in view still says all of it. */
interface FreshRead {
  readonly site: ResultSite;
  readonly call: CallPart;
  isRepeat: boolean;
}

/**
 * Fresh reads that say again what an earlier one in view still says: the nearest with the same call, so many slots back at the
 * most. One pass backwards, in which reads wait for the ones before them.
 */
function findRepeats(look: Look, lookBack: number): readonly Stale[] {
  const reads: FreshRead[] = [];
  const waiting = new Map<string, FreshRead[]>();
  for (const site of resultsBackwards(look, Math.max(0, look.fresh - lookBack), look.slots.length)) {
    if (site.at < look.fresh && waiting.size === 0) break;
    if (site.call === undefined || site.kind !== 'read') continue;
    const key = callKey(site.call);
    const later = waiting.get(key) ?? [];
    // Results of one message came together: none of them is earlier than another.
    const beside = later.filter((one) => one.site.at === site.at);
    for (const one of later) if (one.site.at !== site.at) one.isRepeat = isSaidIn(look, site, one.site, lookBack);
    if (site.at >= look.fresh && canGiveWay(look, site)) {
      const read = { site, call: site.call, isRepeat: false };
      reads.push(read);
      beside.push(read);
    }
    if (beside.length > 0) waiting.set(key, beside);
    else waiting.delete(key);
  }
  return reads.flatMap(({ site, call, isRepeat }): readonly Stale[] => {
    if (!isRepeat) return [];
    const target = toolTargets(call.tool, call.input)[0] ?? 'the file';
    return [{ site, notice: (ref) => unchangedNotice(target, ref, look.given.canRecall) }];
  });
}

const isSaidIn = (look: Look, earlier: ResultSite, site: ResultSite, lookBack: number): boolean =>
  earlier.at >= site.at - lookBack &&
  countShown(earlier) >= countShown(site) &&
  readWhole(look, earlier) === readWhole(look, site);

const siteKey = (site: ResultSite): string => `${site.at}:${site.partIndex}`;

const callKey = (call: CallPart): string => `${call.tool}\n${JSON.stringify(call.input)}`;

/** Results that something newer replaced. A failed call supersedes nothing, nor does one that was itself replaced. */
function findStale(look: Look, repeats: readonly Stale[]): readonly Stale[] {
  const stale: Stale[] = [];
  const renewed = new Set<string>();
  /** Of calls made again whose results were cut, how much of those is shown: an older one that shows no more is stale. */
  const cut = new Map<string, number>();
  const replaced = new Set(repeats.map(({ site }) => siteKey(site)));
  for (const site of resultsBackwards(look, 0, look.slots.length)) {
    if (site.call === undefined || site.part.isError === true || replaced.has(siteKey(site))) continue;
    const { keys, covers, target } = claimsOf(site.call, site.kind);
    const isOutdone = countShown(site) <= (cut.get(callKey(site.call)) ?? -1);
    if (keys.length > 0 && (isOutdone || keys.every((key) => covers(key, renewed))) && canGiveWay(look, site))
      stale.push({ site, notice: (ref) => supersededNotice(target, ref, look.given.canRecall) });
    if (!site.edited || site.kind === 'write' || site.kind === 'edit') for (const key of keys) renewed.add(key);
    else if (!site.cleared) cut.set(callKey(site.call), countShown(site));
    if (site.kind === 'write' || site.kind === 'edit')
      for (const path of toolTargets(site.call.tool, site.call.input)) renewed.add(path);
  }
  return stale;
}

interface Claims {
  /** What the result tells about: a file, a part of a file, a search. */
  readonly keys: readonly string[];
  readonly covers: (key: string, renewed: ReadonlySet<string>) => boolean;
  readonly target: string;
}

function claimsOf(call: CallPart, kind: ToolKind): Claims {
  if (kind === 'read') {
    const paths = toolTargets(call.tool, call.input);
    const range = lineRange(call.input);
    return {
      keys: paths.map((path) => `${path}${range}`),
      // A read of the whole file, or a write, renews every part of it.
      covers: (key, renewed) => renewed.has(key) || renewed.has(key.slice(0, key.length - range.length)),
      target: paths[0] ?? 'a file',
    };
  }
  if (kind === 'grep' || kind === 'glob' || kind === 'web-search')
    return { keys: [callKey(call)], covers: (key, renewed) => renewed.has(key), target: `an identical ${call.tool}` };
  return { keys: [], covers: () => false, target: '' };
}

/** Which part of the file a read asked for; empty for all of it. */
function lineRange(input: Json): string {
  if (typeof input !== 'object' || input === null) return '';
  const bounds = Object.entries(input).filter(([, value]) => typeof value === 'number' || Array.isArray(value));
  const numbers = bounds.filter(([key]) => /offset|limit|line|start|end|range|page/i.test(key));
  return numbers.length === 0 ? '' : `@${JSON.stringify(numbers)}`;
}
