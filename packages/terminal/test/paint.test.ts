import { describe, expect, it } from 'vitest';
import { paintFor, wantsColour } from '../src/paint.ts';

describe('colour', () => {
  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ CI: 'true' }, false, false],
    [{ TERM: 'dumb' }, true, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, false, false],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  ])('with %j, terminal %s: %s', (env, isTerminal, wanted) => {
    expect(wantsColour(env, isTerminal)).toBe(wanted);
  });

  it('is put on or left away as a whole', () => {
    expect(paintFor({ FORCE_COLOR: '1' }, false).red('x')).toBe('\u001b[31mx\u001b[39m');
    expect(paintFor({}, false).red('x')).toBe('x');
  });
});
