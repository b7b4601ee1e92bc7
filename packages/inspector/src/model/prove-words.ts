import { type Message, type ProvenSummary, partText, type SummaryItem } from '@palimpsest/core';

type Items = ProvenSummary['items'];

/** Shorter words stand anywhere; a message that is shorter has to be told whole. */
const LEAST_CHARS = 16;

const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Without the marks that a summary sets around what it quotes, or a list in front of it. */
const strip = (text: string): string =>
  collapse(text)
    .replace(/^(?:[-*•>]|\d+[.)])\s+/, '')
    .replace(/^["'“”‘’«»`*]+|["'“”‘’«»`*…]+$/g, '')
    .trim();

/** What a line may have from the user: all of it, what stands behind a lead such as “Mind:”, and what stands in quotes. */
function listQuotes(line: string): readonly string[] {
  const [, behind = ''] = /^[^:]{1,60}: (.+)$/s.exec(collapse(line)) ?? [];
  const quoted = [...line.matchAll(/"([^"]+)"|“([^”]+)”|«([^»]+)»|`([^`]+)`/g)].map(
    ([, one, other, third, fourth]) => one ?? other ?? third ?? fourth ?? '',
  );
  return [line, behind, ...quoted].map(strip).filter((one) => one !== '');
}

/** What the user typed until then, message by message. */
const readUsers = (said: readonly Message[]): readonly { readonly id: string; readonly text: string }[] =>
  said.flatMap(({ id, origin, parts }) =>
    origin === 'human' ? [{ id, text: collapse(parts.map(partText).join(' ')) }] : [],
  );

const isQuoteOf = (quote: string, text: string): boolean =>
  quote.length >= LEAST_CHARS ? text.includes(quote) : strip(text) === quote;

/** Lines by which summaries are divided, and the words that agents set around them. */
const FRAME =
  /^(?:analysis|summary|conversation summary|primary request and intent|key technical concepts|files and code sections|files (?:modified|read|created)|errors and fixes|problem solving|all user messages|pending tasks|current work|optional next step|next steps?|<\/?[a-z_-]+>)$/i;
const PREAMBLE =
  /^(?:This session is being continued from a previous conversation|The (?:conversation is summarized|summary) below|If you need specific details from before compaction|Please continue the conversation from where we left)/;

/** Whether a line says something of the session: a heading without a name or a number does not. */
function isStatement({ text, places }: SummaryItem): boolean {
  if (places.length > 0) return true;
  const bare = strip(text).replace(/^[#\s]+|[\s:*]+$/g, '');
  if (bare === '' || FRAME.test(bare) || PREAMBLE.test(bare)) return false;
  const isHead = /:[\s*]*$/.test(text) || /^\*\*[^*]+\*\*$/.test(text.trim());
  return !isHead || /[\d/\\_`#@]|\w\.\w|[a-z][A-Z]/.test(bare);
}

/**
 * Statements that quote the user, wherever that stands, are proven by it: also by what is still in view and what the summary
 * was not written from. What only divides a summary is no statement.
 */
export function proveWords(items: Items, said: readonly Message[]): Items {
  let users: ReturnType<typeof readUsers> | undefined;
  const findQuoted = (line: string): string | undefined => {
    users ??= readUsers(said);
    for (const quote of listQuotes(line)) {
      const found = users.findLast(({ text }) => isQuoteOf(quote, text));
      if (found !== undefined) return found.id;
    }
    return undefined;
  };
  return items
    .map((item) => {
      const message = item.places.length > 0 ? undefined : findQuoted(item.text);
      return message === undefined ? item : { ...item, places: [{ message, by: 'quote' as const }] };
    })
    .filter(isStatement);
}
