import { describe, expect, it } from 'vitest';
import {
  estimateText,
  judge,
  type Message,
  requestText,
  SECTIONS,
  type SummaryCase,
  type SummaryTemplate,
  summaryTemplates,
  text,
} from '../src/index.ts';

const said = (words: string): Message => ({ id: 'm1', role: 'user', origin: 'human', parts: [text(words)] });
const matter: SummaryCase = {
  source: [said('Rename the parser, but never touch the migrations folder. '.repeat(40))],
  sourceTokens: 5_000,
  maxTokens: 2_000,
  countText: estimateText,
};
const answerIn = ({ sections }: SummaryTemplate, body = '- (none)'): string =>
  `<summary>\n${sections
    .flatMap(({ name, parts = [] }) => [
      `## ${name}`,
      ...(parts.length > 0 ? parts.map((part) => `### ${part}\n${body}`) : [body]),
    ])
    .join('\n')}\n</summary>`;
const verdictOn = (answer: string, more: Partial<SummaryCase> = {}) =>
  judge({ text: answer, stop: 'end' }, { ...matter, ...more }).type;

describe('the forms of a summary', () => {
  it('are data: nine sections as Claude Code has them, seven headings as OpenCode has them', () => {
    expect(SECTIONS).toEqual([
      'Request and intent',
      'Key concepts',
      'Files and code',
      'Errors and fixes',
      'Problem solving',
      'User messages',
      'Pending tasks',
      'Current work',
      'Next step',
    ]);
    const { sections } = summaryTemplates['open-code'];
    expect(sections.map(({ name }) => name)).toEqual([
      'Goal',
      'Constraints & Preferences',
      'Progress',
      'Key Decisions',
      'Next Steps',
      'Critical Context',
      'Relevant Files',
    ]);
    expect(sections[2]!.parts).toEqual(['Done', 'In Progress', 'Blocked']);
  });

  it('are asked for heading by heading, in order, with an example of the answer', () => {
    for (const template of Object.values(summaryTemplates)) {
      const asked = requestText({ maxTokens: 1_000, template });
      const example = asked.slice(asked.indexOf('An answer looks like this'));
      let at = 0;
      for (const { name, guide, parts = [] } of template.sections) {
        expect(asked).toContain(`## ${name}: ${guide}`);
        for (const line of [`## ${name}`, ...parts.map((part) => `### ${part}`)]) {
          const found = example.indexOf(`${line}\n`, at);
          expect(found).toBeGreaterThanOrEqual(at);
          at = found;
        }
      }
      for (const rule of template.rules) expect(asked).toContain(rule);
      expect(example.includes('<analysis>')).toBe(template.analysis);
      expect(example).toMatch(/<summary>[\s\S]*<\/summary>/);
    }
  });

  it('claude-code: the next step is in line with the latest request, and nothing tangential is taken up without asking', () => {
    const asked = requestText({ maxTokens: 1_000 });
    expect(asked).toMatch(/next step must be in line with what the user asked for most recently/);
    expect(asked).toMatch(/side matters, or old requests[^.]*without asking the user first/);
    expect(asked).toMatch(/literal quote/);
  });

  it('open-code: fixed order, no heading left out, short bullets, exact paths, no word about the summary', () => {
    const asked = requestText({ maxTokens: 1_000, template: summaryTemplates['open-code'] });
    for (const rule of [
      /in this order/,
      /every one of them/,
      /"\(none\)"/,
      /short bullet points/,
      /paths, commands/,
      /Do not talk about the summary/,
    ])
      expect(asked).toMatch(rule);
    expect(asked).not.toContain('<analysis>');
  });
});

