import { CompactionError, type Receipt, type Session } from '@palimpsest/core';
import { z } from 'zod';
import { findSaid } from './find-said.ts';
import { failure, type Tool, tool } from './tool.ts';

/** The model asks for the middle of the conversation to be hidden: what it no longer needs, and nothing else. */
export const snipTool = (session: () => Session): Tool =>
  tool({
    name: 'snip',
    description:
      'Hides a stretch of this conversation that is no longer needed, such as a path that led nowhere: a notice with a reference stands in its place, and recall reads it. Name its ends by message ids (recall finds them by words), or leave them away: then the middle goes, but for the first 3 and the last 47 messages.',
    input: z.object({
      from: z.string().min(1).optional().describe('the first message that goes: its id, or words of the user'),
      to: z.string().min(1).optional().describe('the last message that goes'),
      keep_first: z.number().int().nonnegative().optional(),
      keep_last: z.number().int().nonnegative().optional(),
    }),
    async run({ from, to, keep_first, keep_last }, { signal }) {
      const transcript = session().transcript();
      const ends: { from?: string; to?: string } = {};
      for (const [end, wanted] of Object.entries({ from, to })) {
        if (wanted === undefined) continue;
        const found = findSaid(transcript, wanted);
        if (found === undefined) return failure(`No message is known as “${wanted}”: recall finds ids by words.`);
        ends[end as 'from' | 'to'] = found.id;
      }
      try {
        const request = {
          ...ends,
          ...(keep_first === undefined ? {} : { keepFirst: keep_first }),
          ...(keep_last === undefined ? {} : { keepLast: keep_last }),
        };
        return { text: describeSnip(await session().snip({ ...request, trigger: 'tool', signal })) };
      } catch (error) {
        if (error instanceof CompactionError && error.code === 'nothing-to-snip') return failure(error.message);
        throw error;
      }
    },
  });

function describeSnip({ lines, tokensBefore, tokensAfter }: Receipt): string {
  const count = lines.reduce((sum, line) => sum + (line.kind === 'messages' ? line.count : 0), 0);
  const refs = [...new Set(lines.flatMap((line) => line.refs))];
  return `${count} messages are hidden (${tokensBefore} → ${tokensAfter} tokens); recall ${refs.join(', ')} reads them.`;
}
