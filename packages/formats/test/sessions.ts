import type { ContentPart, Json, Message, Part, Usage } from '@palimpsest/core';
import fc from 'fast-check';
import { type AboutCompaction, type RecordedUsage, type SessionRecord, viewOf, withCompaction } from '../src/index.ts';
import { clearResults } from '../src/recording/clear-results.ts';

/** Sessions as any agent might have had them: odd ids, words that look like markup, calls nobody answered. */

const words = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }) },
  fc.constantFrom(
    '<command-name>/compact</command-name>',
    '<system-reminder>x</system-reminder>',
    '[old result cleared]',
    '  ',
    '',
    '# AGENTS.md instructions',
    'two\nlines\r\n',
  ),
);

// Through JSON and back: it has no -0.
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
const absent = fc.constant(undefined);
const clean = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

const media: fc.Arbitrary<ContentPart> = fc
  .record({
    kind: fc.constantFrom('image', 'document', 'audio'),
    name: fc.option(words, { nil: undefined }),
    data: fc.base64String({ minLength: 4 }),
    isUrl: fc.boolean(),
  })
  .map(({ kind, name, data, isUrl }) =>
    clean({
      type: 'media',
      kind: kind as 'image',
      mediaType: kind === 'document' ? 'application/pdf' : `${kind}/x`,
      name,
      ...(isUrl ? { url: `https://example.org/${data.length}` } : { data }),
    }),
  );

const native: fc.Arbitrary<ContentPart> = fc
  .record({ wire: fc.constantFrom('anthropic-messages', 'pi', 'gemini'), block: json })
  .map(({ wire, block }) => ({ type: 'native', wire, block }));

const text: fc.Arbitrary<ContentPart> = words.map((value) => ({ type: 'text', text: value }));
const content = fc.oneof({ weight: 5, arbitrary: text }, media, native);

const reasoning: fc.Arbitrary<Part> = fc
  .record({ text: words, signature: fc.option(fc.string({ minLength: 1 }), { nil: undefined }) })
  .map((part) => clean({ type: 'reasoning', ...part }));

const call = (callId: string): fc.Arbitrary<Part> =>
  fc
    .record({
      tool: fc.constantFrom('bash', 'read_file', ''),
      input: json,
      signature: fc.option(fc.constant('ts'), { nil: undefined }),
    })
    .map((part) => clean({ type: 'call', callId, ...part }));

const result = (callId: string): fc.Arbitrary<Part> =>
  fc
    .record({ content: fc.array(content, { maxLength: 3 }), isError: fc.option(fc.constant(true), { nil: undefined }) })
    .map((part) => clean({ type: 'result', callId, ...part }));

type Said = Omit<Message, 'id'>;
const time = fc.option(fc.integer({ min: 0, max: 2e12 }), { nil: undefined });
const said = (message: Omit<Said, 'at'>): fc.Arbitrary<Said> => time.map((at) => clean({ ...message, at }));

const prompt: fc.Arbitrary<Said> = fc
  .record({
    origin: fc.constantFrom('human', 'harness', 'tool', 'palimpsest'),
    parts: fc.array(content, { minLength: 1, maxLength: 3 }),
  })
  .chain(({ origin, parts }) => said({ role: 'user', origin: origin as 'human', parts }));

/** A response with calls, then results: all in one message or one by one, some missing, some with words beside them. */
const round: fc.Arbitrary<readonly Said[]> = fc
  .record({
    before: fc.array(fc.oneof(reasoning, content), { maxLength: 3 }),
    callIds: fc.uniqueArray(fc.constantFrom('c1', 'c2', 'call|3', 'toolu_4', 'ü'), { maxLength: 3 }),
    shape: fc.constantFrom('each', 'all', 'none', 'mixed'),
  })
  .chain(({ before, callIds, shape }) => {
    const calls = fc.tuple(...callIds.map(call));
    const results = fc.tuple(...callIds.map(result));
    return fc.tuple(calls, results, content, time, time).map(([made, answered, beside, at, later]) => {
      const response: Said = clean({ role: 'assistant', origin: 'model', parts: [...before, ...made], at });
      const tool = (parts: readonly Part[]): Said => clean({ role: 'user', origin: 'tool', parts, at: later });
      if (shape === 'none' || answered.length === 0) return [response];
      if (shape === 'each') return [response, ...answered.map((one) => tool([one]))];
      return [response, tool(shape === 'all' ? answered : [beside, ...answered])];
    });
  });

