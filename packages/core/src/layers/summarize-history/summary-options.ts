import { allow, checkOptions, type OptionRule } from '../../check-options.ts';
import { isFields } from '../../json.ts';
import { type SummaryTemplate, type SummaryTemplateName, summaryTemplates } from '../../view/summary-template.ts';

/** How much stays as it is, how long the summary of the rest may be, and what it looks like. */
export interface SummarizeHistoryOptions {
  /**
   * The tail that stays: so many turns (2), within clamp(fraction of the effective window, least, most) tokens
   * (0.25, 2,000, 8,000). With 0 turns all is summarized; only messages that are asked for by their number stay then.
   */
  readonly tailTurns?: number;
  readonly tailFraction?: number;
  readonly tailLeast?: number;
  readonly tailMost?: number;
  /** Whether the newest message, or round, stays however large it is. False: where it does not fit, there is no tail. True by default. */
  readonly keepNewest?: boolean;
  /** At the trigger a summary is written whatever the layers before it freed. False by default. */
  readonly always?: boolean;
  /**
   * The model's part of the summary, and the evidence beside it: 6,000 tokens each, or 10 % (`narrativeFraction`) and 8 % of
   * the effective window where that is less.
   */
  readonly narrativeTokens?: number;
  readonly narrativeFraction?: number;
  readonly evidenceTokens?: number;
  /**
   * What the evidence gets even where the view then stays above its target: 6,400 tokens, or 18 % of the effective window
   * where that is less; beside a model's words all that it would have alone. 0: the target counts before the evidence.
   */
  readonly evidenceLeast?: number;
  /** `off`: the digest is the summary even where there is a model. On by default. */
  readonly model?: 'on' | 'off';
  /**
   * A model is asked only where a compaction may leave messages of so many tokens. In less room its words would take that of
   * facts: the digest has it instead, and up to 1,000 tokens more. Who asks for a summary gets one. 0 by default.
   */
  readonly modelFrom?: number;
  /** The form of the model's part: a ready one by its name, or one of the host's own. `claude-code` by default. */
  readonly template?: SummaryTemplateName | SummaryTemplate;
  /**
   * The host's own words for what to write, in place of ours. That there are no tools, what part of the conversation it is
   * about, the earlier summary and what is to be minded are still told. Without a `template` the answer may have any form.
   */
  readonly prompt?: string;
  /** `stand-alone`: the model is never shown the live conversation, but quotes of it without media. By default what fits and is cached. */
  readonly request?: 'stand-alone';
  /** Files and other things that code takes across are shown behind the kept messages. True by default. */
  readonly attach?: boolean;
  /**
   * How much they may take together. `target` (default): half of what the summary left free below the target, and an eighth of
   * the target. `trigger`: half of what is free below the trigger, and three quarters of what the summary freed.
   */
  readonly attachWithin?: 'target' | 'trigger';
  /** The summary says where the journal keeps the whole transcript, where it knows. False by default. */
  readonly namesTranscript?: boolean;
  /** Behind an automatic compaction a message tells the model to go on, or to ask: marked as synthetic, and a hook may veto it. False by default. */
  readonly autoContinue?: boolean;
}

const isSection = (value: unknown): boolean =>
  isFields(value) && typeof value.name === 'string' && value.name !== '' && typeof value.guide === 'string';

const templateRule: OptionRule = {
  allows: (value) =>
    typeof value === 'string'
      ? Object.hasOwn(summaryTemplates, value)
      : isFields(value) &&
        Array.isArray(value.sections) &&
        value.sections.every(isSection) &&
        Array.isArray(value.rules) &&
        typeof value.analysis === 'boolean',
  words: `${Object.keys(summaryTemplates)
    .map((name) => `"${name}"`)
    .join(' or ')}, or { sections: [{ name, guide }], rules, analysis }`,
};

export const checkSummaryOptions = (options: SummarizeHistoryOptions): void =>
  checkOptions<SummarizeHistoryOptions>('summarizeHistory()', options, {
    tailTurns: allow.amount,
    tailFraction: allow.amount,
    tailLeast: allow.amount,
    tailMost: allow.amount,
    keepNewest: allow.boolean,
    always: allow.boolean,
    narrativeTokens: allow.amount,
    narrativeFraction: allow.share,
    evidenceTokens: allow.amount,
    evidenceLeast: allow.amount,
    model: allow.oneOf('on', 'off'),
    modelFrom: allow.amount,
    template: templateRule,
    prompt: allow.string,
    request: allow.oneOf('stand-alone'),
    attach: allow.boolean,
    attachWithin: allow.oneOf('target', 'trigger'),
    namesTranscript: allow.boolean,
    autoContinue: allow.boolean,
  });

/** The form that was stated, if any. */
export const statedTemplate = ({ template }: SummarizeHistoryOptions): SummaryTemplate | undefined =>
  typeof template === 'string' ? summaryTemplates[template] : template;
