import { describe, expect, it } from 'vitest';
import { assistant, digest, type Message, user } from '../../src/index.ts';

/** What people say to an agent all day, and what lays down nothing. */
const NOT_RULES = [
  "no, that's horrible.",
  'No, it still fails.',
  'nope, same error',
  'no idea why it does that',
  'No problem, take your time.',
  'no luck so far',
  'Actually it works now.',
  'Hm, that is wrong.',
  "I don't get it.",
  "They don't match the screenshot.",
  'It only fails on CI.',
  'That should work now.',
  'I should look at it myself tomorrow.',
  'We have to wait for the build anyway.',
  'I need to think about it.',
  'The revert broke it.',
  'The server does stop after a while.',
  'I mean, it is fine.',
  'It never happened before the upgrade.',
  'This always crashes on startup.',
  "It shouldn't take long.",
  'I remember that bug.',
  'Looks good to me!',
  'Das funktioniert nicht.',
  'Keine Ahnung, warum.',
  'Ça ne marche pas.',
  'No funciona todavía.',
  'Non funziona ancora.',
  'Не работает.',
  '测试不能通过。',
  'いいえ、大丈夫です。',
  '確認してください。',
  '아니요, 괜찮아요.',
  'Het werkt niet.',
];

const spoken: readonly Message[] = NOT_RULES.flatMap((words, i) => [
  { ...user(words), id: `u${i}`, origin: 'human' as const },
  { ...assistant('I see.'), id: `a${i}`, origin: 'model' as const },
]);

describe('what lays down no rule is not told as one', () => {
  const made = digest(spoken, { maxTokens: 4_000 });

  it.each(NOT_RULES)('%s', (words) => {
    expect(made.evidence.constraints.map((rule) => rule.text)).not.toContain(words);
  });

  it('and stands in the digest all the same, as words', () => {
    expect(made.sections.some((section) => section.name === 'constraints')).toBe(false);
    for (const words of NOT_RULES) expect(made.text).toContain(words);
  });
});
