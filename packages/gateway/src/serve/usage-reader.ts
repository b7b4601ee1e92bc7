import { asFields, parseJson } from '@palimpsest/core/json';
import type { Wire } from '@palimpsest/wire';
import type { RequestLine } from '../account/request-line.ts';

type Usage = NonNullable<RequestLine['usage']>;

/** Reads off an answer what the provider says that it cost. */
export interface UsageReader {
  /** Whole events of a stream. */
  readEvents(events: Buffer): void;
  /** A whole answer, parsed. */
  readAnswer(answer: unknown): void;
  usage(): Usage | undefined;
}

export function createUsageReader(wire: Pick<Wire<never>, 'usage'>): UsageReader {
  let found: Usage = {};
  const read = (value: unknown): void => {
    const { input, output, cacheRead, cacheWrite } = wire.usage(value).usage;
    found = { ...found, ...omitUnstated({ input, output, cacheRead, cacheWrite }) };
  };
  return {
    readEvents(events) {
      // Most events are text; those about usage are few.
      if (!events.includes('"usage')) return;
      for (const line of events.toString('utf8').split('\n')) {
        if (!line.startsWith('data:') || !line.includes('"usage')) continue;
        const value = parseJson(line.slice('data:'.length));
        if (value !== undefined) read(value);
      }
    },
    readAnswer: (answer) => {
      if (Object.keys(asFields(answer)).length > 0) read(answer);
    },
    usage: () => (Object.keys(found).length === 0 ? undefined : found),
  };
}

/** Rounds of one request cost together. */
export function addUsage(line: RequestLine, usage: Usage | undefined): void {
  if (usage === undefined) return;
  const before: Readonly<Record<string, number>> = line.usage ?? {};
  const sums = Object.entries(usage).map(([name, tokens]) => [name, (before[name] ?? 0) + tokens] as const);
  line.usage = { ...before, ...Object.fromEntries(sums) };
}

const omitUnstated = (fields: Readonly<Record<string, number | undefined>>): Usage =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Usage;
