import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { newQuestions, type Questions } from '../src/screen/questions.ts';
import type { PermissionAnswer, PermissionAsk } from '../src/world/permission.ts';
import { eventually } from './support/eventually.ts';

const ASK: PermissionAsk = { tool: 'bash', what: 'npm test', why: 'it runs a command', prefix: 'npm test' };

/** A question that was just asked, and what came of it. */
function askNow(asked = ASK): {
  readonly questions: Questions;
  readonly given: PermissionAnswer[];
  type(text: string): string;
  isReady(): Promise<void>;
} {
  const questions = newQuestions(() => {});
  const given: PermissionAnswer[] = [];
  void questions.ask(asked, new AbortController().signal).then((answer) => given.push(answer));
  return {
    questions,
    given,
    /** Answers with what is not for the question. */
    type: (text) =>
      [...text]
        .flatMap((typed) => questions.press({ typed, key: { name: typed === '\r' ? 'return' : typed } }))
        .map(({ typed }) => typed)
        .join(''),
    isReady: () => eventually(() => questions.open()?.isReady === true),
  };
}

describe('a question on the screen', () => {
  it.each([
    ['y', 'once'],
    ['Y', 'once'],
    ['a', 'always'],
    ['p', 'always-prefix'],
    ['n', 'no'],
  ])('is answered by a key: %s, %s', async (key, answer) => {
    const { given, type, isReady } = askNow();
    await isReady();
    expect(type(key)).toBe('');
    await eventually(() => given.length === 1);
    expect(given).toEqual([answer]);
  });

  it('is not answered by what was typed before it could be read: those keys are typed', async () => {
    const { questions, given, type, isReady } = askNow();
    expect(type('yes\rya')).toBe('yes\rya');
    await isReady();
    await sleep(200);
    expect(given).toEqual([]);
    expect(questions.open()?.asked).toBe(ASK);
  });

  it('is not answered while somebody types on', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { questions, given, type } = askNow();
    for (let i = 0; i < 12; i++) {
      expect(type('y')).toBe('y');
      await vi.advanceTimersByTimeAsync(350);
    }
    expect(given).toEqual([]);
    expect(questions.open()?.isReady).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    expect(questions.open()?.isReady).toBe(true);
  });

  it('is not answered by a word that begins like an answer', async () => {
    const { questions, given, type, isReady } = askNow();
    await isReady();
    expect(type('yarn')).toBe('yarn');
    await sleep(200);
    expect(given).toEqual([]);
    expect(questions.open()).toBeDefined();
  });

  it('is not answered by Enter, by a paste, nor by a key with Alt or Ctrl', async () => {
    const { questions, given, isReady } = askNow();
    for (const pressed of [
      { typed: '\r', key: { name: 'return' } },
      { typed: 'y', key: { name: 'paste' } },
      { typed: 'y', key: { name: 'y', meta: true } },
      { typed: 'a', key: { name: 'a', ctrl: true } },
    ]) {
      await isReady();
      expect(questions.press(pressed)).toEqual([pressed]);
    }
    await sleep(200);
    expect(given).toEqual([]);
  });

  it('has no answer for a beginning where none is offered', async () => {
    const { given, type, isReady } = askNow({ tool: 'bash', what: 'a; b', why: 'x' });
    await isReady();
    expect(type('p')).toBe('p');
    expect(given).toEqual([]);
  });

  it('is declined by Esc at any time', async () => {
    const { questions, given } = askNow();
    questions.press({ typed: undefined, key: { name: 'escape' } });
    await eventually(() => given.length === 1);
    expect(given).toEqual(['no']);
  });

  it('is gone when the step is stopped', async () => {
    const stop = new AbortController();
    const questions = newQuestions(() => {});
    const asked = questions.ask(ASK, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(asked).rejects.toThrow('stopped');
    expect(questions.open()).toBeUndefined();
  });
});
