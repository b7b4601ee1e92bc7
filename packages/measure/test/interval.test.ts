import { describe, expect, it } from 'vitest';
import { drawInterval } from '../src/held/interval.ts';

const share = (held: number, needed: number) => ({ held, needed });

describe('the interval over projects', () => {
  it('is the same in every run', () => {
    const projects = [share(1, 10), share(5, 10), share(9, 10), share(4, 5)];
    expect(drawInterval(projects)).toEqual(drawInterval(projects));
  });

  it('holds the share, and is wider where projects differ more', () => {
    const alike = drawInterval([share(50, 100), share(52, 100), share(48, 100)]);
    const apart = drawInterval([share(10, 100), share(95, 100), share(45, 100)]);
    expect(alike?.low).toBeLessThanOrEqual(0.5);
    expect(alike?.high).toBeGreaterThanOrEqual(0.5);
    expect((apart?.high ?? 0) - (apart?.low ?? 0)).toBeGreaterThan((alike?.high ?? 1) - (alike?.low ?? 0));
  });

  it('cannot be told from one project, nor from projects in which nothing was needed', () => {
    expect(drawInterval([share(1, 2)])).toBeUndefined();
    expect(drawInterval([share(1, 2), share(0, 0)])).toBeUndefined();
  });
});
