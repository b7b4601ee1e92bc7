import { describe, expect, it } from 'vitest';
import { CANARY_AUTHORS, CANARY_TYPES, type Canary, plantCanaries, scoreCanaries } from '../src/digest/canaries.ts';
import { readMessage } from '../src/digest/message-text.ts';

const { messages, canaries } = plantCanaries(3);
const texts = messages.map(readMessage);
const whole = texts.join('\n');
const updated = canaries.filter(({ old }) => old !== undefined);

describe('typed canaries', () => {
  it('come in every type from every author, and sixteen change', () => {
    for (const type of CANARY_TYPES)
      for (const author of CANARY_AUTHORS)
        expect(canaries.some((one) => one.type === type && one.author === author && one.old === undefined)).toBe(true);
    expect(updated).toHaveLength(16);
    for (const { value, old = '' } of updated)
      expect(texts.findLastIndex((text) => text.includes(value))).toBeGreaterThan(
        texts.findIndex((text) => text.includes(old)),
      );
    expect(plantCanaries(3)).toEqual({ messages, canaries });
  });

  it('are all kept by the whole past, which shows every replaced value as if it were current', () => {
    expect(scoreCanaries(canaries, whole)).toEqual({ kept: 1, stale: 1, onlyOld: 0 });
    expect(scoreCanaries(canaries, '')).toEqual({ kept: 0, stale: 0, onlyOld: 0 });
  });

  it('are not kept without the words that matter, nor by the replaced value', () => {
    const rule: Canary = { type: 'rule', author: 'user', words: ['amber', 'never'], value: '4172' };
    expect(scoreCanaries([rule], 'Never restart the amber ledger while 4172 runs').kept).toBe(1);
    expect(scoreCanaries([rule], 'restart the amber ledger while 4172 runs').kept).toBe(0);
    expect(scoreCanaries([rule], `amber ${'-'.repeat(300)} never 4172`).kept).toBe(0);
    expect(scoreCanaries(updated, texts.slice(0, texts.length / 2).join('\n')).kept).toBe(0);
  });

  it('are stale only where nothing marks the replaced value as old', () => {
    const moved: Canary = { type: 'fact', author: 'user', words: ['amber'], value: '5120', old: '4172' };
    const staleIn = (text: string): number => scoreCanaries([moved], text).stale;
    expect(staleIn('amber runs on node-4172\n\nWe moved amber to node-5120')).toBe(1);
    expect(scoreCanaries([moved], 'amber runs on node-4172').onlyOld).toBe(1);
    expect(staleIn('amber: not 4172 but 5120')).toBe(0);
    expect(staleIn('amber runs on node-4172 (superseded)')).toBe(0);
    expect(staleIn('## Replaced values\namber 4172')).toBe(0);
    expect(staleIn('amber runs on node-5120')).toBe(0);
  });
});
