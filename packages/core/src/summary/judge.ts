import { type Message, partText, wordsOf } from '../message/message.ts';
import type { SummaryTemplate } from '../view/summary-template.ts';
import { findForeignNames, markNames } from './check-names.ts';
import { checkQuotes } from './check-quotes.ts';
import { hasInjectedTags, hasSubstance, isEcho, isRefusal } from './check-substance.ts';
import { headingPattern } from './heading-pattern.ts';
import { normalizeText } from './normalize-text.ts';
import { requestText, templateOf } from './prompt.ts';
import { readChanges } from './read-changes.ts';
import type { SummaryAnswer, SummaryFailure } from './summarizer.ts';

/** The text to use, with unverified names marked; or why there is none. */
export type Verdict =
  | {
      readonly type: 'accepted';
      readonly text: string;
      /** Names, paths and numbers that the source does not hold; they are marked in the text. */
      readonly flagged: readonly string[];
    }
  | { readonly type: 'rejected'; readonly code: SummaryFailure; readonly why: string };

/** What a summary is held against. */
export interface SummaryCase {
  /** What was summarized, as it was said. */
  readonly source: readonly Message[];
  /** The summary must have fewer. */
  readonly sourceTokens: number;
  /** What the model was asked to keep to. */
  readonly maxTokens: number;
  /** The most that is let pass: a quarter more, where nothing is stated. */
  readonly mostTokens?: number;
  /** The form that was asked for, and whether that was by a prompt of the host's own: as in `SummaryAsk`. */
  readonly template?: SummaryTemplate;
  readonly prompt?: string;
  /** Only changes of numbered statements were asked for: there may be none. */
  readonly updates?: boolean;
  readonly countText: (text: string) => number;
  /** What else the model was given: an earlier summary. */
  readonly previous?: string;
}

const reject = (code: SummaryFailure, why: string): Verdict => ({ type: 'rejected', code, why });

/** Believes nothing. What passes is non-empty, whole, smaller than its source, in form or of substance, and says nothing the source does not. */
export function judge(answer: SummaryAnswer, matter: SummaryCase): Verdict {
  const summary = stripScratch(answer.text);
  if (answer.stop === 'tool' || CALL_TEXT.test(answer.text)) return reject('tool-call', 'it called a tool');
  if (answer.stop === 'length' || summary.open) return reject('cut-off', 'it was cut off');
  const body = summary.text.trim();
  const template = templateOf(matter);
  const isUnchanged = template.itemised === true && body !== '' && readChanges(body).length === 0;
  if (isUnchanged && matter.updates === true) return { type: 'accepted', text: '', flagged: [] };
  const request = wordRequest(matter);
  if (isEcho(answer.text, request) || isEcho(body, request)) return reject('echo', 'it repeats the request');
  if (body === '' || isUnchanged) return reject('empty', 'nothing is left once the scratch analysis is taken away');
  const fault = findFault(body, matter, template) ?? findWrongSize(body, matter);
  if (fault !== undefined) return fault;
  const said = normalizeText(matter.source.map(wordsOf).join('\n'));
  // A user of another script may well get a summary in Latin script, as headings and code are; not the other way round.
  if (scriptOf(body) === 'other' && scriptOf(said) === 'latin')
    return reject('wrong-language', 'it is in another script than the conversation');
  const quotes = checkQuotes(body, said, normalizeText(matter.previous ?? ''), template);
  if (quotes.false > 0 && quotes.false * 2 >= quotes.all)
    return reject('fabricated', `${quotes.false} of ${quotes.all} quotes of the user were never said`);
  const flagged = findForeignNames(quotes.text, textsOf(matter));
  return { type: 'accepted', text: markNames(quotes.text, flagged), flagged: [...quotes.removed, ...flagged] };
}

/** All that the model was given to read, one after the other: together they may be large. */
function* textsOf({ source, previous = '' }: Pick<SummaryCase, 'source' | 'previous'>): Generator<string> {
  yield previous;
  for (const { parts } of source) yield parts.map(partText).join('\n');
}

/** What was asked, without what it was to be brought up to date from: that may well come again. */
const wordRequest = ({ maxTokens, template, prompt, updates }: SummaryCase): string =>
  requestText({
    maxTokens,
    ...(template === undefined ? {} : { template }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(updates === undefined ? {} : { updates }),
  });

/** What an answer is instead of a summary, where it is none. */
function findFault(body: string, matter: SummaryCase, template: SummaryTemplate): Verdict | undefined {
  if (hasInjectedTags(body)) return reject('injected', 'it holds tags that only a host writes');
  const { sections } = template;
  const headings = sections.filter(({ name }) => headingPattern(name).test(body)).length;
  // Of statements those headings are left out that have nothing to tell.
  const wanted = template.itemised === true ? 1 : Math.ceil(sections.length / 2);
  if (sections.length > 0 && headings >= wanted) return undefined;
  if (isRefusal(body)) return reject('refusal', 'it refuses to write one');
  if (body.length < 600 && ERROR_TEXT.test(body)) return reject('error-text', 'it is an error message');
  // A good text in another form is taken as it is: what a form would hold besides is in the evidence.
  if (sections.length === 0 || hasSubstance(body, [...textsOf({ source: matter.source })].join('\n'))) return undefined;
  return reject('chat-continuation', `it has ${headings} of ${sections.length} sections`);
}

function findWrongSize(body: string, matter: SummaryCase): Verdict | undefined {
  const tokens = matter.countText(body);
  if (tokens >= matter.sourceTokens) return reject('not-smaller', `${tokens} tokens for ${matter.sourceTokens}`);
  if (tokens > (matter.mostTokens ?? matter.maxTokens * 1.25))
    return reject('over-budget', `${tokens} tokens, ${matter.maxTokens} were asked for`);
  return undefined;
}

const CALL_TEXT = /<(?:tool_call|function_calls?|invoke|tool_use)\b|^\s*\{\s*"(?:name|tool|function)"\s*:/;
const ERROR_TEXT =
  /\b(?:error|exception|rate.?limit|overloaded|unavailable|timed? ?out|unauthori[sz]ed|cannot|can't|unable|sorry|failed|forbidden|quota)\b/i;

/** The summary itself, without the scratch analysis and the tags around it. `open`: a tag was never closed. */
function stripScratch(answer: string): { readonly text: string; readonly open: boolean } {
  const rest = answer.replace(/<analysis>[\s\S]*?<\/analysis>/gi, '');
  const start = /<summary>/i.exec(rest);
  if (start === null) return { text: rest, open: /<analysis>/i.test(rest) };
  const body = rest.slice(start.index + start[0].length);
  const end = /<\/summary>/i.exec(body);
  return end === null ? { text: body, open: true } : { text: body.slice(0, end.index), open: false };
}

/** Latin against the rest, roughly: enough to see that an English session was answered in Chinese. */
function scriptOf(value: string): 'latin' | 'other' {
  let latin = 0;
  let other = 0;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122) || (code >= 0xc0 && code <= 0x24f)) latin++;
    else if (code >= 0x370) other++;
  }
  return other * 3 > latin ? 'other' : 'latin';
}
