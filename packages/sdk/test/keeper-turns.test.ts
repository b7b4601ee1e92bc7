import { afterEveryStep, inOnePiece } from '@palimpsest/testing';
import { describe, expect, it } from 'vitest';
import { createKeeper } from '../src/keeper.ts';
import { body, history } from './conversing.ts';

describe('a keeper that is brought a long history at once', () => {
  it('takes it in and makes its view in slices, to the same bytes', async () => {
    const requests = [body(history(30)), body(history(31)), body([...history(12), { role: 'user', content: 'Back.' }])];
    const loop = afterEveryStep();
    const sliced = createKeeper({ window: 8_000, ports: { loop } });
    const whole = createKeeper({ window: 8_000, ports: { loop: inOnePiece } });
    for (const one of requests) {
      const before = loop.turns;
      const [kept, expected] = [
        (await sliced.keep({ wire: 'anthropic', body: one, id: 'talk' }))!,
        (await whole.keep({ wire: 'anthropic', body: one, id: 'talk' }))!,
      ];
      expect(kept.body).toEqual(expected.body);
      expect(kept.how).toBe(expected.how);
      expect(loop.turns - before).toBeGreaterThan(3);
    }
    expect(loop.turns).toBeGreaterThan(history(30).length);
  });

  it('reads and writes a body message by message, though it has nothing else to do with it', async () => {
    const loop = afterEveryStep();
    const keeper = createKeeper({ window: 1_000_000, ports: { loop } });
    const first = body(history(30));
    await keeper.keep({ wire: 'anthropic', body: first });
    const before = loop.turns;
    const kept = await keeper.keep({ wire: 'anthropic', body: first });
    expect([kept?.how, kept?.changed]).toEqual(['continued', false]);
    // Looked through, read, named, and found again; then looked through, read again and compared.
    expect(loop.turns - before).toBeGreaterThan(history(30).length * 6);
  });

  it('lets the loop turn in between', async () => {
    const keeper = createKeeper({ window: 60_000 });
    let turns = 0;
    const count = (): void => {
      turns++;
      ticking = setImmediate(count);
    };
    let ticking = setImmediate(count);
    const kept = await keeper.keep({ wire: 'anthropic', body: body(history(1_500)) });
    clearImmediate(ticking);
    expect(kept?.changed).toBe(true);
    expect(turns).toBeGreaterThan(3);
  });

  it('finds in the second of two requests what the first one brought, though both wait for their turns', async () => {
    const keeper = createKeeper({ window: 8_000, ports: { loop: afterEveryStep() } });
    const asked = [30, 31, 1].map((rounds) => keeper.keep({ wire: 'anthropic', body: body(history(rounds)) }));
    const [first, second, third] = await Promise.all(asked);
    expect([first?.how, second?.how]).toEqual(['begun', 'continued']);
    expect(second?.id).toBe(first?.id);
    expect(third?.id).not.toBe(first?.id);
  });

  it('takes requests in the order in which they came, and one that is given up on leaves nothing half-done', async () => {
    const keeper = createKeeper({ window: 8_000, ports: { loop: afterEveryStep() } });
    const stop = new AbortController();
    const first = keeper.keep({ wire: 'anthropic', body: body(history(20)), signal: stop.signal });
    const second = keeper.keep({ wire: 'anthropic', body: body(history(21)) });
    await Promise.resolve();
    stop.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    const kept = (await second)!;
    expect(kept.how).toBe('begun');
    expect(kept.session.transcript()).toHaveLength(history(21).length);
    const alone = (await createKeeper({ window: 8_000 }).keep({ wire: 'anthropic', body: body(history(21)) }))!;
    expect(kept.body).toEqual(alone.body);
  });
});
