import { virtualClock } from '@palimpsest/testing';
import { describe, expect, it } from 'vitest';
import { awaitAnswer, wordsOfError } from '../../src/summary/await-answer.ts';

const never = (): Promise<never> => new Promise(() => {});

describe('an answer that is waited for', () => {
  it('comes as it is, from a promise or at once, and leaves no alarm behind', async () => {
    const clock = virtualClock();
    let waits = 0;
    const counting = {
      now: clock.now,
      wait: (ms: number, signal?: AbortSignal) => {
        waits++;
        return clock.wait(ms, signal).finally(() => waits--);
      },
    };
    const left: unknown[] = [];
    const waiting = { clock: counting, limitMs: 10, onLeft: (answer: unknown) => left.push(answer) };
    expect(await awaitAnswer(() => 1, waiting)).toBe(1);
    expect(await awaitAnswer(async () => 2, waiting)).toBe(2);
    await expect(awaitAnswer(() => Promise.reject(new Error('no')), waiting)).rejects.toThrow('no');
    await new Promise((go) => setImmediate(go));
    expect(waits).toBe(0);
    expect(left).toEqual([]);
  });

  it('that is late is left: typed, told, and its signal aborted', async () => {
    const clock = virtualClock();
    const left: unknown[] = [];
    let given: AbortSignal | undefined;
    const answer = awaitAnswer(
      (signal) => {
        given = signal;
        return never();
      },
      { clock, limitMs: 10, onLeft: (open) => left.push(open) },
    );
    await expect(clock.run(answer)).rejects.toMatchObject({ code: 'timed-out' });
    expect(clock.now()).toBe(10);
    expect(left).toHaveLength(1);
    expect(given?.aborted).toBe(true);
  });

  it('is given up on as soon as the signal says so, whatever its reason, also where asking itself aborts', async () => {
    for (const reason of [undefined, 'enough', new Error('enough'), 0]) {
      const stop = new AbortController();
      const ask = (): Promise<never> => {
        stop.abort(reason);
        return never();
      };
      await expect(awaitAnswer(ask, { signal: stop.signal, limitMs: 10 })).rejects.toBe(stop.signal.reason);
      await expect(awaitAnswer(ask, { signal: stop.signal, limitMs: 10 })).rejects.toBe(stop.signal.reason);
    }
  });

  it('fails with a clock that fails', async () => {
    for (const wait of [() => Promise.reject(new Error('no time')), throwAtOnce])
      await expect(awaitAnswer(never, { clock: { now: () => 0, wait }, limitMs: 10 })).rejects.toThrow('no time');
  });

  it('leaves no listener on a signal that outlives it', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    signal.addEventListener = (type: string, listener: never, options: { readonly signal?: AbortSignal }) => {
      listeners++;
      options.signal?.addEventListener('abort', () => listeners--);
      add(type, listener, options);
    };
    for (let i = 0; i < 5; i++) await awaitAnswer(() => i, { signal, limitMs: 10 });
    expect(listeners).toBe(0);
  });
});

const throwAtOnce = (): never => {
  throw new Error('no time');
};

describe('what an error says', () => {
  it('is words whatever was thrown, and not without end', () => {
    expect(wordsOfError(new Error('out of order'))).toBe('out of order');
    expect(wordsOfError('out of order')).toBe('out of order');
    for (const thrown of [undefined, null, 7, '', new Error(''), Object.create(null), { message: 7 }])
      expect(wordsOfError(thrown)).not.toBe('');
    const long = wordsOfError(new Error(`${'x'.repeat(499)}😀${'y'.repeat(99)}`));
    expect(long.length).toBeLessThan(502);
    expect(long).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });
});
