import { estimateMessage, estimateText, partText, type SummaryAnswer, type SummaryRequest } from '@palimpsest/core';

/** What it writes at most: about what the vendors' own summaries have. */
export const STAND_IN_TOKENS = 1_000;

/** An answer, and what it cost to get. */
export interface StandInAnswer extends SummaryAnswer {
  readonly read: number;
  readonly written: number;
}

/**
 * Stands in for a model that writes summaries, so that summaries can be counted and billed where there is none: it
 * answers in the form that is asked for with the newest lines of what it was shown. It knows nothing that a raw tail of
 * the same size does not.
 */
export function answerAsModel({ messages }: SummaryRequest): StandInAnswer {
  const [asked, ...before] = [...messages].reverse();
  const request = asked?.parts.map(partText).join('\n') ?? '';
  const shown = before.reverse().map((message) => message.parts.map(partText).join('\n'));
  const [quoted = ''] = request.split('</conversation>');
  const lines = (shown.length > 0 ? shown.join('\n') : quoted).split('\n').map((line) => line.trim());
  const [first = '## Summary', ...others] = listHeadings(request);
  const body = [first, ...takeNewest(lines), ...others.flatMap((heading) => [heading, 'None.'])].join('\n');
  const text = `<summary>\n${body}\n</summary>`;
  return {
    text,
    stop: 'end',
    read: messages.reduce((sum, message) => sum + estimateMessage(message), 0),
    written: estimateText(text),
  };
}

/** The headings of the example that a request ends with. */
function listHeadings(request: string): readonly string[] {
  const example = request.slice(Math.max(0, request.lastIndexOf('<summary>')));
  return [...example.matchAll(/^#{2,3} .+$/gm)].map(([heading]) => heading);
}

/** Markup and quotes are left out: they would be taken for tags, for headings or for the user's words. */
const isPlain = (line: string): boolean => line !== '' && !/^[#*<[{]|["“„«]/.test(line);

function takeNewest(lines: readonly string[]): readonly string[] {
  const taken: string[] = [];
  let room = STAND_IN_TOKENS;
  for (let i = lines.length - 1; i >= 0 && room > 0; i--) {
    const line = lines[i] ?? '';
    if (!isPlain(line)) continue;
    room -= estimateText(line) + 1;
    if (room > 0) taken.push(line);
  }
  return taken.reverse();
}
