import { describe, expect, it } from 'vitest';
import { scoreEvidence, writeDialogue } from '../src/digest/dialogue.ts';
import { readMessage } from '../src/digest/message-text.ts';

const { messages, questions } = writeDialogue(3);
const texts = messages.map(readMessage);

describe('a made-up dialogue', () => {
  it('has questions whose evidence is a turn of it, from both people', () => {
    expect(questions.length).toBeGreaterThan(50);
    for (const { evidence } of questions) for (const turn of evidence) expect(texts).toContain(turn);
    expect(new Set(messages.map(({ role }) => role)).size).toBe(2);
    expect(writeDialogue(3)).toEqual({ messages, questions });
    expect(writeDialogue(4).questions).not.toEqual(questions);
  });

  it('has all evidence in its whole text and none in an empty one', () => {
    expect(scoreEvidence(questions, texts.join('\n'))).toBe(1);
    expect(scoreEvidence(questions, '')).toBe(0);
    expect(scoreEvidence(questions, texts.slice(-texts.length / 4).join('\n'))).toBeLessThan(0.5);
  });

  it('wants most words of a turn in one line', () => {
    const asked = [{ text: 'What?', evidence: ['Ines bought a blue kayak for 713 euros'] }];
    expect(scoreEvidence(asked, '> ines bought a blue kayak for 713 euros')).toBe(1);
    expect(scoreEvidence(asked, 'ines bought a\nblue kayak for 713 euros')).toBe(0);
  });
});
