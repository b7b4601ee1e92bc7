/**
 * An extension for pi (`~/.pi/agent/extensions/`): compactions are written by code, at once and without a model, from all that was
 * said before the part that is kept, not from the last summary; `/recall WORDS` finds what is out of view.
 */
import type { ExtensionAPI, SessionEntry } from '@earendil-works/pi-coding-agent';
import { createSession, digest, type Message } from '@palimpsest/core';
import { readSession } from '@palimpsest/formats';
import { recallTool } from '@palimpsest/sdk/recall-tool';

const DIGEST_TOKENS = 6_000;

/** The entries of pi are lines of its session file; the reader wants its first line too. */
function readMessages(entries: readonly SessionEntry[]): readonly Message[] {
  const lines = [{ type: 'session', id: 'now', cwd: '.' }, ...entries].map((entry) => JSON.stringify(entry));
  return readSession(lines.join('\n'), { format: 'pi' }).messages;
}

export default function palimpsest(pi: ExtensionAPI): void {
  pi.on('session_before_compact', ({ preparation, branchEntries }) => {
    const { firstKeptEntryId, tokensBefore } = preparation;
    const kept = branchEntries.findIndex(({ id }) => id === firstKeptEntryId);
    const messages = readMessages(kept < 0 ? branchEntries : branchEntries.slice(0, kept));
    if (messages.length === 0) return;
    const { text } = digest(messages, { maxTokens: DIGEST_TOKENS });
    return { compaction: { summary: text, firstKeptEntryId, tokensBefore } };
  });
  pi.registerCommand('recall', {
    description: 'finds what was said or seen in this session, in view or not',
    async handler(words, ctx) {
      const records = readMessages(ctx.sessionManager.getBranch()).map(
        (message) => ({ v: 1, type: 'message', message }) as const,
      );
      ctx.ui.notify(recallTool(createSession({ window: 200_000, records })).run({ query: words }), 'info');
    },
  });
}
