import { findPassages, type SearchOptions } from '../search/find-passages.ts';
import { newSearchIndex, type SearchIndex } from '../search/search-index.ts';
import type { Found, Indexed } from '../search/show-passage.ts';
import { inSteps, newStride, type Steps } from '../steps.ts';
import type { ViewState } from './view-state.ts';

/** Searches all that was said, in one order. Whoever never does pays nothing, and who does pays for what came since. */
export const searchTranscripts: (
  states: readonly ViewState[],
  query: string,
  options?: number | SearchOptions,
) => readonly Found[] = inSteps(stepsOfSearch);

/** The same in steps. What is said meanwhile may be missing. */
export function* stepsOfSearch(
  states: readonly ViewState[],
  query: string,
  options: number | SearchOptions = {},
): Steps<readonly Found[]> {
  const given: Indexed[] = [];
  for (const state of states) given.push({ index: yield* readForSearch(state), messages: state.base });
  return yield* findPassages(given, query, typeof options === 'number' ? { limit: options } : options);
}

/** So many messages are read in one step. */
const READ_AT_ONCE = 8;

/** Reads what came since the last search. Somebody else may search, and read on, between two steps. */
export function* readForSearch(state: ViewState): Steps<SearchIndex> {
  state.searched.index ??= newSearchIndex();
  const { index } = state.searched;
  const isStop = newStride(READ_AT_ONCE);
  for (;;) {
    const next = state.base[index.messages];
    if (next === undefined) return index;
    index.add(next);
    if (isStop()) yield;
  }
}
