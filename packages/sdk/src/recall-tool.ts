import { CompactionError, cutHead, type Message, partText, type Session, type Stretch } from '@palimpsest/core';
import { asFields, isBlank } from '@palimpsest/core/json';
import type { Unread } from './conversations/keep-options.ts';

/** What recall needs of a session; `unread` is told with what was found. */
export interface Recallable extends Pick<Session, 'transcript'> {
  readonly recall: Session['recall'] & { readonly unread?: readonly Unread[] };
}

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
      file: { type: 'string'; description: string };
      tool: { type: 'string'; description: string };
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
/** Passages on one page: about 2,000 tokens, or what a page may hold. */
const MOST_PASSAGES = 5;
const PASSAGE_CHARS = 1_600;

/** Pass the session, or what finds it: `onSession` brings it with the first request. */
export function recallTool(
  session: Recallable | (() => Recallable | undefined),
  { pageChars = 40_000, label }: RecallToolOptions = {},
): RecallTool {
  function answer(input: unknown): RecallAnswer {
    const found = typeof session === 'function' ? session() : session;
    if (found === undefined) return { text: 'Nothing has been said yet.' };
    const { reference, page = 1, ...asked } = asFields(input);
    if (typeof page !== 'number' || !Number.isInteger(page) || page < 1)
      return refuse('A page is a whole number from 1 on.');
    if (typeof reference === 'string' && !isBlank(reference)) return readPage(found, reference, page, pageChars);
    const [query, file, tool] = [asked.query, asked.file, asked.tool].map(readWords);
    if (query !== undefined) return tellUnread(found, search(found, query, { file, tool, page, pageChars, label }));
    if (file !== undefined) return tellUnread(found, readFile(found, file, page, pageChars));
    return refuse('Pass a reference to read, a query to search for, or a file.');
  }
  return {
    name: NAME,
    description:
      'Reads what was compacted away. Notices name references such as e12: pass one as reference (also a message id such as m42, or "e3 to e9"). Or pass query: words, names, paths to search everything that was ever said or seen here, best passages first. Or pass file: what a file looked like when it was last read or written here. Long texts come in pages.',
    schema: {
      type: 'object',
      properties: {
        reference: { type: 'string', description: 'A reference from a notice, such as e12.' },
        query: { type: 'string', description: 'What you remember of it: words, names, paths. Not all need occur.' },
        file: {
          type: 'string',
          description:
            'A path, or the end of one. Alone: the file as last seen; with query: only what was done with it.',
        },
        tool: { type: 'string', description: 'With query: only calls of this tool and their results.' },
        page: { type: 'integer', minimum: 1, description: 'Which page; the first without it.' },
      },
      required: [],
    },
    answer,
    run: (input) => answer(input).text,
  };
}

/** Of what was asked for so much is said again: the answer goes into a context. */
const ECHOED_CHARS = 200;
const echo = (asked: string): string => (asked.length <= ECHOED_CHARS ? asked : `${cutHead(asked, ECHOED_CHARS)}…`);

const readWords = (value: unknown): string | undefined =>
  typeof value === 'string' && !isBlank(value) ? value.trim() : undefined;

const refuse = (text: string): RecallAnswer => ({ text, isError: true });

/** Notices say "recall e12": a model may pass all of it. */
function readPage(
  { recall }: Pick<Recallable, 'recall'>,
  given: string,
  page: number,
  pageChars: number,
): RecallAnswer {
  const reference = given.trim().replace(/^recall\s+/, '');
  try {
    const { text, messages } = recall.read(reference);
    const [first, ...more] = messages;
    const body = first !== undefined && more.length === 0 ? stripAuthor(first, text) : text;
    const pages = Math.max(1, Math.ceil(body.length / pageChars));
    if (page > pages) return refuse(`${reference} has ${pages} ${pages === 1 ? 'page' : 'pages'}.`);
    // A character of two halves stands on one page, whole.
    const shown = body.slice(cutHead(body, (page - 1) * pageChars).length, cutHead(body, page * pageChars).length);
    const next = page < pages ? `\n[page ${page} of ${pages}: read on with page ${page + 1}]` : '';
    return { text: `Recalled ${reference} (${body.length} characters):\n${shown}${next}` };
  } catch (error) {
    if (!(error instanceof CompactionError)) throw error;
    return tellUnread({ recall }, refuse(`${error.message} Or search with query.`));
  }
}

