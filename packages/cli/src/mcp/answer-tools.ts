import { cutHead, type Message, type Session } from '@palimpsest/core';
import { asFields, asNumber, asString } from '@palimpsest/core/json';
import { type RecallAnswer, recallTool } from '@palimpsest/sdk/recall-tool';
import { paintFor, reasonLines, receiptLines } from '@palimpsest/terminal';
import { formatMinute } from '../printing/figures.ts';
import type { Served, ServedSessions } from './served-sessions.ts';

/** A tool as a client is told of it, and what answers it. */
export interface ServedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly properties: Record<string, object> };
  answer(input: unknown): Promise<RecallAnswer>;
}

const PAGE_CHARS = 20_000;
const COLUMNS = 160;
/** Where no session is named: the newest that know something, and so many passages of each. */
const MOST_SESSIONS = 3;
const MOST_PASSAGES = 2;
const LISTED = 50;
const PIN_CHARS = 300;
/** Of what was asked for so much is said again. */
const ECHOED_CHARS = 200;

const session = {
  type: 'string',
  description: 'Which session, by its name or the beginning of it; the newest without it, and a search looks into all.',
};

/** All that a server offers. Nothing is written: a session belongs to the agent that has it. */
export function listTools(served: ServedSessions): readonly ServedTool[] {
  const { description, schema } = recallTool(() => undefined);
  return [
    {
      name: 'recall',
      description,
      inputSchema: { type: 'object', properties: { ...schema.properties, session } },
      answer: (input) => answerRecall(served, input),
    },
    {
      name: 'receipts',
      description: 'What compactions hid in a session: by layer, with the references that recall reads, and why.',
      inputSchema: { type: 'object', properties: { session } },
      answer: (input) => answerOf(served, input, tellReceipts),
    },
    {
      name: 'pins',
      description: 'The messages of a session that are pinned: compaction leaves them as they are.',
      inputSchema: { type: 'object', properties: { session } },
      answer: (input) => answerOf(served, input, tellPins),
    },
    {
      name: 'sessions',
      description: 'The sessions that can be asked about, newest first.',
      inputSchema: { type: 'object', properties: {} },
      answer: async () => ({ text: tellSessions(await served.list()) }),
    },
  ];
}

async function answerRecall(served: ServedSessions, input: unknown): Promise<RecallAnswer> {
  const fields = asFields(input);
  const all = await served.list();
  const named = asString(fields.session);
  const query = asString(fields.query);
  if (named === undefined && all.length > 1 && query !== undefined && fields.reference === undefined)
    return searchAll(all, query, fields);
  return answerOf(served, input, (found) => recallTool(found, { pageChars: PAGE_CHARS }).answer(fields));
}

async function answerOf(
  served: ServedSessions,
  input: unknown,
  tell: (session: Session) => RecallAnswer,
): Promise<RecallAnswer> {
  const all = await served.list();
  const named = asString(asFields(input).session);
  const found = named === undefined ? all[0] : all.find(({ name }) => name.startsWith(named));
  if (found === undefined)
    return named === undefined
      ? { text: 'There are no sessions here yet.' }
      : {
          text: `There is no session ${JSON.stringify(cutHead(named, ECHOED_CHARS))}; the tool sessions lists them.`,
          isError: true,
        };
  try {
    return tell(await found.open());
  } catch (error) {
    return { text: (error as Error).message, isError: true };
  }
}

/** Scores of different sessions are not comparable: the newest that know something come first. */
async function searchAll(
  all: readonly Served[],
  query: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<RecallAnswer> {
  const page = asNumber(fields.page) ?? 1;
  if (!Number.isInteger(page) || page < 1) return { text: 'A page is a whole number from 1 on.', isError: true };
  const [file, tool] = [asString(fields.file), asString(fields.tool)];
  const told: string[] = [];
  for (const one of all) {
    if (told.length > page * MOST_SESSIONS) break;
    const found = await one.open().catch(() => undefined);
    if (found === undefined) continue;
    const only = { ...(file === undefined ? {} : { file }), ...(tool === undefined ? {} : { tool }) };
    const passages = found.recall.search(query, { ...only, limit: MOST_PASSAGES });
    if (passages.length === 0) continue;
    const bodies = passages.map(({ stretches }) =>
      stretches.map((stretch) => `— ${stretch.message} · ${stretch.tool ?? stretch.role}\n${stretch.text}`).join('\n'),
    );
    told.push(`Session ${one.name}, ${formatMinute(one.changedAt)}:\n\n${bodies.join('\n\n')}`);
  }
  const shown = told.slice((page - 1) * MOST_SESSIONS, page * MOST_SESSIONS);
  if (shown.length === 0)
    return {
      text: `Nothing${page > 1 ? ' more' : ''} in ${all.length} sessions is about: ${cutHead(query, ECHOED_CHARS)}`,
    };
  const more = told.length > page * MOST_SESSIONS ? `\n\n[page ${page}: page ${page + 1} has more]` : '';
  return {
    text: `${shown.join('\n\n')}${more}\n\n[name a session to search it alone, or to read a message by its id]`,
  };
}

function tellReceipts(found: Session): RecallAnswer {
  const paint = paintFor({ NO_COLOR: '1' }, false);
  const lines = found
    .receipts()
    .flatMap((receipt) => [...receiptLines(receipt, paint, COLUMNS), ...reasonLines(receipt, paint, COLUMNS)]);
  return { text: lines.length === 0 ? 'Nothing was compacted by Palimpsest in this session.' : lines.join('\n') };
}

function tellPins(found: Session): RecallAnswer {
  const pinned = new Set<string>();
  for (const entry of found.ledger().entries) {
    if (entry.type === 'pin') pinned.add(entry.message);
    if (entry.type === 'unpin') pinned.delete(entry.message);
  }
  const messages = found.transcript().filter(({ id }) => pinned.has(id));
  return { text: messages.length === 0 ? 'Nothing is pinned in this session.' : messages.map(tellPin).join('\n\n') };
}

const tellPin = (message: Message): string => {
  const words = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const more = words.length > PIN_CHARS ? ` … [recall ${message.id} reads all]` : '';
  return `— ${message.id} · ${message.role}\n${cutHead(words, PIN_CHARS)}${more}`;
};

function tellSessions(all: readonly Served[]): string {
  if (all.length === 0) return 'There are no sessions here yet.';
  const lines = all.slice(0, LISTED).map(({ name, changedAt }) => `${formatMinute(changedAt)}  ${name}`);
  return [...lines, ...(all.length > LISTED ? [`… and ${all.length - LISTED} more`] : [])].join('\n');
}
