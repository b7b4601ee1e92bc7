import { z } from 'zod';
import { type Tool, tool } from './tool.ts';

export const compactTool = (): Tool =>
  tool({
    name: 'compact',
    description:
      'Asks for the conversation to be compacted: old messages give way to a summary, everything stays recallable. It is done right after this call, and your turn ends with it. Instructions say what the summary should mind.',
    input: z.object({ instructions: z.string().optional() }),
    run: ({ instructions }) => ({
      text: 'The conversation is compacted now; this turn ends here.',
      compaction: instructions === undefined ? {} : { instructions },
    }),
  });
