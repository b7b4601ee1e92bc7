import type { Edit, FoldEdit, Message, NewMessage } from '../../src/index.ts';
import { text } from '../../src/index.ts';
import { appendMessage, newViewState, type ViewState } from '../../src/view/view-state.ts';
import { countChars } from './walks.ts';

/** A transcript with its view, nothing decided yet; characters count as tokens unless another counter is stated. */
export function stateOf(history: readonly NewMessage[], count: (message: Message) => number = countChars): ViewState {
  const state = newViewState(count);
  for (const message of history) appendMessage(state, message);
  return state;
}

/** A message by Palimpsest itself. */
export const note = (id: string, body: string): Message => ({
  id,
  role: 'user',
  origin: 'palimpsest',
  parts: [text(body)],
});

export const replaceEdit = (ref: string, message: string, excerpt = '-', part = 0): Edit => ({
  type: 'replace',
  ref,
  message,
  part,
  excerpt: [excerpt],
});

export const foldEdit = (ref: string, from: string, to: string, more: Partial<FoldEdit> = {}): FoldEdit => ({
  type: 'fold',
  ref,
  from,
  to,
  messages: [note(`n-${ref}`, '-')],
  hides: { messages: 1, bytes: 1 },
  ...more,
});

export const insertEdit = (ref: string, after: string, body = '+'): Edit => ({
  type: 'insert',
  ref,
  after,
  messages: [note(`n-${ref}`, body)],
});
