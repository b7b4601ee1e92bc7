import { assistant, createSession, partText, type Status, user } from '@palimpsest/core';
import { paintFor } from '@palimpsest/terminal';
import { expect, it } from 'vitest';
import { contextLeft, statusLine } from '../src/printing/context-lines.ts';

/** What stands at the bottom of the screen, with its colour, of a session of so many tokens. */
const shownAt = (tokens: number): string => {
  const session = createSession({ window: 200_000, count: ({ parts }) => parts.map(partText).join('').length });
  // What a conversation begins with counts against the window, and not against what compaction may free.
  session.append(user('x'));
  session.append(assistant('x'.repeat(tokens - 1)));
  return contextLeft(session.status(), paintFor({ FORCE_COLOR: '1' }, true));
};
const colourOf = (line: string): string => line.split('m')[0]!.slice(-2);

it('the bottom of the screen reads the states of the session: percent left, in the colour of warning and error', () => {
  const { budget }: Status = createSession({ window: 200_000 }).status();
  expect(shownAt(budget.trigger / 2)).toContain('50% context left');
  expect(shownAt(budget.trigger)).toContain('0% context left');
  const [calm, warned, alarmed] = [budget.warning - 100, budget.error - 1, budget.error + 100].map((tokens) =>
    colourOf(shownAt(tokens)),
  );
  expect(calm).toBe('32');
  expect(alarmed).toBe('31');
  if (budget.error > budget.warning) expect(warned).toBe('33');
});

it('the bottom of the screen tells what the session has cost, where that is known, before what matters less', () => {
  const status = createSession({ window: 200_000 }).status();
  const line = (cost: number, columns: number): string =>
    statusLine(status, { model: 'm', cost }, paintFor({}, false), columns);
  expect(line(0.4123, 90)).toContain(' · m · $0.412 · about 0 tokens, compacts at ');
  expect(line(0, 90)).not.toContain('$');
  expect(line(0.4123, 40)).toBe(' 100% context left · m · $0.412 · /help');
});

it('after /undo the bottom of the screen says whether compaction waits, or the view is too large for that', () => {
  const status: Status = { ...createSession({ window: 200_000 }).status(), paused: 'undone' };
  const paint = paintFor({}, false);
  expect(contextLeft({ ...status, atBlockingLimit: false }, paint)).toContain('(compaction waits after /undo)');
  expect(contextLeft({ ...status, atBlockingLimit: true }, paint)).toContain(
    '(too large: your next prompt compacts it)',
  );
});
