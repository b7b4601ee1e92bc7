import { cutHead, type Message, type Part, partText, redact } from '@palimpsest/core';
import type { ReadText } from './inspection.ts';

/** More of one text is shown on request, page by page. */
export const PAGE_CHARS = 60_000;

/** What a message says, as text: calls with their input, results with their content. */
export const readMessage = ({ parts }: Message): string => showMarks(redact(parts.map(readPart).join('\n\n')));

/** Marks that turn the direction of writing, and other controls, as what they are: they could make a text look like another. */
export const showMarks = (text: string): string =>
  text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is made visible.
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (mark) => `⟨U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );

function readPart(part: Part): string {
  if (part.type === 'call') return `${part.tool} ${JSON.stringify(part.input, null, 2) ?? ''}`;
  return partText(part);
}

/** One page of a text, from a character on. */
export function cutPage(text: string, offset: number): ReadText {
  const from = cutHead(text, Math.max(0, offset)).length;
  return { text: cutHead(text.slice(from), PAGE_CHARS), chars: text.length };
}
