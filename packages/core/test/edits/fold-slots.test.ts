import { describe, expect, it } from 'vitest';
import { countBehind } from '../../src/edits/fold-slots.ts';
import {
  assistant,
  bytesOf,
  foldSlots,
  joinUnits,
  type Message,
  makeMessage,
  type NewMessage,
  text,
  unitsOf,
  user,
} from '../../src/index.ts';
import { foldEdit } from '../support/states.ts';
import { looking, round, walkWith } from '../support/walks.ts';

const history: readonly NewMessage[] = [
  user('first words', 'u1'),
  ...round('x', 'bash', { command: 'x' }, 'output'),
  user('second words', 'u2'),
  assistant('answer', 'a1'),
];

describe('a fold of whole units', () => {
  const foldOf = (from: number, to: number, told = {}) =>
    looking(
      history,
      (look) => {
        const span = joinUnits(unitsOf(look.slots).slice(from, to))!;
        return {
          fold: foldSlots(look, span, 'e7', (standsFor) => [makeMessage('e7', standsFor, 'gone')]),
          behind: countBehind(span),
        };
      },
      told,
    );

  it('names both ends, and tells how many messages and bytes it takes out of view', () => {
    const { fold, behind } = foldOf(0, 2);
    expect(fold).toMatchObject({ type: 'fold', ref: 'e7', from: 'u1', to: 'r-x' });
    const bytes = history.slice(0, 3).reduce((sum, message) => sum + bytesOf(message as Message), 0);
    expect(fold.hides).toEqual({ messages: 3, bytes });
    expect(fold.messages).toEqual([
      {
        id: 'palimpsest/e7',
        role: 'user',
        origin: 'palimpsest',
        parts: [text('gone')],
        standsFor: { from: 'u1', to: 'r-x' },
      },
    ]);
    expect(behind).toBe(3);
  });

  it('counts what an earlier fold hid as standing behind it, and not as hidden again', () => {
    const layer = { name: 'mine', decide: () => ({ edits: [foldEdit('e1', 'u1', 'r-x')] }) };
    const { ledger } = walkWith(history, [layer]);
    const { fold, behind } = foldOf(0, 2, { ledger });
    expect(fold).toMatchObject({ from: 'u1', to: 'u2' });
    expect(fold.hides).toEqual({ messages: 1, bytes: bytesOf(history[3] as Message) });
    expect(behind).toBe(4);
  });
});

it('a made message that stands for nothing does not say so', () => {
  expect(makeMessage('e1', undefined, 'words')).not.toHaveProperty('standsFor');
});
