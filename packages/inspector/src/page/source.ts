import type { AuditPage, Course, Embedded, Found, Inspection, ReadText, SummaryText } from '../model/inspection.ts';
import { searchTexts } from '../model/search-texts.ts';

/** What the page may ask to be done: to the compaction of a walk, or to the message at a place. */
export type Change = 'undo' | 'pin' | 'unpin';

/** Where the page has what it shows from: a server, or itself. */
export interface Source {
  readonly isLive: boolean;
  inspection(): Promise<Inspection>;
  text(course: string, name: string, offset?: number): Promise<ReadText | undefined>;
  summary(course: string, cliff: number): Promise<SummaryText | undefined>;
  search(query: string): Promise<Found>;
  /** Undefined where there is none, such as of a session of ours. */
  audit(): Promise<AuditPage | undefined>;
  /** Undefined where nobody can reckon it. */
  readonly imagine?: (preset: string, window: number) => Promise<Course>;
  readonly change?: (what: Change, of: number) => Promise<void>;
  readonly watch?: (onChange: () => void) => void;
  /** The address of the page as one file. */
  readonly exportUrl?: string;
}

/** Everything is in the page: nothing is asked of anybody. */
function newEmbeddedSource({ inspection, texts, made, summaries, audit }: Embedded): Source {
  return {
    isLive: false,
    inspection: async () => inspection,
    async text(course, name) {
      const text = /^#\d+$/.test(name) ? texts[Number(name.slice(1)) - 1] : made[`${course}/${name}`];
      return text === undefined ? undefined : { text, chars: text.length };
    },
    summary: async (course, cliff) => summaries[`${course}/${cliff}`],
    async search(query) {
      const { ids, titles } = inspection.messages;
      return searchTexts(
        { texts: ids.map((_, place) => texts[place]), ids, titles, own: inspection.courses[0] },
        query,
      );
    },
    audit: async () => audit,
  };
}

/** A server on this machine answers, with the key that stands in the page's address. */
function newServerSource(key: string): Source {
  const ask = async (path: string, asked: Record<string, string>, method = 'GET'): Promise<unknown> => {
    const answer = await fetch(`${path}?${new URLSearchParams(asked)}`, {
      method,
      headers: { 'x-palimpsest-key': key },
    });
    if (answer.status === 404) return undefined;
    const value = (await answer.json()) as { readonly error?: string };
    if (!answer.ok) throw new Error(value.error ?? `the server answered ${answer.status}`);
    return value;
  };
  return {
    isLive: true,
    inspection: () => ask('inspection', {}) as Promise<Inspection>,
    text: (course, name, offset = 0) =>
      ask('text', { course, name, offset: String(offset) }) as Promise<ReadText | undefined>,
    summary: (course, cliff) => ask('summary', { course, cliff: String(cliff) }) as Promise<SummaryText | undefined>,
    search: (query) => ask('search', { query }) as Promise<Found>,
    audit: () => ask('audit', {}) as Promise<AuditPage | undefined>,
    imagine: (preset, window) => ask('imagine', { preset, window: String(window) }) as Promise<Course>,
    change: async (what, of) => void (await ask(what, { [what === 'undo' ? 'walk' : 'place']: String(of) }, 'POST')),
    watch(onChange) {
      const events = new EventSource(`events?${new URLSearchParams({ key })}`);
      events.addEventListener('changed', onChange);
    },
    exportUrl: `export?${new URLSearchParams({ key })}`,
  };
}

export function openSource(): Source {
  const embedded = document.getElementById('embedded');
  if (embedded !== null) return newEmbeddedSource(JSON.parse(embedded.textContent ?? '{}') as Embedded);
  return newServerSource(new URLSearchParams(location.search).get('key') ?? '');
}
