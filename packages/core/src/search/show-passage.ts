import type { Message, MessageId, Origin, Role } from '../message/message.ts';
import { toolTarget } from '../message/tool-kinds.ts';
import type { Searched } from './find-hits.ts';
import { showPart } from './part-lines.ts';
import type { Ranked } from './rank-passages.ts';
import { readTerms } from './read-terms.ts';
import type { SearchIndex, Source } from './search-index.ts';

/** What one message says in a passage, to the letter. */
export interface Stretch {
  readonly message: MessageId;
  readonly role: Role;
  readonly origin: Origin;
  /** The tool that was called or that answered, and the file it was about. */
  readonly tool?: string;
  readonly file?: string;
  readonly text: string;
}

/** A passage that a search found, hidden or not: at most 1,500 characters of neighbouring lines. */
export interface Found {
  /** The message that answers best; its id is a reference that recall reads. */
  readonly message: Message;
  /** The line of it that answers best, trimmed. */
  readonly line: string;
  /** The whole passage. */
  readonly text: string;
  /** The same by message, in order. */
  readonly stretches: readonly Stretch[];
  readonly tool?: string;
  readonly file?: string;
}

/** Messages, and the index that was made of them. */
export interface Indexed {
  readonly index: SearchIndex;
  readonly messages: readonly Message[];
}

export interface Transcript extends Indexed, Searched {}

/** A passage by message, in order. */
export function listStretches({ in: { index, messages }, ...ranked }: Ranked<Transcript>): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (let at = ranked.from; at < ranked.to; ) {
    const { source, from } = index.fragment(at);
    let end = at + 1;
    while (end < ranked.to && index.fragment(end).source === source) end++;
    const message = messages[source.place];
    if (message !== undefined) stretches.push(showStretch(message, source, from, index.fragment(end - 1).to));
    at = end;
  }
  return stretches;
}

export function showPassage(query: string, ranked: Ranked<Transcript>): Found {
  const { index, messages } = ranked.in;
  const stretches = listStretches(ranked);
  const { source, from, to } = index.fragment(ranked.best);
  const message = messages[source.place];
  if (message === undefined) throw new RangeError('an index is searched with the messages that it was made of.');
  const { text, ...about } = showStretch(message, source, from, to);
  return {
    message,
    line: findLine(text, query),
    text: stretches.map((stretch) => stretch.text).join('\n'),
    stretches,
    ...(about.tool === undefined ? {} : { tool: about.tool }),
    ...(about.file === undefined ? {} : { file: about.file }),
  };
}

function showStretch(message: Message, { part, call }: Source, from: number, to: number): Stretch {
  const shown = message.parts[part];
  const file = call === undefined ? undefined : toolTarget(call.tool, call.input);
  return {
    message: message.id,
    role: message.role,
    origin: message.origin,
    ...(call === undefined ? {} : { tool: call.tool }),
    ...(file === undefined ? {} : { file }),
    text: shown === undefined ? '' : showPart(shown).slice(from, to),
  };
}

/** The line with the most of the query's terms, or with the query itself; the first of equals. */
function findLine(text: string, query: string): string {
  const wanted = new Set<number>();
  readTerms(query, 0, query.length, (term) => wanted.add(term));
  let [best, most] = ['', -1];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const held = new Set<number>();
    readTerms(line, 0, line.length, (term) => {
      if (wanted.has(term)) held.add(term);
    });
    const literally = wanted.size === 0 || line.toLowerCase().includes(query.trim().toLowerCase()) ? 1 : 0;
    if (held.size + literally > most) [best, most] = [line, held.size + literally];
  }
  return best.trim();
}
