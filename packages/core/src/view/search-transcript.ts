import { type Found, findPassages, type SearchOptions } from '../search/find-passages.ts';
import { newSearchIndex } from '../search/search-index.ts';
import type { ViewState } from './view-state.ts';

/** Searches all that was said. Whoever never does pays nothing, and who does pays for what came since. */
export function searchTranscript(state: ViewState, query: string, options: SearchOptions): readonly Found[] {
  const { base, searched } = state;
  searched.index ??= newSearchIndex();
  for (const message of base.slice(searched.index.messages)) searched.index.add(message);
  return findPassages(searched.index, base, query, options);
}
