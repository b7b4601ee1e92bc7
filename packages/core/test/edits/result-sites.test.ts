import { describe, expect, it } from 'vitest';
import { hasMedia, toolName } from '../../src/edits/result-sites.ts';
import {
  assistant,
  call,
  type Look,
  type Message,
  type NewMessage,
  reasoning,
  result,
  results,
  type Slot,
  text,
  user,
} from '../../src/index.ts';
import { resultsBackwards } from '../support/edits.ts';
import { looking, picture, round } from '../support/walks.ts';

const found = (history: readonly NewMessage[]): readonly string[] =>
  looking(history, (look) =>
    [...resultsBackwards(look, 0, look.slots.length)].map(
      (site) => `${site.part.callId} ${toolName(site)} ${site.kind}`,
    ),
  );
/** A list of messages that no session would let in, as a layer of somebody else might meet it. */
const lookOf = (...messages: readonly NewMessage[]): Look =>
  ({
    slots: messages.map((message, i): Slot => {
      return { message: message as Message, tokens: 1, bytes: 1, images: 0, first: i, last: i };
    }),
  }) as unknown as Look;
const sitesOf = (look: Look, end = look.slots.length) =>
  [...resultsBackwards(look, 0, end)].map((site) => [toolName(site), site.kind, site.call?.input]);

describe('a result and the call it answers', () => {
  it('is found across other results and words between, and never in an earlier round', () => {
    const history = [
      user('go', 'u1'),
      ...round('x', 'grep', { pattern: 'a' }, 'first'),
      assistant([reasoning('hm'), call('x', 'bash', { command: 'x' }), call('y', 'read', { path: 'a' })], 'a1'),
      results([result('x', 'one')], 'r1'),
      user('typed meanwhile', 'u2'),
      results([result('y', 'two')], 'r2'),
    ];
    expect(found(history)).toEqual(['y read read', 'x bash shell', 'x grep grep']);
  });

  it('of a call that is not there, is a result of some tool', () => {
    expect(sitesOf(lookOf(results([result('x', 'out')])))).toEqual([['tool', 'other', undefined]]);
    const other = lookOf(assistant([call('y', 'bash')]), results([result('x', 'out')]));
    expect(sitesOf(other)).toEqual([['tool', 'other', undefined]]);
    const first = lookOf(assistant([call('x', 'bash', 1)]), results([result('x', 'out')]));
    expect(sitesOf(first)).toEqual([['bash', 'shell', 1]]);
    expect(sitesOf(first, 5)).toEqual([['bash', 'shell', 1]]);
  });

  it('of two calls with one id answers the first', () => {
    const twice = lookOf(assistant([call('x', 'bash', 1), call('x', 'read', 2)]), results([result('x', 'out')]));
    expect(sitesOf(twice)).toEqual([['bash', 'shell', 1]]);
  });

  it('is looked for in messages of the user only', () => {
    expect(sitesOf(lookOf(assistant([call('x', 'bash')]), assistant([result('x', 'said by the model')])))).toEqual([]);
  });
});

it('media is a picture or a document, or a result that holds one', () => {
  expect(hasMedia(picture('p'))).toBe(true);
  expect(hasMedia(result('x', [text('so'), picture('p')]))).toBe(true);
  expect(hasMedia(result('x', [text('so')]))).toBe(false);
  for (const part of [text('so'), call('x', 'bash'), reasoning('hm')]) expect(hasMedia(part)).toBe(false);
});