const chunk = fc
  .array(
    fc.oneof(
      prompt.map((one) => [one]),
      round,
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((some) => some.flat());

const aboutReport = fc.record(
  { window: fc.nat(1e6), model: fc.constantFrom('gpt-10', 'gpt-11'), request: fc.constantFrom('req_1', 'req_2') },
  { requiredKeys: [] },
);

const usage = fc.record(
  { input: fc.nat(1e6), output: fc.nat(1e5), cacheRead: fc.nat(1e6), cacheWrite: fc.nat(1e6) },
  { requiredKeys: ['output'] },
) as fc.Arbitrary<Usage>;

/** How a view is compacted: how much of its end stays, and what becomes of the rest. */
const change = fc.record({
  keep: fc.nat(6),
  way: fc.constantFrom('summary', 'clear', 'copies', 'assistant', 'empty', 'nothing'),
  trigger: fc.option(fc.constantFrom('auto', 'manual', 'idle'), { nil: undefined }),
  tokensBefore: fc.option(fc.nat(1e6), { nil: undefined }),
  when: time,
  summary: fc.string({ minLength: 1 }),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function compacted(session: SessionRecord, { keep, way, summary, ...rest }: Change, number: number): SessionRecord {
  const last = session.compactions.at(-1);
  const view =
    last === undefined ? session.messages : [...viewOf(last, session.messages), ...session.messages.slice(last.at)];
  const tail = view.slice(Math.max(0, view.length - keep));
  const about = clean(rest);
  const callIds = view.flatMap((message) =>
    message.parts.flatMap((part) => (part.type === 'result' ? part.callId : [])),
  );
  const cleared = [...new Set(callIds)].slice(0, 2);
  const put = (role: 'user' | 'assistant'): Message => ({
    id: `s${number}`,
    role,
    origin: 'palimpsest',
    parts: [{ type: 'text', text: summary }],
    ...(view[0] === undefined ? {} : { standsFor: { from: view[0].id, to: view.at(-1)!.id } }),
  });
  const told: AboutCompaction = { type: 'summary', summary, summaryId: `s${number}`, ...about };
  if (way === 'summary') return withCompaction(session, [put('user'), ...tail], told);
  if (way === 'assistant') return withCompaction(session, [put('assistant'), ...tail], told);
  if (way === 'clear')
    return withCompaction(session, clearResults(view, new Set(cleared)), { type: 'clear', cleared, ...about });
  if (way === 'copies') return withCompaction(session, [put('user'), ...clearResults(tail, new Set(cleared))], told);
  return withCompaction(session, way === 'empty' ? [] : view, { type: 'snapshot', ...about });
}

const ids = fc.uniqueArray(
  fc.oneof(
    fc.uuid(),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
    fc.nat(0xffffffff).map((n) => n.toString(16).padStart(8, '0')),
  ),
  { minLength: 60, maxLength: 60 },
);

export const sessions: fc.Arbitrary<SessionRecord> = fc
  .record({
    ids,
    chunks: fc.array(fc.tuple(chunk, change), { minLength: 1, maxLength: 3 }),
    usages: fc.array(fc.tuple(fc.nat(20), usage, aboutReport), { maxLength: 4 }),
    model: fc.oneof(absent, fc.constantFrom('claude-opus-9', 'gpt-9')),
    id: fc.oneof(fc.uuid(), fc.constant('run 7')),
  })
  .map(({ ids: names, chunks, usages, model, id }) => {
    let session: SessionRecord = clean({ id, cwd: '/home/ada', model, messages: [], usage: [], compactions: [] });
    for (const [number, [some, how]] of chunks.entries()) {
      const from = session.messages.length;
      const messages = [
        ...session.messages,
        ...some.map((one, index): Message => ({ id: `${names[from + index] ?? from + index}`, ...one })),
      ];
      session = compacted({ ...session, messages }, how, number);
    }
    return { ...session, usage: reported(session.messages, usages) };
  });

function reported(
  messages: readonly Message[],
  usages: readonly (readonly [number, Usage, Omit<RecordedUsage, 'after' | 'usage'>])[],
): readonly RecordedUsage[] {
  const byPlace = new Map<number, RecordedUsage>();
  for (const [place, one, about] of usages)
    if (messages[place]?.role === 'assistant' && Object.values(one).some((count) => count > 0))
      byPlace.set(place, { after: place, usage: one, ...about });
  return [...byPlace.values()].sort((a, b) => a.after - b.after);
}
