import type { SummaryTemplate } from '../view/summary-template.ts';

const FREE_FORM = 'Put the summary between <summary> and </summary>.';

const PLAIN_FORM =
  'Write it between <summary> and </summary>, as plain bullet points or short paragraphs: what the user wants, what was decided and why, what was found out, which files matter, what is open, what comes next.';

/** How much form is asked for, as `SummaryAsk` has it. */
interface Shape {
  readonly plain?: boolean;
  readonly updates?: boolean;
}

/** What an answer is to look like. */
export function wordShape(template: SummaryTemplate, asked: Shape): readonly string[] {
  if (template.sections.length === 0) return [FREE_FORM];
  if (asked.plain === true) return [PLAIN_FORM];
  if (template.itemised !== true) return wordForm(template);
  return asked.updates === true ? wordChanges(template) : wordStatements(template);
}

/** The headings with what goes under them, the rules, and what an answer looks like. */
function wordForm({ sections, rules, analysis }: SummaryTemplate): readonly string[] {
  const lines = [
    `${analysis ? 'First think it through between <analysis> and </analysis>, going through the messages in order. Then write' : 'Write'} the summary between <summary> and </summary>, with exactly these headings, in English, each as a line that begins with "## ", none left out:`,
    ...sections.flatMap(({ name, guide, parts = [] }) => [
      `## ${name}: ${guide}`,
      ...parts.map((part) => `### ${part}`),
    ]),
    ...rules.map((rule) => `- ${rule}`),
    '',
    'An answer looks like this, with your own text where the brackets are:',
    ...(analysis
      ? ['<analysis>', '[message by message: what was wanted, what was done, what came of it]', '</analysis>']
      : []),
    '<summary>',
    ...sections.flatMap(({ name, parts = [], quotes }) => [
      `## ${name}`,
      ...(parts.length > 0
        ? parts.flatMap((part) => [`### ${part}`, '- […]'])
        : [quotes === true ? '- "[…]"' : '- […]']),
    ]),
    '</summary>',
  ];
  return lines;
}

const FROM_EXAMPLE = '| from: "[…]"';

const FROM_RULE =
  'End each with | from: and, in quotation marks, five to ten words copied letter by letter from the message that it comes from, so that the place can be found.';

const listSections = ({ sections }: SummaryTemplate): readonly string[] =>
  sections.map(({ name, guide }) => `## ${name}: ${guide}`);

/** Statements under headings, each with words that prove it. */
const wordStatements = (template: SummaryTemplate): readonly string[] => [
  'Write the summary between <summary> and </summary>, as bullet points under these headings, in English, each heading as a line that begins with "## "; one that has nothing to tell is left out:',
  ...listSections(template),
  ...template.rules.map((rule) => `- ${rule}`),
  `- ${FROM_RULE}`,
  '',
  'An answer looks like this, with your own text where the brackets are:',
  '<summary>',
  ...template.sections.flatMap(({ name }) => [`## ${name}`, `- […] ${FROM_EXAMPLE}`]),
  '</summary>',
];

/** Only what changes: the statements that stand have numbers. */
const wordChanges = (template: SummaryTemplate): readonly string[] => [
  'There is an earlier summary already, made of numbered statements ([s1], [s2] and so on). They stay as they are, word for word, unless you say otherwise: do not repeat them, and do not write the summary anew. Write between <summary> and </summary> only what has changed since, as bullet points under these headings, in English, each heading as a line that begins with "## "; one under which nothing changes is left out:',
  ...listSections(template),
  ...template.rules.map((rule) => `- ${rule}`),
  '- What is new is a bullet of its own.',
  '- A statement that has to be said differently: "change", its number, a colon, and the whole statement as it is now.',
  '- A statement that is no longer true, or is done with: "retire" and its number.',
  `- ${FROM_RULE}`,
  '- Where nothing has changed, write: No changes.',
  '',
  'An answer looks like this, with your own text and numbers where the brackets are:',
  '<summary>',
  ...template.sections.flatMap(({ name }) => [
    `## ${name}`,
    `- […] ${FROM_EXAMPLE}`,
    `- change s[…]: […] ${FROM_EXAMPLE}`,
    `- retire s[…] ${FROM_EXAMPLE}`,
  ]),
  '</summary>',
];
