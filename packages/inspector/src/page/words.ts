import type { Kind, State } from '../model/inspection.ts';

/** What the page calls things. */
export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  system: 'system and host text',
  tools: 'tool definitions',
  user: 'user',
  assistant: 'assistant',
  calls: 'tool calls',
  results: 'tool results',
  summaries: 'summaries and notices',
  carried: 'carried over',
};

export const STATE_WORDS: Readonly<Record<State, string>> = {
  unsaid: 'not yet said',
  whole: 'whole',
  excerpt: 'excerpt',
  folded: 'folded into a summary',
  hidden: 'hidden',
  recalled: 'recalled',
};

const LAYER_WORDS: Readonly<Record<string, string>> = {
  'cap-results': 'A result above the limit keeps its head and its tail.',
  'stash-large-results': 'A very large result was stored beside the transcript; a preview stands in its place.',
  'supersede-reads': 'The same file was read again or changed later: only the newest reading stays.',
  'clear-old-results': 'An old tool result gave way to a notice; its call stays.',
  'clear-idle-results': 'After a pause the cache was cold anyway, so old results went.',
  'drop-old-reasoning': 'Reasoning of earlier turns went; providers ignore it.',
  'strip-old-media': 'An old image gave way to a marker.',
  'strip-refused-media': 'The provider refused this image.',
  'collapse-spans': 'A finished span of work was folded into one line.',
  'snip-middle': 'The middle was snipped, with a notice in its place.',
  'summarize-history': 'History gave way to a summary.',
  'drop-oldest-rounds': 'The last resort: the oldest rounds went, nothing else could.',
  'push-recall': 'Passages that the request asks about were brought back.',
};

/** Why a layer takes what it takes, in a sentence. */
export const describeLayer = (layer: string): string => {
  const known = LAYER_WORDS[layer];
  if (known !== undefined) return known;
  if (layer.endsWith(': summary')) return 'The agent put a summary in the place of its history.';
  if (layer.endsWith(': clear')) return 'The agent blanked the result.';
  if (layer.endsWith(': snapshot')) return 'The agent put a new history in the place of the old one.';
  return '';
};
