import type { Session } from '@palimpsest/core';
import { z } from 'zod';
import { findSaid } from './find-said.ts';
import { failure, type Tool, tool } from './tool.ts';

export const compactTool = (session: () => Pick<Session, 'transcript'>): Tool =>
  tool({
    name: 'compact',
    description:
      'Asks for the conversation to be compacted: old messages give way to a summary, everything stays recallable. It is done right after this call, and your turn ends with it. Instructions say what the summary should mind. By form: all of it, only what lies before a message (up-to), or only what came since (from); at names the message.',
    input: z.object({
      instructions: z.string().optional(),
      form: z.enum(['all', 'up-to', 'from']).optional(),
      at: z.string().optional().describe('with up-to and from: a message id, or words of the user'),
    }),
    run({ instructions, form, at }) {
      const isPart = form === 'from' || form === 'up-to';
      if (isPart && (at === undefined || findSaid(session().transcript(), at) === undefined))
        return failure(
          `With ${form}, at names a message: an id such as m12 (recall finds them), or words of the user.`,
        );
      const compaction = { instructions, form, ...(isPart ? { at } : {}) };
      return { text: 'The conversation is compacted now; this turn ends here.', compaction };
    },
  });
