import { expect, it } from 'vitest';
import { CompactionError, type EditsEntry, type Ledger, type NewMessage, user } from '../../src/index.ts';
import { loadState } from '../../src/walk/load-state.ts';
import { replaceEdit } from '../support/states.ts';
import { countChars } from '../support/walks.ts';

const history: readonly NewMessage[] = [user('x'.repeat(100), 'u'), user('y'.repeat(100), 'v')];
const entry = (walk: number, ref: string, message: string): EditsEntry => ({
  type: 'edits',
  walk,
  layer: 'mine',
  trigger: 'auto',
  edits: [replaceEdit(ref, message)],
  tokensBefore: 200,
  tokensAfter: 199,
  pressed: true,
  over: 100,
  declared: true,
});
const load = (...entries: Ledger['entries']) => loadState(history, { version: 1, entries }, countChars, false);

it('loading a ledger brings back the view, and what its walks came to: those that freed next to nothing are counted', () => {
  const state = load(entry(1, 'e1', 'u'), { type: 'pin', message: 'v' }, entry(2, 'e2', 'v'), {
    type: 'seen',
    count: 2,
  });
  expect(state.sizes.tokens).toBe(2);
  expect([state.walks, state.refs, state.seen, state.ineffective]).toEqual([2, 2, 2, 2]);
  expect([...state.pins]).toEqual(['v']);
});

it('an entry that does not fit is refused by its position, with its cause', () => {
  let thrown: unknown;
  try {
    load({ type: 'seen', count: 1 }, entry(1, 'e1', 'nobody'));
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(CompactionError);
  expect(thrown).toMatchObject({
    code: 'bad-ledger',
    message: expect.stringMatching(/^ledger\.entries\.1: edit e1 names message "nobody"/),
    cause: expect.objectContaining({ message: expect.stringContaining('"nobody"') }),
  });
});
