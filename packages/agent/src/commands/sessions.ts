import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { clip, formatBytes, formatCount, formatNumber, oneLine, wrap } from '@palimpsest/terminal';
import { AgentError } from '../agent-error.ts';
import { sessionsOf, sessionToResume, titleOf } from '../sessions/session-ids.ts';
import { transcriptMarkdown } from '../sessions/transcript-markdown.ts';
import type { Command, CommandDesk } from './command.ts';

const MOST_LISTED = 10;

export const resume: Command = {
  name: 'resume',
  usage: '/resume [ID]',
  help: "goes on with another session; without an id, lists this folder's",
  waits: true,
  async run(argument, { agent, store, open, print, columns, paint }) {
    if (argument !== '') {
      if (open === undefined) throw new AgentError('bad-option', 'pass --resume ID instead.');
      return open(await sessionToResume(store, agent.root, argument));
    }
    const sessions = (await sessionsOf(store, agent.root)).slice(0, MOST_LISTED);
    if (sessions.length === 0) return print(['No session of this folder was kept yet.']);
    for (const { id, modifiedAt, bytes } of sessions) {
      const { records } = await store.read(id);
      const here = id === agent.id ? ' (this one)' : '';
      const said = records.filter((record) => record.type === 'message').length;
      const about = `${formatDate(modifiedAt)} · ${formatCount(said, 'message')}, ${formatBytes(bytes)}${here}`;
      print([
        `  ${paint.cyan(oneLine(id))} ${paint.dim(about)}`,
        `    ${clip(oneLine(titleOf(records)), columns - 4)}`,
      ]);
    }
    print([paint.dim('  go on with one: /resume ID (the beginning of it is enough)')]);
  },
};

/** As a person's clock tells it, to the minute. */
function formatDate(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

const begin = async (_: string, { agent, open, print, paint, columns }: CommandDesk): Promise<void> => {
  if (open === undefined) throw new AgentError('bad-option', 'without --resume every start begins a new session.');
  const wasSaid = agent.session.transcript().some((message) => message.origin === 'human');
  await open();
  const kept = wasSaid ? ` The one before is kept: /resume ${agent.id}` : '';
  print(wrap(oneLine(`A new session.${kept}`), columns).map(paint.dim));
};

export const newSession: Command = {
  name: 'new',
  usage: '/new',
  help: 'begins a new session in this folder; the one before is kept',
  waits: true,
  run: begin,
};

export const clear: Command = {
  name: 'clear',
  usage: '/clear',
  help: 'the same as /new: an empty view, and nothing is lost',
  waits: true,
  run: begin,
};

export const exportTranscript: Command = {
  name: 'export',
  usage: '/export [FILE]',
  help: 'writes the whole transcript, hidden or not: Markdown, or JSON where the name ends so',
  async run(argument, { agent, print }) {
    const { session, root, id } = agent;
    const file = resolve(root, argument === '' ? `palimpsest-${id}.md` : argument);
    const transcript = session.transcript();
    const body = file.endsWith('.json')
      ? `${JSON.stringify({ id, messages: transcript, ledger: session.ledger() }, null, 2)}\n`
      : transcriptMarkdown(id, transcript);
    await writeText(file, body);
    print([`${formatCount(transcript.length, 'message')} written to ${oneLine(file)}`]);
  },
};

export const handoff: Command = {
  name: 'handoff',
  usage: '/handoff [FILE]',
  help: 'writes the opening message of a fresh session that is to go on with the work; made by code',
  async run(argument, { agent, print, paint }) {
    const { session, root, id } = agent;
    if (session.transcript().length === 0) return print(['Nothing has been said yet.']);
    const file = resolve(root, argument === '' ? `palimpsest-handoff-${id}.md` : argument);
    const recall = `\`palimpsest recall ${id} WORDS\`, or a reference that is named below in the place of WORDS.`;
    const { text, tokens, messages } = session.handoff({ from: `session ${id}`, recall });
    await writeText(file, `${text.trimEnd()}\n`);
    print([
      `${formatCount(messages, 'message')} in about ${formatNumber(tokens)} tokens, written to ${oneLine(file)}`,
      paint.dim('  A fresh session goes on from it where it is the first thing that is said.'),
    ]);
  },
};

/** Only the user reads what was said here. */
export async function writeText(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 }).catch((error: Error) => {
    throw new AgentError('cannot-write', `${file} could not be written: ${error.message}`, { cause: error });
  });
}
