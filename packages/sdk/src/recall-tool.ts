import { CompactionError, callsOf, cutHead, type Message, partText, resultsOf, type Session } from '@palimpsest/core';
import { asFields, isBlank } from '@palimpsest/core/json';

/** What recall needs of a session. */
export type Recallable = Pick<Session, 'recall' | 'transcript'>;

/** What the model is told. */
export interface RecallAnswer {
  readonly text: string;
  readonly isError?: boolean;
}

/** A tool by which the model reads what was hidden from it; each SDK takes it in its own wrapping. */
export interface RecallTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly schema: {
    type: 'object';
    properties: {
      reference: { type: 'string'; description: string };
      query: { type: 'string'; description: string };
      page: { type: 'integer'; minimum: number; description: string };
    };
    required: string[];
  };
  /** Takes whatever the model wrote as its input. */
  readonly answer: (input: unknown) => RecallAnswer;
  /** The answer's text alone. */
  readonly run: (input: unknown) => string;
}

/** All may be left away. */
export interface RecallToolOptions {
  /** What one page may hold, so that a page is never itself too large for the window. */
  readonly pageChars?: number;
  /** What a found message is called besides its id, as the host would call it. */
  readonly label?: (message: Message) => string;
}

const NAME = 'recall';
const MOST_FOUND = 8;
const LINE_CHARS = 160;

/** Pass the session, or what finds it: `onSession` brings it with the first request. */
export function recallTool(
  session: Recallable | (() => Recallable | undefined),
  { pageChars = 40_000, label }: RecallToolOptions = {},
): RecallTool {
  const answer = (input: unknown): RecallAnswer => {
    const found = typeof session === 'function' ? session() : session;
    if (found === undefined) return { text: 'Nothing has been said yet.' };
    const { reference, query, page = 1 } = asFields(input);
    if (typeof page !== 'number' || !Number.isInteger(page) || page < 1)
      return refuse('A page is a whole number from 1 on.');
    if (typeof reference === 'string' && !isBlank(reference)) return readPage(found, reference, page, pageChars);
    if (typeof query === 'string' && !isBlank(query)) return search(found, query, label);
    return refuse('Pass a reference to read, or a query to search for.');
  };
  return {
    name: NAME,
    description:
      'Reads what was compacted away. Notices name references such as e12: pass one as reference (also a message id such as m42, or "e3 to e9"). Or pass query: words to search everything that was ever said or seen here. Long texts come in pages.',
    schema: {
      type: 'object',
      properties: {
        reference: { type: 'string', description: 'A reference from a notice, such as e12.' },
        query: { type: 'string', description: 'Words that the wanted part holds, all of them.' },
        page: { type: 'integer', minimum: 1, description: 'Which page of a long text; the first without it.' },
      },
      required: [],
    },
    answer,
    run: (input) => answer(input).text,
  };
}

const refuse = (text: string): RecallAnswer => ({ text, isError: true });

/** Notices say "recall e12": a model may pass all of it. */
function readPage({ recall }: Recallable, given: string, page: number, pageChars: number): RecallAnswer {
  const reference = given.trim().replace(/^recall\s+/, '');
  try {
    const { text, messages } = recall.read(reference);
    const [first, ...more] = messages;
    const body = first !== undefined && more.length === 0 ? stripAuthor(first, text) : text;
    const pages = Math.max(1, Math.ceil(body.length / pageChars));
    if (page > pages) return refuse(`${reference} has ${pages} pages.`);
    // A character of two halves stands on one page, whole.
    const shown = body.slice(cutHead(body, (page - 1) * pageChars).length, cutHead(body, page * pageChars).length);
    const next = page < pages ? `\n[page ${page} of ${pages}: read on with page ${page + 1}]` : '';
    return { text: `Recalled ${reference} (${body.length} characters):\n${shown}${next}` };
  } catch (error) {
    if (!(error instanceof CompactionError)) throw error;
    return refuse(`${error.message} Or search with query.`);
  }
}

/** One message is read without the line that says whose it is: what it says is wanted. */
const stripAuthor = (message: Message, text: string): string =>
  text.startsWith(`${message.role} (${message.id}):\n`) ? message.parts.map(partText).join('\n') : text;

function search(session: Recallable, query: string, label?: (message: Message) => string): RecallAnswer {
  const isOfRecall = findRecalls(session.transcript());
  const found = session.recall
    .search(query, MOST_FOUND * 4)
    // What recall itself showed would be found again and again.
    .filter(({ message }) => !isOfRecall(message))
    .slice(0, MOST_FOUND);
  if (found.length === 0) return { text: `Nothing that was said or seen here holds all of: ${query}` };
  const lines = found.map(({ message, line }) =>
    [message.id, ...(label === undefined ? [] : [label(message)]), cutHead(line, LINE_CHARS)].join(' · '),
  );
  return { text: `Found, newest first; read one with its id as reference:\n${lines.join('\n')}` };
}

function findRecalls(transcript: readonly Message[]): (message: Message) => boolean {
  const calls = transcript.flatMap(callsOf).filter(({ tool }) => tool === NAME);
  const callIds = new Set(calls.map(({ callId }) => callId));
  return (message) => [...callsOf(message), ...resultsOf(message)].some(({ callId }) => callIds.has(callId));
}