const WHY_UNREAD: Readonly<Record<Unread['type'], string>> = {
  failed: 'the store did not give what they say',
  slow: 'still being read, so look again',
  large: 'too much for one lookup',
};

/** What was not found may stand where nobody could look: the model is told so. */
function tellUnread({ recall: { unread = [] } }: Pick<Recallable, 'recall'>, answer: RecallAnswer): RecallAnswer {
  const words = unread.map(({ type, conversations }) => {
    const many = conversations === undefined ? '' : `${conversations} `;
    return `\n[not looked into: ${many}earlier conversation${conversations === 1 ? '' : 's'}; ${WHY_UNREAD[type]}]`;
  });
  return { ...answer, text: `${answer.text}${words.join('')}` };
}

/** One message is read without the line that says whose it is: what it says is wanted. */
const stripAuthor = (message: Message, text: string): string =>
  text.startsWith(`${message.role} (${message.id}):\n`) ? message.parts.map(partText).join('\n') : text;

/** The file as it was last read or written, where it was; else the newest that was done with it. */
function readFile(session: Recallable, file: string, page: number, pageChars: number): RecallAnswer {
  const [newest] = session.recall.search('', { file, limit: 1 });
  if (newest === undefined)
    return { text: `Nothing was done here with a file called ${echo(file)}. Search with query.` };
  return readPage(session, newest.message.id, page, pageChars);
}

interface SearchFor {
  readonly file: string | undefined;
  readonly tool: string | undefined;
  readonly page: number;
  readonly pageChars: number;
  readonly label: RecallToolOptions['label'];
}

function search(session: Recallable, query: string, { file, tool, page, pageChars, label }: SearchFor): RecallAnswer {
  const many = Math.max(1, Math.min(MOST_PASSAGES, Math.floor(pageChars / PASSAGE_CHARS)));
  const transcript = session.transcript();
  // Who asks has the question before him, so it is told only where nothing else answers.
  const question = transcript.findLast(({ origin }) => origin === 'human');
  const searchBeside = (except: readonly string[]) =>
    session.recall.search(query, {
      limit: many + 1,
      offset: (page - 1) * many,
      ...(file === undefined ? {} : { file }),
      ...(tool === undefined ? {} : { tool }),
      except,
    });
  const others = searchBeside(question === undefined ? [] : [question.id]);
  const found = others.length > 0 || page > 1 ? others : searchBeside([]);
  if (found.length === 0)
    return {
      text: `Nothing${page > 1 ? ' more' : ''} that was said or seen here is about: ${echo(query)}${tellOnly(file, tool)}`,
    };
  const byId = new Map(transcript.map((message) => [message.id, message]));
  const passages = found
    .slice(0, many)
    .map(({ stretches }) =>
      stretches
        .map((stretch) => `${describeStretch(stretch, byId.get(stretch.message), label)}\n${stretch.text}`)
        .join('\n'),
    );
  const more = found.length > many ? `\n\n[page ${page}: page ${page + 1} has more]` : '';
  return {
    text: `Found, best first; read a message whole with its id as reference:\n\n${passages.join('\n\n')}${more}`,
  };
}

/** What a search was confined to, for one that found nothing: what is looked for may stand elsewhere. */
function tellOnly(file: string | undefined, tool: string | undefined): string {
  const only = [
    ...(file === undefined ? [] : [`the file ${echo(file)}`]),
    ...(tool === undefined ? [] : [`the tool ${echo(tool)}`]),
  ];
  return only.length === 0 ? '' : ` (only ${only.join(' and ')} was looked at)`;
}

/** `— m12 · result of read_file src/a.ts`. */
function describeStretch(stretch: Stretch, message: Message | undefined, label: RecallToolOptions['label']): string {
  const { role, origin, tool, file } = stretch;
  if (label !== undefined && message !== undefined) return `— ${message.id} · ${label(message)}`;
  const doing = role === 'assistant' ? 'call of' : 'result of';
  const about =
    tool === undefined
      ? origin === 'human'
        ? 'user'
        : role
      : [doing, tool, ...(file === undefined ? [] : [file])].join(' ');
  return `— ${stretch.message} · ${about}`;
}
