import { type Message, partText, wordsOf } from '../message/message.ts';
import { redact } from '../message/redact.ts';
import type { SummarySection, SummaryTemplate } from '../view/summary-template.ts';
import { templateOf } from './prompt.ts';
import type { SummaryAnswer, SummaryFailure } from './summarizer.ts';

/** The text to use, without secrets and with unverified names marked; or why there is none. */
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
  readonly countText: (text: string) => number;
  /** What else the model was given: an earlier summary. */
  readonly previous?: string;
}

const reject = (code: SummaryFailure, why: string): Verdict => ({ type: 'rejected', code, why });

/** Believes nothing. What passes is non-empty, whole, smaller than its source, in form, and says nothing the source does not. */
export function judge(answer: SummaryAnswer, matter: SummaryCase): Verdict {
  const summary = stripScratch(answer.text);
  if (answer.stop === 'tool' || CALL_TEXT.test(answer.text)) return reject('tool-call', 'it called a tool');
  if (answer.stop === 'length' || summary.open) return reject('cut-off', 'it was cut off');
  const body = summary.text.trim();
  if (body === '') return reject('empty', 'nothing is left once the scratch analysis is taken away');
  const { sections } = templateOf(matter);
  const headings = sections.filter(({ name }) => headingOf(name).test(body)).length;
  const inForm = sections.length > 0 && headings >= Math.ceil(sections.length / 2);
  if (!inForm && body.length < 600 && ERROR_TEXT.test(body)) return reject('error-text', 'it is an error message');
  if (!inForm && sections.length > 0)
    return reject('chat-continuation', `it has ${headings} of ${sections.length} sections`);
  const tokens = matter.countText(body);
  if (tokens >= matter.sourceTokens) return reject('not-smaller', `${tokens} tokens for ${matter.sourceTokens}`);
  if (tokens > (matter.mostTokens ?? matter.maxTokens * 1.25))
    return reject('over-budget', `${tokens} tokens, ${matter.maxTokens} were asked for`);
  const said = normalizeText(matter.source.map(wordsOf).join('\n'));
  // A user of another script may well get a summary in Latin script, as headings and code are; not the other way round.
  if (scriptOf(body) === 'other' && scriptOf(said) === 'latin')
    return reject('wrong-language', 'it is in another script than the conversation');
  const quotes = checkQuotes(body, said, normalizeText(matter.previous ?? ''), sections);
  if (quotes.false > 0 && quotes.false * 2 >= quotes.all)
    return reject('fabricated', `${quotes.false} of ${quotes.all} quotes of the user were never said`);
  const source = `${matter.source.map((message) => message.parts.map(partText).join('\n')).join('\n')}\n${matter.previous ?? ''}`;
  const flagged = findForeignNames(quotes.text, source);
  return { type: 'accepted', text: redact(markNames(quotes.text, flagged)), flagged: [...quotes.removed, ...flagged] };
}

const CALL_TEXT = /<(?:tool_call|function_calls?|invoke|tool_use)\b|^\s*\{\s*"(?:name|tool|function)"\s*:/;
const ERROR_TEXT =
  /\b(?:error|exception|rate.?limit|overloaded|unavailable|timed? ?out|unauthori[sz]ed|cannot|can't|unable|sorry|failed|forbidden|quota)\b/i;

const headingOf = (name: string): RegExp =>
  new RegExp(`^\\s*(?:#+\\s*|\\*\\*)?(?:\\d+[.)]\\s*)?${escapePattern(name)}(?!\\w)`, 'im');

const escapePattern = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function stripScratch(answer: string): { readonly text: string; readonly open: boolean } {
  const rest = answer.replace(/<analysis>[\s\S]*?<\/analysis>/gi, '');
  const start = /<summary>/i.exec(rest);
  if (start === null) return { text: rest, open: /<analysis>/i.test(rest) };
  const body = rest.slice(start.index + start[0].length);
  const end = /<\/summary>/i.exec(body);
  return end === null ? { text: body, open: true } : { text: body.slice(0, end.index), open: false };
}

const normalizeText = (value: string): string =>
  value
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ')
    .toLowerCase();

const QUOTE = /["“„«]([^"“”„«»\n]{8,})["”»]/g;
const ATTRIBUTED = /\buser(?:'s)?\b[^\n"“]{0,60}$/i;

/** Lines that put words into the user's mouth go; a quote counts as the user's in the user's section or behind "user said". */
function checkQuotes(body: string, said: string, previous: string, sections: readonly SummarySection[]) {
  const quoting = sections.filter(({ quotes }) => quotes === true).map(({ name }) => headingOf(name));
  let inSection = false;
  let all = 0;
  const removed: string[] = [];
  const lines = body.split('\n').filter((line) => {
    if (/^\s*(?:#+|\*\*)/.test(line)) inSection = quoting.some((heading) => heading.test(line));
    let keep = true;
    for (const match of line.matchAll(QUOTE)) {
      if (!inSection && !ATTRIBUTED.test(line.slice(0, match.index))) continue;
      all++;
      const [, quoted = ''] = match;
      const quote = normalizeText(quoted).trim();
      if (said.includes(quote) || previous.includes(quote)) continue;
      removed.push(quoted);
      keep = false;
    }
    return keep;
  });
  return { text: lines.join('\n'), all, false: removed.length, removed };
}

const NAME = /(?:[\w.@-]+\/)+[\w.@-]+|\b[A-Za-z_]\w*(?:[A-Z_]\w*|\.\w+)+\b|\b\d[\d.,:_-]{2,}\b|\b[0-9a-f]{7,40}\b/g;

/** Paths, code names and numbers of the summary that occur nowhere in what it summarizes. */
function findForeignNames(body: string, source: string): readonly string[] {
  const names = new Set<string>();
  const lower = source.toLowerCase();
  for (const [match] of body.matchAll(NAME)) {
    const name = match.replace(/[.,:;_-]+$/, '');
    if (name.length >= 3 && !lower.includes(name.toLowerCase())) names.add(name);
  }
  return [...names];
}

function markNames(body: string, flagged: readonly string[]): string {
  let text = body;
  for (const name of flagged) text = text.replaceAll(name, `${name} (unverified)`);
  return text;
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