describe('the judge', () => {
  it('takes an answer in the form that was asked for, and in no other', () => {
    const [nine, seven] = [summaryTemplates['claude-code'], summaryTemplates['open-code']];
    expect(verdictOn(answerIn(seven), { template: seven })).toBe('accepted');
    expect(verdictOn(answerIn(nine))).toBe('accepted');
    expect(verdictOn(answerIn(seven))).toBe('rejected');
    expect(verdictOn(answerIn(nine), { template: seven })).toBe('rejected');
  });

  it('takes a form of the host’s own, whatever its headings are called', () => {
    const own: SummaryTemplate = {
      sections: [
        { name: 'What (so far)?', guide: 'all' },
        { name: 'C++', guide: 'the code' },
      ],
      rules: [],
      analysis: false,
    };
    expect(verdictOn(answerIn(own), { template: own })).toBe('accepted');
    expect(verdictOn('## C+\nnothing', { template: own })).toBe('rejected');
  });

  it('takes any text for a prompt of the host’s own, but no error, nothing empty, nothing larger than its source', () => {
    const prompt = 'Tell it as a story.';
    expect(verdictOn('Once upon a time the parser was renamed.', { prompt })).toBe('accepted');
    expect(verdictOn('Error: overloaded', { prompt })).toBe('rejected');
    expect(verdictOn('  ', { prompt })).toBe('rejected');
    expect(verdictOn('word '.repeat(6_000), { prompt })).toBe('rejected');
  });

  it('removes quotes that were never said where a form has a section for them', () => {
    const own: SummaryTemplate = {
      sections: [{ name: 'Voices', guide: 'who said what', quotes: true }],
      rules: [],
      analysis: false,
    };
    const lines = [
      '- "never touch the migrations folder"',
      '- "rename the parser, but"',
      '- "delete all of it at once"',
    ];
    const verdict = judge({ text: `## Voices\n${lines.join('\n')}`, stop: 'end' }, { ...matter, template: own });
    expect(verdict).toMatchObject({ type: 'accepted', flagged: ['delete all of it at once'] });
  });

  it('takes 8,812 tokens where 6,000 were asked for and 20,000 are the most', () => {
    const long = answerIn(summaryTemplates['claude-code'], '- word '.repeat(960));
    const tokens = estimateText(long);
    expect(tokens).toBeGreaterThan(8_000);
    const wide = { sourceTokens: 100_000, maxTokens: 6_000 };
    expect(verdictOn(long, wide)).toBe('rejected');
    expect(verdictOn(long, { ...wide, mostTokens: 20_000 })).toBe('accepted');
  });
});

describe('what a request for a summary says', () => {
  it('the recent part only: what is older stays, with the whole conversation in view or without', () => {
    const behind = requestText({ maxTokens: 1_000, scope: 'from', opening: 'now the second matter' });
    expect(behind).toMatch(
      /recent part of the conversation above only: from the message that begins with "now the second matter" to the end/,
    );
    const alone = requestText({ maxTokens: 1_000, scope: 'from' });
    expect(alone).toMatch(/recent part only: the older messages, which you do not see, stay word for word/);
  });

  it('the older part: what is newer stays, with the whole conversation in view or without', () => {
    const behind = requestText({ maxTokens: 1_000, scope: 'up-to', opening: 'so far so good' });
    expect(behind).toMatch(
      /up to and including the message that begins with "so far so good"; what comes after it stays/,
    );
    const alone = requestText({ maxTokens: 1_000, scope: 'up-to' });
    expect(alone).toMatch(/older part: newer messages, which you do not see, stay word for word/);
  });

  it('a prompt of the host’s own stands in place of ours; no tools, size, part and earlier summary are still told', () => {
    const asked = requestText({
      maxTokens: 777,
      prompt: 'Tell it as a story.',
      scope: 'from',
      previous: 'BEFORE',
      instructions: 'mind it',
    });
    for (const words of [
      'Tell it as a story.',
      '777 tokens',
      'recent part only',
      'BEFORE',
      'Mind this in particular: mind it',
    ])
      expect(asked).toContain(words);
    expect(asked).not.toContain('## Request and intent');
    expect(asked.match(/Tools are not available now/g)).toHaveLength(2);
  });
});
