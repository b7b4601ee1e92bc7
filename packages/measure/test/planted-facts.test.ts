import { describe, expect, it } from 'vitest';
import { readMessage } from '../src/digest/message-text.ts';
import { plantFacts, scoreFacts } from '../src/digest/planted-facts.ts';
import { FACT_FORMS } from '../src/digest/planted-forms.ts';

const { messages, facts } = plantFacts({ files: 70, seed: 3 });
const texts = messages.map(readMessage);

describe('planted facts', () => {
  it('stand in exactly one message each, in every form, read by both ways', () => {
    expect(facts).toHaveLength(70);
    expect(FACT_FORMS.length).toBeGreaterThanOrEqual(10);
    expect(new Set(facts.map(({ form }) => form)).size).toBe(FACT_FORMS.length);
    expect(new Set(facts.map(({ readBy }) => readBy)).size).toBe(2);
    for (const fact of facts) expect(texts.filter((text) => text.includes(fact.text))).toHaveLength(1);
  });

  it('are all in the whole past, none in an empty text, and not in a text with other values', () => {
    const whole = texts.join('\n');
    expect(scoreFacts(facts, whole)).toBe(1);
    expect(scoreFacts(facts, '')).toBe(0);
    // They fit where they are asked for: 80 characters a file.
    expect(facts.map(({ text }) => text).join('\n').length).toBeLessThan(70 * 80);
    expect(scoreFacts(facts, whole.replaceAll(/\d{3,4}/g, '0'))).toBe(0);
  });

  it('are the same for the same seed, and others for another', () => {
    expect(plantFacts({ files: 70, seed: 3 })).toEqual({ messages, facts });
    expect(plantFacts({ files: 70, seed: 4 }).facts).not.toEqual(facts);
  });
});
