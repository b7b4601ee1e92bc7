import { describe, expect, it } from 'vitest';
import { clearIdleResults, type Message, type NewMessage, text, user } from '../../src/index.ts';
import { bodies, decided, editsOf, entriesOf, picture, round, walkWith } from '../support/walks.ts';

const output = 'row of output\n'.repeat(60);
const rounds = (n: number, tool = 'bash'): readonly NewMessage[] =>
  Array.from({ length: n }, (_, i) =>
    round(`${tool}${i}`, tool, tool === 'bash' ? { command: `n ${i}` } : { q: i }, output),
  ).flat();
const cleared = (view: readonly Message[]): number => bodies(view).filter((body) => body.includes('cleared')).length;
const at = 1_000_000;
const timed = (messages: readonly NewMessage[]): readonly NewMessage[] =>
  messages.map((message) => ({ ...message, at }));
const hour = 60 * 60_000;

describe('clear-idle-results: after a long pause the cache is cold anyway, so old results go', () => {
  it('idle: after more than 60 minutes all but the newest results go, and at least one stays', () => {
    const history = [user('go'), ...timed(rounds(8)), user('back')];
    const later = (minutes: number) => ({ now: at + minutes * 60_000 });
    expect(cleared(walkWith(history, [clearIdleResults({ keep: 3 })], later(61)).view)).toBe(5);
    expect(cleared(walkWith(history, [clearIdleResults({ keep: 3 })], later(60)).view)).toBe(0);
    expect(cleared(walkWith(history, [clearIdleResults({ keep: 0 })], later(61)).view)).toBe(7);
  });

  it('five stay by default, the newest; the rest are named by their tool and their reference; calls stay', () => {
    const made = walkWith([user('go'), ...timed(rounds(8)), user('back')], [clearIdleResults()], {
      now: at + hour + 1,
    });
    expect(bodies(made.view)).toEqual([
      '[bash result cleared; recall e3]',
      '[bash result cleared; recall e2]',
      '[bash result cleared; recall e1]',
      ...Array.from({ length: 5 }, () => output),
    ]);
    expect(made.view.filter((message) => message.role === 'assistant')).toHaveLength(8);
    expect(entriesOf(made)).toMatchObject([{ layer: 'clear-idle-results', pressed: false }]);
  });

  it('the pause is counted from the last answer of the model, to the millisecond', () => {
    const history = [user('go'), ...timed(rounds(8)), { ...user('back'), at: at + 2 * hour }];
    const after = (ms: number, idleMs?: number) =>
      cleared(walkWith(history, [clearIdleResults(idleMs === undefined ? {} : { idleMs })], { now: at + ms }).view);
    expect(after(hour)).toBe(0);
    expect(after(hour + 1)).toBe(3);
    expect(after(5_000, 5_000)).toBe(0);
    expect(after(5_001, 5_000)).toBe(3);
    // Without a clock the newest message's own time counts.
    expect(cleared(walkWith(history, [clearIdleResults()]).view)).toBe(3);
  });

  it('without times nothing counts as idle', () => {
    const now = at + 100 * hour;
    expect(editsOf(walkWith([user('go'), ...rounds(8), user('back')], [clearIdleResults()], { now }))).toEqual([]);
    expect(editsOf(walkWith([user('go'), ...timed(rounds(8)), user('back')], [clearIdleResults()]))).toEqual([]);
    expect(editsOf(walkWith([{ ...user('go'), at }, user('back')], [clearIdleResults()], { now }))).toEqual([]);
  });

  it('with nothing new to send there is nothing to save', () => {
    const history = [user('go'), ...timed(rounds(8)), user('back')];
    const told = { now: at + 2 * hour, ledger: decided({ seen: history.length }) };
    expect(editsOf(walkWith(history, [clearIdleResults()], told))).toEqual([]);
    expect(editsOf(walkWith(history, [clearIdleResults()], { ...told, ledger: decided({ seen: 17 }) }))).toHaveLength(
      3,
    );
  });

  it('what cannot be asked for again neither goes nor counts; nor do pictures and pins', () => {
    const history = [
      user('go'),
      ...timed([
        ...rounds(3),
        ...round('pic', 'bash', { command: 'shot' }, [text(output), picture('shot.png')]),
        ...rounds(4, 'mcp__db__query'),
      ]),
      user('back'),
    ];
    const made = (pins: readonly string[]) =>
      bodies(
        walkWith(history, [clearIdleResults({ keep: 1 })], { now: at + 2 * hour, ledger: decided({ pins }) }).view,
      ).map((body) => body.includes('cleared'));
    const rest = Array.from({ length: 5 }, () => false);
    expect(made([])).toEqual([true, true, false, ...rest]);
    expect(made(['r-bash0'])).toEqual([false, true, false, ...rest]);
  });
});
