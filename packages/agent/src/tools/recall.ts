import { CompactionError, type Message, partText, type Session } from '@palimpsest/core';
import { z } from 'zod';
import { labelsOf } from './labels.ts';
import { failure, type Tool, type ToolAnswer, tool } from './tool.ts';

const MOST_FOUND = 8;
const LINE_CHARS = 160;

/** `pageChars`: what one page may hold, so that a page is never itself too large for the window. */
export const recallTool = (session: () => Pick<Session, 'recall' | 'transcript'>, pageChars: number): Tool =>
  tool({
    name: 'recall',
    description:
      'Reads what was compacted away. Notices name references such as e12: pass one as reference (also a message id such as m42, or "e3 to e9"). Or pass query: words to search everything that was ever said or seen here. Long texts come in pages.',
    input: z.object({
      reference: z.string().optional(),
      query: z.string().optional(),
      page: z.number().int().positive().optional(),
    }),
    run({ reference, query, page = 1 }) {
      if (reference !== undefined) return read(session(), reference, page, pageChars);
      if (query !== undefined) return search(session(), query);
      return failure('Pass a reference to read, or a query to search for.');
    },
  });

function read(session: Pick<Session, 'recall'>, reference: string, page: number, pageChars: number): ToolAnswer {
  try {
    const { text, messages } = session.recall.read(reference.trim());
    const body = messages.length === 1 ? bodyOf(messages[0]!, text) : text;
    const pages = Math.max(1, Math.ceil(body.length / pageChars));
    if (page > pages) return failure(`${reference} has ${pages} pages.`);
    const piece = body.slice((page - 1) * pageChars, page * pageChars);
    const more = page < pages ? `\n[page ${page} of ${pages}: read on with page ${page + 1}]` : '';
    return { text: `Recalled ${reference} (${body.length} characters):\n${piece}${more}` };
  } catch (error) {
    if (!(error instanceof CompactionError)) throw error;
    return failure(`${error.message} Or search with query.`);
  }
}

/** One message is read without the line that says whose it is: what it says is wanted. */
const bodyOf = (message: Message, text: string): string =>
  text.startsWith(`${message.role} (${message.id}):\n`) ? message.parts.map(partText).join('\n') : text;

function search(session: Pick<Session, 'recall' | 'transcript'>, query: string): ToolAnswer {
  const label = labelsOf(session.transcript());
  const found = session.recall
    .search(query, MOST_FOUND * 4)
    // What recall itself showed would be found again and again.
    .filter(({ message }) => !/^(?:result|call) of recall\b/.test(label(message)))
    .slice(0, MOST_FOUND);
  if (found.length === 0) return { text: `Nothing that was said or seen here holds all of: ${query}` };
  const lines = found.map(({ message, line }) => `${message.id} · ${label(message)} · ${line.slice(0, LINE_CHARS)}`);
  return { text: `Found, newest first; read one with its id as reference:\n${lines.join('\n')}` };
}
