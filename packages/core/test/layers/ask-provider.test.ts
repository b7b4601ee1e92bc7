import { describe, expect, it } from 'vitest';
import { assistant, clearIdleResults, clearOldResults, type Message, type NewMessage, user } from '../../src/index.ts';
import { bodies, decided, round, walkWith } from '../support/walks.ts';

const output = 'row of output\n'.repeat(60);
const rounds = (n: number, tool = 'bash'): readonly NewMessage[] =>
  Array.from({ length: n }, (_, i) =>
    round(`${tool}${i}`, tool, tool === 'bash' ? { command: `n ${i}` } : { q: i }, output),
  ).flat();
const cleared = (view: readonly Message[]): number => bodies(view).filter((body) => body.includes('cleared')).length;

describe('clear-old-results by the provider', () => {
  const wire = { reasoning: 'free' as const, nativeEditing: true };

  it('native: messages are left alone and the wire is asked, where it can', () => {
    const history = [user('go'), ...rounds(30)];
    const layer = clearOldResults({ mode: 'native', keep: 3, exceptTools: ['skill'] });
    const asked = walkWith(history, [layer], { wire });
    expect(asked.native).toEqual([
      { type: 'clear-results', keep: 12, triggerCount: 20, atLeastTokens: 1_000, exceptTools: ['skill'] },
    ]);
    expect(asked.view).toEqual(walkWith(history, []).view);
    expect(walkWith(history, [layer]).native).toEqual([]);
  });

  it('more than 20 results that can be asked for again are needed, and three stay by default', () => {
    const native = (n: number, more = {}, tool = 'bash') =>
      walkWith([user('go'), ...rounds(n, tool)], [clearOldResults({ mode: 'native', ...more })], { wire }).native;
    expect(native(20)).toEqual([]);
    expect(native(21)).toEqual([{ type: 'clear-results', keep: 3, triggerCount: 20, atLeastTokens: 1_000 }]);
    expect(native(21, {}, 'mcp__db__query')).toEqual([]);
    expect(native(3, { overCount: 2, keep: 1, atLeastTokens: 0 })).toEqual([
      { type: 'clear-results', keep: 1, triggerCount: 2 },
    ]);
    expect(native(2, { overCount: 2 })).toEqual([]);
  });

  it('CC49 CC50: what is cleared changes once in 18 results: in between, so many more are kept as have come', () => {
    const clearedAt = (n: number): number => {
      const [edit] = walkWith([user('go'), ...rounds(n)], [clearOldResults({ mode: 'native' })], { wire }).native;
      return edit === undefined ? 0 : n - edit.keep;
    };
    expect(clearedAt(20)).toBe(0);
    for (let n = 21; n <= 38; n++) expect(clearedAt(n)).toBe(18);
    for (let n = 39; n <= 56; n++) expect(clearedAt(n)).toBe(36);
  });

  it('CC51: tools whose results cannot be had again are named as exceptions, and those of pinned results', () => {
    const skilled = [user('go'), ...rounds(2, 'skill'), ...rounds(19), ...round('r', 'read', { path: 'a' }, output)];
    const history = [...skilled, ...round('g', 'grep', { pattern: 'a' }, output)];
    const layer = clearOldResults({ mode: 'native', exceptTools: ['mine'] });
    const native = (ledger = decided()) => walkWith(history, [layer], { wire, ledger }).native;
    expect(native()).toMatchObject([{ keep: 3, exceptTools: ['mine', 'skill'] }]);
    expect(native(decided({ pins: ['r-r'] }))).toMatchObject([{ exceptTools: ['mine', 'read', 'skill'] }]);
  });

  it('CC46: where results were cleared after a pause, the provider is not asked in that view; cleared ones do not count', () => {
    const history = [user('go'), ...rounds(25).map((message) => ({ ...message, at: 1_000 })), user('back')];
    const layers = [clearIdleResults(), clearOldResults({ mode: 'native' })];
    const seen = decided({ seen: history.length - 1 });
    const idle = walkWith(history, layers, { wire, ledger: seen, now: 9_000_000 });
    expect(cleared(idle.view)).toBe(20);
    expect(idle.native).toEqual([]);
    const next = walkWith([...history, assistant('yes'), user('on')], layers, { wire, ledger: idle.ledger });
    expect(next.native).toEqual([]);
    expect(walkWith(history, layers, { wire, ledger: seen }).native).toHaveLength(1);
    // Also where more than 20 are left: one clearing at a time.
    const many = [clearIdleResults({ keep: 22 }), clearOldResults({ mode: 'native' })];
    const few = walkWith(history, many, { wire, ledger: seen, now: 9_000_000 });
    expect(cleared(few.view)).toBe(3);
    expect(few.native).toEqual([]);
  });
});
