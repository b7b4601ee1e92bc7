import { describe, expect, it } from 'vitest';
import { assistant, bytesOf, call, type NewMessage, result, results, text, user } from '../../src/index.ts';
import { appendMessage, findClosing, messagesToSend, newestTime } from '../../src/view/view-state.ts';
import { stateOf } from '../support/states.ts';
import { idsOf, picture } from '../support/walks.ts';

describe('a transcript grows message by message', () => {
  it('each gets a place, a slot and its sizes, and what was unsaid is closed before the next answer', () => {
    const state = stateOf([user([text('four'), picture('p')], 'u'), assistant('answer', 'a')]);
    expect(state.places).toEqual(
      new Map([
        ['u', 0],
        ['a', 1],
      ]),
    );
    expect(state.slots).toMatchObject([
      { first: 0, last: 0, tokens: 1_004, images: 1 },
      { first: 1, last: 1, tokens: 6, images: 0 },
    ]);
    expect(state.sizes).toEqual({
      tokens: 1_010,
      images: 1,
      bytes: bytesOf(state.base[0]!) + bytesOf(state.base[1]!),
    });
  });

  it('what is no message is refused, and changes nothing', () => {
    const state = stateOf([user('go', 'u')]);
    const refused = {
      code: 'empty-message',
      message: 'message "m2": a message needs a role and a list of parts. Nothing was appended.',
    };
    for (const broken of [undefined, null, {}, { role: 'user', parts: 'words' }])
      expect(() => appendMessage(state, broken as unknown as NewMessage)).toThrow(expect.objectContaining(refused));
    expect(state.transcript).toHaveLength(1);
  });

  it('what JSON cannot hold is refused by the message’s id, in arguments and in foreign blocks; nothing else is looked at', () => {
    const state = stateOf([user('go', 'u')]);
    const round: Record<string, unknown> = {};
    round.self = round;
    const native = (block: unknown) => ({ type: 'native', wire: 'w', block }) as never;
    for (const bad of [round, 12n, () => 1]) {
      expect(() => appendMessage(state, assistant([call('x', 'bash', bad as never)], 'bad'))).toThrow(
        expect.objectContaining({
          code: 'not-json',
          messageId: 'bad',
          message: expect.stringMatching(
            /^message "bad" holds what JSON cannot at parts\.0\.input.*Nothing was recorded\.$/s,
          ),
        }),
      );
      expect(() => appendMessage(state, assistant([text('so'), native(bad)], 'bad'))).toThrow(
        expect.objectContaining({
          code: 'not-json',
          messageId: 'bad',
          message: expect.stringMatching(
            /^message "bad" holds what JSON cannot at parts\.1\.block.*Nothing was recorded\.$/s,
          ),
        }),
      );
    }
    expect(() => appendMessage(state, assistant([native(round)]))).toThrow(
      expect.objectContaining({ code: 'not-json', messageId: 'm2' }),
    );
    expect(state.transcript).toHaveLength(1);
    appendMessage(state, assistant([native({ fine: true }), call('x', 'bash', { fine: [1] })], 'fine'));
    expect(state.transcript).toHaveLength(2);
  });

  it('broken histories are refused, or mended where that was asked for', () => {
    const orphan = results([result('nowhere', 'lost')], 'r');
    const state = stateOf([user('go', 'u')]);
    expect(() => appendMessage(state, orphan)).toThrow(expect.objectContaining({ code: 'orphan-result' }));
    expect(state.base).toHaveLength(1);
    expect(appendMessage(state, orphan, 'mend').problems).toHaveLength(1);
    expect(state.base).toHaveLength(2);
  });

  it('calls in flight are closed in what is sent, not in the transcript', () => {
    const flying = stateOf([
      user('go', 'u'),
      assistant([call('x', 'bash'), call('y', 'bash')], 'c'),
      results([result('x', 'ok')], 'r'),
    ]);
    expect(idsOf(messagesToSend(flying, flying.slots))).toEqual(['u', 'c', 'r', 'c/unanswered']);
    expect(findClosing(flying)!.parts).toHaveLength(1);
    expect(flying.base).toHaveLength(3);
    const still = stateOf([user('go', 'u')]);
    expect(findClosing(still)).toBeUndefined();
    expect(idsOf(messagesToSend(still, still.slots))).toEqual(['u']);
  });

  it('the newest message’s time is the time of the transcript', () => {
    expect(newestTime(stateOf([5, 7, 9].map((at) => ({ ...user('a'), at }))))).toBe(9);
    expect(newestTime(stateOf([{ ...user('a'), at: 5 }, user('b')]))).toBeUndefined();
    expect(newestTime(stateOf([]))).toBeUndefined();
  });
});
