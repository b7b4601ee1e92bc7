import type { Message } from '@palimpsest/core';

/** What a digest in the view says in the user's own words. */
export interface DigestWords {
  /** The newest request of what it stands for. */
  readonly request?: string;
  readonly first?: string;
  readonly said: readonly string[];
  readonly rules: readonly string[];
  /** The file that was read last. */
  readonly lastRead?: string;
}

const NONE: DigestWords = { said: [], rules: [] };
const AT_FIRST = 'At first: ';

/** Reads the sections that code wrote into a summary or a collapsed span; what the model told there is not looked at. */
export function digestWords({ origin, parts }: Message): DigestWords {
  const source = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  if (origin !== 'palimpsest' || !source.includes('## ')) return NONE;
  const request = section(source, 'Request (user)');
  const at = request.search(/^At first: /m);
  const newest = unfold(at < 0 ? request : request.slice(0, at));
  const first = at < 0 ? '' : unfold(request.slice(at + AT_FIRST.length));
  const lastRead = /^Last call: read_file (\S+)/m.exec(section(source, 'State'))?.[1];
  return {
    ...(newest === '' ? {} : { request: newest }),
    ...(first === '' ? {} : { first }),
    said: items(section(source, 'Earlier (user)')),
    rules: items(section(source, 'Rules (user)')),
    ...(lastRead === undefined ? {} : { lastRead }),
  };
}

function section(source: string, title: string): string {
  const head = `## ${title}\n`;
  const start = source.lastIndexOf(head);
  if (start < 0) return '';
  const body = source.slice(start + head.length);
  const end = body.search(/^## /m);
  return end < 0 ? body : body.slice(0, end);
}

/** Said more than once, or much like it: the words are what was asked for. */
const FOLDED = / (?:\(×\d+\)|\[and \d+ more like it\])$/;

const unfold = (words: string): string => words.trim().replace(FOLDED, '');

const items = (body: string): readonly string[] =>
  body
    .split(/^- /m)
    .map(unfold)
    .filter((item) => item !== '');
