/**
 * A plugin for opencode (`.opencode/plugins/`): behind every summary stands the digest of the session, in which the user's words and
 * rules stand as they were said, with files, commands and values, whatever the model wrote; and the model gets a tool that reads what
 * was compacted away.
 */
import type { Plugin } from '@opencode-ai/plugin';
import { createSession, digest, type Message } from '@palimpsest/core';
import { readSession } from '@palimpsest/formats';
import { recallTool } from '@palimpsest/sdk/recall-tool';
import { z } from 'zod';

const DIGEST_TOKENS = 4_000;

export const Palimpsest: Plugin = async ({ client }) => {
  /** All that was ever said, however often it was compacted: opencode keeps it. */
  const readMessages = async (id: string): Promise<readonly Message[]> => {
    const { data = [] } = await client.session.messages({ path: { id } });
    return readSession(JSON.stringify({ info: { id }, messages: data }), { format: 'opencode' }).messages;
  };
  /** Of sessions whose summary is being written. */
  const digests = new Map<string, string>();
  const { description } = recallTool(() => undefined);
  return {
    'experimental.session.compacting': async ({ sessionID }, output) => {
      const { text } = digest(await readMessages(sessionID), { maxTokens: DIGEST_TOKENS });
      digests.set(sessionID, text);
      output.context.push(
        `This was read off the transcript by code and will stand behind your summary as it is:\n${text}`,
      );
    },
    // The first text that a session completes after that is its summary.
    'experimental.text.complete': async ({ sessionID }, output) => {
      const text = digests.get(sessionID);
      if (text === undefined) return;
      digests.delete(sessionID);
      output.text += `\n\nRead off the transcript by code:\n${text}`;
    },
    tool: {
      recall: {
        description,
        args: { query: z.string().optional(), file: z.string().optional(), page: z.number().optional() },
        async execute(args, { sessionID }) {
          const messages = await readMessages(sessionID);
          const records = messages.map((message) => ({ v: 1, type: 'message', message }) as const);
          return recallTool(createSession({ window: 200_000, records })).run(args);
        },
      },
    },
  };
};
