import { describe, expect, it } from 'vitest';
import { assistant, createSession, type SessionOptions, text, user } from '../../src/index.ts';
import { countChars, picture } from '../support/walks.ts';

/** A session of exactly so many tokens. */
const holding = (tokens: number, options: Partial<SessionOptions> = {}) => {
  const session = createSession({ window: 100_000, maxOutput: 10_000, count: countChars, ...options });
  session.append(assistant('x'.repeat(tokens)));
  return session.status();
};

describe('status: how full the window is', () => {
  it('counts tokens, messages, bytes and images, with what is sent besides', () => {
    const session = createSession({ window: 100_000, count: countChars, tools: [] });
    session.append(user([text('look'), picture('p')]));
    const status = session.status();
    expect(status).toMatchObject({ messages: 1, images: 1, measured: false });
    expect(status.tokens).toBeGreaterThan(1_004);
    expect(status.bytes).toBe(40 + 64 + 60 + 2_001 + 2 * 2);
    expect(status).not.toHaveProperty('paused');
  });

  it('is measured once a provider has reported', async () => {
    const session = createSession({ window: 100_000, count: countChars });
    session.append(user('x'.repeat(1_000)));
    await session.view();
    expect(session.status().measured).toBe(false);
    session.observe({ input: 1_100 });
    expect(session.status()).toMatchObject({ measured: true, tokens: 1_100 });
  });

  it('each threshold is passed at its own token', () => {
    const { budget } = holding(1);
    const at = (tokens: number) => {
      const { aboveWarning, aboveError, aboveTrigger, atBlockingLimit } = holding(tokens);
      return [aboveWarning, aboveError, aboveTrigger, atBlockingLimit];
    };
    expect(at(budget.warning - 1)).toEqual([false, false, false, false]);
    expect(at(budget.warning)).toEqual([true, false, false, false]);
    expect(at(budget.error)).toEqual([true, true, false, false]);
    expect(at(budget.trigger)).toEqual([true, true, true, false]);
    expect(at(budget.trigger - 1)).toEqual([true, true, false, false]);
    expect(at(budget.blocking)).toEqual([true, true, true, true]);
    expect(at(budget.blocking - 1)).toEqual([true, true, true, false]);
  });

  it('the percentage left is until the trigger, or until the effective window where nothing is automatic', () => {
    const { budget } = holding(1);
    expect(holding(budget.trigger / 2).percentLeft).toBe(50);
    expect(holding(budget.trigger).percentLeft).toBe(0);
    expect(holding(budget.trigger * 1.1).percentLeft).toBe(0);
    expect(holding(1).percentLeft).toBe(100);
    const off = holding(budget.effective / 4, { switches: { autoDisabled: true } });
    expect(off).toMatchObject({ percentLeft: 75, paused: 'off' });
  });
});
