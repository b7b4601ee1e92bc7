/** One heading of a summary, and what is to stand under it. */
export interface SummarySection {
  readonly name: string;
  /** In words for the model that writes it. */
  readonly guide: string;
  /** Headings below this one, in order. */
  readonly parts?: readonly string[];
  /** The user's own words stand there in quotation marks: the judge holds them against what was said. */
  readonly quotes?: boolean;
  /** Of a form of statements: only what was said last stands here; what stood here before is retired by it. */
  readonly latest?: boolean;
  /** Of a form of statements: where a statement without a heading goes. The first section by default. */
  readonly general?: boolean;
}

/** The form of a summary, as data: what the request asks for, and what the judge then wants to see. */
export interface SummaryTemplate {
  /** In this order. None: the answer has no headings, and any text will do. */
  readonly sections: readonly SummarySection[];
  /** What holds for the whole summary, a sentence each. */
  readonly rules: readonly string[];
  /** Whether the model thinks it through first, in a scratch analysis that is thrown away. */
  readonly analysis: boolean;
  /**
   * The summary is made of numbered statements: the next one is asked for what changes, and what it does not name stays word
   * for word. False by default: each summary is written whole.
   */
  readonly itemised?: boolean;
}

/** Nine sections behind a scratch analysis, as Claude Code has them. */
const nineSections: SummaryTemplate = {
  analysis: true,
  sections: [
    { name: 'Request and intent', guide: 'what the user wants, in full, with every condition that still holds' },
    { name: 'Key concepts', guide: 'technologies, patterns and decisions the work rests on' },
    { name: 'Files and code', guide: 'each file that matters, why, and the lines that matter in it' },
    {
      name: 'Errors and fixes',
      guide: 'what went wrong, the exact message, how it was solved, what the user said about it',
    },
    { name: 'Problem solving', guide: 'what is solved and what is still being looked for' },
    {
      name: 'User messages',
      guide: 'everything the user said, each message in quotation marks and word for word; no results of tools',
      quotes: true,
    },
    { name: 'Pending tasks', guide: 'only what was asked for and is not done; finished tasks do not appear' },
    { name: 'Current work', guide: 'what was being done in the very last messages, with file names' },
    { name: 'Next step', guide: 'the one step that follows, with a literal quote of the words it follows from' },
  ],
  rules: [
    'The next step must be in line with what the user asked for most recently and with the work that was under way because of it. Where that work is finished, name a next step only if the user has asked for it in so many words.',
    'Do not propose to take up side matters, or old requests that were dealt with long ago, without asking the user first.',
  ],
};

/** Seven headings with terse bullets, as OpenCode has them. */
const sevenHeadings: SummaryTemplate = {
  analysis: false,
  sections: [
    { name: 'Goal', guide: 'what the user is after, in a sentence' },
    { name: 'Constraints & Preferences', guide: 'what the user demands, forbids or prefers' },
    {
      name: 'Progress',
      guide: 'what is finished, what is being worked on, and what stands in the way',
      parts: ['Done', 'In Progress', 'Blocked'],
    },
    { name: 'Key Decisions', guide: 'what was decided, and why' },
    { name: 'Next Steps', guide: 'what comes next, in order' },
    { name: 'Critical Context', guide: 'facts, errors and open questions that the work cannot do without' },
    { name: 'Relevant Files', guide: 'each path that matters, and why' },
  ],
  rules: [
    'Keep the headings in this order, and keep every one of them: under one that has nothing to tell write "(none)".',
    'Write short bullet points, no paragraphs.',
    'Give paths, commands, error messages and names exactly as they are.',
    'Do not talk about the summary itself, or about the conversation having been shortened.',
  ],
};

/** Numbered statements under six headings: ours. What the user said, files, commands and errors are by code beside it. */
const statements: SummaryTemplate = {
  analysis: false,
  itemised: true,
  sections: [
    { name: 'Goal', guide: 'what the user is after, and the conditions that still hold' },
    { name: 'Decisions', guide: 'what was decided and why, and what was tried and given up' },
    {
      name: 'Facts',
      guide:
        'what was found out and should not have to be found out again: names with their values, errors with file, line and cause, how something behaves',
      general: true,
    },
    { name: 'Code', guide: 'each file that matters: what is in it that matters, and what was changed in it' },
    { name: 'Open', guide: 'what was asked for and is not done, what stands in the way, what is in doubt' },
    {
      name: 'Now',
      guide:
        'what was being done in the very last messages, and the step that follows from what the user asked for last',
      latest: true,
    },
  ],
  rules: [
    'One statement to a bullet, whole in itself: a name together with its value, an error with its file and line, a decision with its reason.',
    'Leave out what the user said word for word, lists of files and lists of commands: these are kept besides.',
    'Take up no side matter and no old request that was dealt with.',
  ],
};

/** The ready forms: two by the agents that they are taken from, and ours. */
export const summaryTemplates = {
  'claude-code': nineSections,
  'open-code': sevenHeadings,
  statements,
} as const satisfies Readonly<Record<string, SummaryTemplate>>;

/** For options that name a form. */
export type SummaryTemplateName = keyof typeof summaryTemplates;

/** For a prompt of the host's own that states no form. */
export const freeTemplate: SummaryTemplate = { sections: [], rules: [], analysis: false };
