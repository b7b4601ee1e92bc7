import { REPEATABLE } from '../edits/clear-result.ts';
import { type ResultSite, resultsBackwards, toolName } from '../edits/result-sites.ts';
import { type Decision, type Look, nothing } from '../view/look.ts';

/** What the provider is to clear by its own context editing. */
export interface NativeClearOptions {
  readonly mode: 'native';
  /** The newest results that stay; 3 by default. */
  readonly keep?: number;
  /** Nothing is asked for up to so many results; 20 by default. */
  readonly overCount?: number;
  /** The provider clears at least so many tokens or nothing; 1,000 by default: less is not worth its cache break. */
  readonly atLeastTokens?: number;
  /** Results of these tools stay, besides those of all tools whose results cannot be had again. */
  readonly exceptTools?: readonly string[];
}

/**
 * Asks for all but the newest results to be cleared, once there are more than `overCount`. A provider clears anew at every
 * request, so what it is to keep grows with what comes until there are more than `overCount` again: in between, the prefix
 * that it caches stays the same.
 */
export function askProvider(look: Look, options: NativeClearOptions): Decision {
  const { keep = 3, overCount = 20, atLeastTokens = 1_000, exceptTools = [] } = options;
  if (!look.given.wire.nativeEditing || hasCleared(look)) return nothing;
  const sites = [...resultsBackwards(look, 0, look.slots.length)];
  const isCounted = (site: ResultSite): boolean => REPEATABLE.has(site.kind) && !site.cleared;
  const count = sites.filter(isCounted).length;
  if (count <= overCount) return nothing;
  const step = Math.max(1, overCount + 1 - keep);
  const stays = count - Math.floor((count - keep) / step) * step;
  const spared = sites.filter((site) => !REPEATABLE.has(site.kind) || look.isPinned(site.slot.message.id));
  const names = [...new Set([...exceptTools, ...spared.map(toolName)])].sort();
  return {
    edits: [],
    native: [
      {
        type: 'clear-results',
        keep: countUses(sites, isCounted, stays),
        triggerCount: overCount,
        ...(atLeastTokens === 0 ? {} : { atLeastTokens }),
        ...(names.length === 0 ? {} : { exceptTools: names }),
      },
    ],
  };
}

/** The provider counts every use of a tool: how many there are, up to the oldest of the counted ones that stay. */
function countUses(
  newestFirst: readonly ResultSite[],
  isCounted: (site: ResultSite) => boolean,
  stays: number,
): number {
  let left = stays;
  const oldest = newestFirst.findIndex((site) => isCounted(site) && --left === 0);
  return oldest < 0 ? newestFirst.length : oldest + 1;
}

/** Whether this walk has cleared results by itself: then the prefix is new anyway, and one clearing at a time is enough. */
const hasCleared = (look: Look): boolean => {
  const before = new Set(look.shown.slots);
  return look.slots.slice(0, look.fresh).some((slot) => slot.edited !== undefined && !before.has(slot));
};
