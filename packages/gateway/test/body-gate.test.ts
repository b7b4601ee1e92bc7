import { afterEach, describe, expect, it, vi } from 'vitest';
import { createBodyGate } from '../src/http/body-gate.ts';

afterEach(() => {
  vi.useRealTimers();
});

const never = new AbortController().signal;

/** A gate for ten bytes at once, and what came in, in order; each is told by `leave` that it is done. */
function newTrial(times: { readonly mostMs?: number } = { mostMs: 60_000 }) {
  const gate = createBodyGate({ smallBytes: 1, mostBytes: 10, ...times });
  const inside: string[] = [];
  const leaves = new Map<string, () => void>();
  const enter = (name: string, bytes: number, signal = never): Promise<void> =>
    gate.enter(bytes, signal).then((leave) => {
      inside.push(name);
      leaves.set(name, leave);
    });
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 5; i++) await Promise.resolve();
  };
  return { enter, inside, leave: (name: string) => leaves.get(name)?.(), settle };
}

describe('large bodies', () => {
  it('are worked on a few at a time, in the order in which they came', async () => {
    const { enter, inside, leave, settle } = newTrial();
    for (const name of ['a', 'b', 'c', 'd']) void enter(name, 5);
    await settle();
    expect(inside).toEqual(['a', 'b']);
    leave('b');
    leave('b');
    await settle();
    expect(inside).toEqual(['a', 'b', 'c']);
    leave('a');
    leave('c');
    await settle();
    expect(inside).toEqual(['a', 'b', 'c', 'd']);
  });

  it('that are larger than all that may be worked on are worked on alone, and nobody overtakes them', async () => {
    const { enter, inside, leave, settle } = newTrial();
    void enter('first', 4);
    void enter('huge', 50);
    void enter('last', 4);
    await settle();
    expect(inside).toEqual(['first']);
    leave('first');
    await settle();
    expect(inside).toEqual(['first', 'huge']);
    leave('huge');
    await settle();
    expect(inside).toEqual(['first', 'huge', 'last']);
  });

  it('hold no small one up', async () => {
    const { enter, inside, settle } = newTrial();
    void enter('huge', 50);
    void enter('waits', 50);
    void enter('small', 1);
    await settle();
    expect(inside).toEqual(['huge', 'small']);
  });

  it('whose client went away leave the line', async () => {
    const { enter, inside, leave, settle } = newTrial();
    const gone = new AbortController();
    void enter('first', 10);
    const given = enter('gone', 10, gone.signal);
    void enter('last', 10);
    gone.abort(new Error('the client went away'));
    await expect(given).rejects.toThrow('the client went away');
    leave('first');
    await settle();
    expect(inside).toEqual(['first', 'last']);
  });

  it('behind one whose client went away come in at once where there is room for them', async () => {
    const { enter, inside, settle } = newTrial();
    const gone = new AbortController();
    void enter('first', 5);
    const given = enter('gone', 10, gone.signal);
    void enter('next', 5);
    gone.abort(new Error('the client went away'));
    await expect(given).rejects.toThrow('the client went away');
    await settle();
    expect(inside).toEqual(['first', 'next']);
  });

  it('that wait for others themselves, a model or a store, keep nobody waiting for ever', async () => {
    vi.useFakeTimers();
    const { enter, inside, settle } = newTrial({ mostMs: 5_000 });
    void enter('slow', 10);
    void enter('next', 10);
    await settle();
    expect(inside).toEqual(['slow']);
    vi.advanceTimersByTime(5_000);
    await settle();
    expect(inside).toEqual(['slow', 'next']);
  });

  it('stay in until they leave where nobody says for how long', async () => {
    vi.useFakeTimers();
    const { enter, inside, leave, settle } = newTrial({});
    void enter('slow', 10);
    void enter('next', 10);
    vi.advanceTimersByTime(10 ** 9);
    await settle();
    expect(inside).toEqual(['slow']);
    leave('slow');
    await settle();
    expect(inside).toEqual(['slow', 'next']);
  });
});
