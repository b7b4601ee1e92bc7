import { findPassages, type SearchOptions } from '../search/find-passages.ts';
import { newSearchIndex, type SearchIndex } from '../search/search-index.ts';
import type { Found, Indexed } from '../search/show-passage.ts';
import type { ViewState } from './view-state.ts';

/** Searches all that was said, in one order. Whoever never does pays nothing, and who does pays for what came since. */
export function searchTranscripts(
  states: readonly ViewState[],
  query: string,
  options: number | SearchOptions = {},
): readonly Found[] {
  const given: Indexed[] = [];
  for (const state of states) given.push({ index: readForSearch(state), messages: state.base });
  return findPassages(given, query, typeof options === 'number' ? { limit: options } : options);
}

/** Reads what came since the last search. */
function readForSearch(state: ViewState): SearchIndex {
  state.searched.index ??= newSearchIndex();
  const { index } = state.searched;
  for (const message of state.base.slice(index.messages)) index.add(message);
  return index;
}
