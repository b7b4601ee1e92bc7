import { assistant, call, type Message, type NewMessage, repair, result, results, text, user } from '@palimpsest/core';
import { asFields } from '@palimpsest/core/json';
import { fastOrDeep } from '@palimpsest/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAnthropicApi } from '../src/anthropic/api.ts';
import type { Api, Prepared } from '../src/api/api.ts';
import { createGeminiApi } from '../src/gemini/api.ts';
import { readJson } from '../src/http/read-json.ts';
import { DEFAULT_MODELS, type Sim, type SimModel, startSim } from '../src/index.ts';
import { createChatApi, createResponsesApi } from '../src/openai/api.ts';
import { createCounter } from '../src/prompt/counter.ts';
import { CALL_IDS, hostileHistories, type Target, TEXTS, TOOL_NAMES, targets } from './hostile.ts';
import { post } from './talk.ts';

const strict: SimModel = {
  ...DEFAULT_MODELS.find(({ name }) => name === 'gpt-5.5')!,
  name: 'strict',
  alternates: true,
};
const models: readonly SimModel[] = [...DEFAULT_MODELS, strict];

const counter = createCounter(undefined);
const APIS: Readonly<Record<string, Api<Prepared>>> = {
  'anthropic-messages': createAnthropicApi(counter) as Api<Prepared>,
  'openai-chat': createChatApi(counter) as Api<Prepared>,
  'openai-responses': createResponsesApi(counter) as Api<Prepared>,
  gemini: createGeminiApi(counter) as Api<Prepared>,
};

/** What the simulator, which shares no line with the encoders, has against a body; in process, from its bytes. */
function findRefusal({ wire, path, model }: Target, body: unknown): string | undefined {
  const read = readJson(JSON.stringify(body));
  if ('detail' in read) return read.detail;
  const incoming = { path, query: new URLSearchParams(), headers: { 'anthropic-version': '2023-06-01' }, key: 'key' };
  const known = models.find(({ name }) => name === model);
  return APIS[wire.name]!.check(read.value, incoming, known)?.message;
}

const mend = (history: readonly NewMessage[]): readonly Message[] => repair(history).messages;

/** What both judges have against a body. */
function findFaults(target: Target, body: object): readonly string[] {
  const refusal = findRefusal(target, body);
  const found = target.wire.validate(body as never).map(({ path, message }) => `validate(): ${path} ${message}`);
  return [...found, ...(refusal === undefined ? [] : [`simulator: ${refusal}`])];
}

/** A view as layers make it: some results give way. */
const clear = (messages: readonly Message[], every: number): readonly Message[] =>
  messages.map((message, m) => ({
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'result' && m % every === 0 ? { ...part, content: [text('[cleared]')] } : part,
    ),
  }));

describe.each(targets)('$label', (target) => {
  const { wire, template } = target;
  const encode = (view: readonly Message[], body: object): object => wire.encode(view, body as never).body;

  it('whatever a history holds, what is sent is taken, and the next request begins with the same bytes', () => {
    fc.assert(
      fc.property(hostileHistories, fc.integer({ min: 1, max: 4 }), (history, every) => {
        const whole = mend(history);
        const sent = encode(whole, template);
        expect(findFaults(target, sent), JSON.stringify(sent)).toEqual([]);
        // A host that keeps the body: what it sends again goes as it came, and so it does with results cleared.
        const again = wire.decode(sent as never).messages;
        expect(encode(again, sent)).toBe(sent);
        const cleared = encode(clear(again, every), sent);
        expect(findFaults(target, cleared), JSON.stringify(cleared)).toEqual([]);
        const grown = encode([...whole, ...mend([assistant('done'), user('more')])], template);
        const spell = (body: object): string => JSON.stringify(listIn(body)).slice(0, -1);
        expect(spell(grown).startsWith(spell(sent))).toBe(true);
      }),
      { numRuns: fastOrDeep(300, 4_000) },
    );
  });

  it('a conversation that came from another provider is taken, and so is one that came in its own words', () => {
    fc.assert(
      fc.property(hostileHistories, fc.constantFrom(...targets), (history, from) => {
        // As the other provider would have it, with names and ids that only that one takes.
        const there = from.wire.decode(from.wire.encode(mend(history), from.template as never).body).messages;
        const sent = encode(there, template);
        expect(findFaults(target, sent), JSON.stringify(sent)).toEqual([]);
      }),
      { numRuns: fastOrDeep(60, 2_000) },
    );
  });
});

function listIn(body: object): readonly unknown[] {
  const { messages, input, contents } = body as Record<string, readonly unknown[] | undefined>;
  return messages ?? input ?? contents ?? [];
}

const once = (tool: string, id = 'c1', input: unknown = {}, answer = result(id, 'There is no such tool.', true)) => [
  user('Read it.'),
  assistant([call(id, tool, input as never)]),
  results([answer]),
  user('go on'),
];

/** One thing at a time, over HTTP. */
const shapes: readonly (readonly [what: string, history: readonly NewMessage[]])[] = [
  ...TOOL_NAMES.map((name) => [`a call of ${JSON.stringify(name.slice(0, 20))}`, once(name)] as const),
  ...CALL_IDS.map((id) => [`a call with the id ${JSON.stringify(id.slice(0, 20))}`, once('read', id)] as const),
  ...TEXTS.flatMap((words) => [
    [`the user's words ${JSON.stringify(words)}`, [user('a'), assistant('b'), user([text('x'), text(words)])]] as const,
    [
      `the model's words ${JSON.stringify(words)}`,
      [user('a'), assistant([text('b'), text(words)]), user('c')],
    ] as const,
    [`a result ${JSON.stringify(words)}`, once('read', 'c1', {}, result('c1', [text(words)]))] as const,
    [`a failed result ${JSON.stringify(words)}`, once('read', 'c1', {}, result('c1', [text(words)], true))] as const,
  ]),
  ...['raw words', 42, null, [1]].map(
    (input) => [`an input of ${JSON.stringify(input)}`, once('read', 'c1', input)] as const,
  ),
  ['the same id in every round', [...once('read'), ...once('read'), ...once('write')]],
  ['a failed result without a word', once('read', 'c1', {}, result('c1', [], true))],
  ['a result that comes twice', [...once('read').slice(0, 3), results([result('c1', 'again')]), user('go on')]],
  ['a call that nobody answered', [user('a'), assistant([call('c1', 'read')]), assistant('b'), user('c')]],
  ['a message without parts', [user('a'), assistant([]), user([])]],
];

describe.each(targets)('$label over HTTP', (target) => {
  let sim: Sim;
  beforeAll(async () => {
    sim = await startSim({ models: [strict] });
  });
  afterAll(() => sim.close());

  it.each(shapes.map(([what, history]) => ({ what, history })))('takes $what', async ({ history }) => {
    const { body } = target.wire.encode(mend(history), target.template as never);
    expect(target.wire.validate(body)).toEqual([]);
    const said = await post(sim.url, target.path, body);
    expect(said.status, said.text).toBe(200);
  });
});

it('an answer that is to be continued does not end in blanks', async () => {
  const target = targets[0]!;
  const history = mend([user('a'), assistant('ends in blanks \n ')]);
  const { body } = target.wire.encode(history, target.template as never);
  expect(findFaults(target, body)).toEqual([]);
  expect(asFields(listIn(body).at(-1)).role).toBe('assistant');
});
