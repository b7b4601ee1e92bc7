import { assistant, call, type Message, type NewMessage, result, results, user } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { createProviderClient, openaiResponses, restoreNames, type ToolNameMap, type Wire } from '../src/index.ts';
import { targets } from './targets.ts';

const NAME = 'default_api:fs.read';
/** Refused by all four, by Gemini too. */
const BAD = 'read file';

const named = (history: readonly NewMessage[]): readonly Message[] =>
  history.map((message, i) => ({ ...message, id: `h${i}`, origin: message.origin ?? 'human' }));

const round = (tool: string, id = 'c1'): readonly NewMessage[] => [
  assistant([call(id, tool, { path: 'a.ts' })]),
  results([result(id, `of ${id}`)]),
];

const history = (...rounds: readonly (readonly NewMessage[])[]): readonly Message[] =>
  named([user('go'), ...rounds.flat(), user('on')]);

type Target = (typeof targets)[number];

const encode = ({ wire, template }: Pick<Target, 'wire' | 'template'>, view: readonly Message[], more: object = {}) =>
  wire.encode(view, { ...template, ...more } as never) as { body: object; names?: ToolNameMap };

const callsOf = ({ wire }: Pick<Target, 'wire'>, body: object) =>
  (wire as Wire<never>)
    .decode(body as never)
    .messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'call'));

/** Tools as each API declares them, and a choice of the first. */
const declare = (label: string, names: readonly string[]): object => {
  if (label.startsWith('anthropic'))
    return { tools: names.map((name) => ({ name, input_schema: {} })), tool_choice: { type: 'tool', name: names[0] } };
  if (label === 'gemini')
    return {
      tools: [{ functionDeclarations: names.map((name) => ({ name })) }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: names } },
    };
  if (label === 'responses')
    return {
      tools: [...names.map((name) => ({ type: 'function', name })), { type: 'web_search' }],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: names.map((name) => ({ type: 'function', name })) },
    };
  return {
    tools: names.map((name) => ({ type: 'function', function: { name } })),
    tool_choice: { type: 'function', function: { name: names[0] } },
  };
};

describe.each(targets)('$label', (target) => {
  const { wire, label } = target;

  it('a name that is refused goes out as one that is taken, and the answer gets its own back', () => {
    const { body, names } = encode(target, history(round(BAD)));
    const [made] = callsOf(target, body);
    expect(made!.tool).toMatch(/^read_file_[0-9a-f]{12}$/);
    expect(wire.validate(body as never)).toEqual([]);
    expect(restoreNames([made!], names)).toMatchObject([{ type: 'call', tool: BAD }]);
  });

  it('names that are taken go out as they are, and nothing is to be restored', () => {
    const { body, names } = encode(target, history(round('read'), round('mcp__files__list-all', 'c2')));
    expect(callsOf(target, body).map(({ tool }) => tool)).toEqual(['read', 'mcp__files__list-all']);
    expect(names).toBeUndefined();
  });

  it('a name is mapped alike in every request, whatever comes behind', () => {
    const short = encode(target, history(round(BAD), round('a b', 'c2')));
    const long = encode(target, history(round(BAD), round('a b', 'c2'), round('a_b', 'c3'), round('a/b', 'c4')));
    const tools = callsOf(target, long.body).map(({ tool }) => tool);
    expect(tools.slice(0, 2)).toEqual(callsOf(target, short.body).map(({ tool }) => tool));
    expect(new Set(tools).size).toBe(4);
  });

  it('a tool of the request that bears the mapped name keeps it; the other gets another', () => {
    const plain = callsOf(target, encode(target, history(round(BAD))).body)[0]!.tool;
    const { body, names } = encode(target, history(round(BAD)), declare(label, [plain]));
    const [made] = callsOf(target, body);
    expect(made!.tool).not.toBe(plain);
    expect(names).toEqual({ [made!.tool]: BAD });
    expect(JSON.stringify(body)).toContain(`"name":"${plain}"`);
    expect(wire.validate(body as never)).toEqual([]);
  });

  it('tools that are declared and chosen by a refused name go out as the calls do', () => {
    const { body, names } = encode(target, history(round(BAD)), declare(label, [BAD, 'read']));
    expect(JSON.stringify(body)).not.toContain(BAD);
    expect(Object.values(names!)).toEqual([BAD]);
    const [wireName] = Object.keys(names!);
    const { messages: _, contents: __, input: ___, ...besides } = body as Record<string, unknown>;
    expect(JSON.stringify(besides).split(`"${wireName}"`).length - 1).toBe(2);
    expect(wire.validate(body as never)).toEqual([]);
  });

  it('what a host sent itself is mended too, nothing else in it is touched, and the host need not know', () => {
    const sent = encode(target, history(round('read')), { extra: { kept: true } }).body;
    const given = JSON.parse(JSON.stringify(sent).replaceAll('"read"', `"${BAD}"`));
    const { messages } = wire.decode(given as never);
    expect(messages.flatMap(({ parts }) => parts)).toContainEqual(expect.objectContaining({ tool: BAD }));
    const { body, names } = wire.encode(messages, given as never) as { body: object; names: ToolNameMap };
    const [wireName] = Object.keys(names);
    expect(JSON.stringify(body)).toBe(JSON.stringify(given).replaceAll(`"${BAD}"`, `"${wireName}"`));
    // The next request of the host holds its own name again.
    expect(wire.encode(messages, given as never)).toEqual({ headers: {}, body, names });
  });

  it('an id that comes again goes out as another, with its result, and the first stays as it was', () => {
    const { body } = encode(target, history(round('read'), round('read'), round('write'), round('read', 'c1_2')));
    const { messages } = wire.decode(body as never);
    const ids = callsOf(target, body).map(({ callId }) => callId);
    const answers = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'result'));
    expect(new Set(ids).size).toBe(4);
    if (label !== 'gemini') expect(ids).toEqual(['c1', 'c1_2', 'c1_3', 'c1_2_2']);
    expect(answers.map(({ callId }) => callId)).toEqual(ids);
    expect(wire.validate(body as never)).toEqual([]);
  });

  it('half a surrogate pair leaves nobody: neither in texts, names and inputs nor in what stands beside the messages', () => {
    const half = 'half \ud83d';
    const view = named([
      user(half),
      assistant([call(half, half, { [half]: [half] })]),
      results([result(half, half)]),
      user('on'),
    ]);
    const { body } = encode(target, view, { system: half, instructions: half, ...declare(label, [half]) });
    expect(JSON.stringify(body)).not.toMatch(/\\ud83d/i);
    expect(JSON.stringify(body)).toContain('half \ufffd');
    expect(wire.validate(body as never).map(({ rule }) => rule)).not.toContain('lone-surrogate');
  });

  it('half a pair in a body is read as what is sent, so what follows it is still known', () => {
    const whole = encode(target, history(round('read'))).body;
    const given = JSON.parse(JSON.stringify(whole).replaceAll('of c1', 'of c1 \\ud83d')) as object;
    const { messages } = wire.decode(given as never);
    expect(JSON.stringify(messages)).toContain('of c1 \ufffd');
    const { body } = wire.encode(structuredClone(messages), given as never);
    expect(JSON.stringify(body)).toBe(JSON.stringify(given).replaceAll('\\ud83d', '\ufffd'));
  });
});

it('arguments that spell half a pair out do not bring it back on another wire', () => {
  const item = { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"\\ud83d"}' };
  const given = {
    input: [{ role: 'user', content: 'go' }, item, { type: 'function_call_output', call_id: 'c1', output: 'x' }],
  };
  const { messages } = openaiResponses.decode(given);
  for (const target of targets) expect(target.wire.validate(encode(target, messages).body as never)).toEqual([]);
  expect(openaiResponses.encode(messages, given).body).toBe(given);
});

it('Gemini takes dots and colons, so there such a name stays', () => {
  const gemini = targets.find(({ label }) => label === 'gemini')!;
  expect(callsOf(gemini, encode(gemini, history(round(NAME))).body)[0]!.tool).toBe(NAME);
});

it('a client that is told the names hands the answer back with the tools’ own', async () => {
  const names = { read_file_1: BAD };
  const message = {
    choices: [
      {
        message: { tool_calls: [{ id: 'a', function: { name: 'read_file_1', arguments: '{}' } }] },
        finish_reason: 'tool_calls',
      },
    ],
  };
  const client = createProviderClient({ api: 'openai-chat', model: 'm', endpoint: async () => Response.json(message) });
  expect((await client.ask({}, { names })).parts).toMatchObject([{ type: 'call', tool: BAD }]);
  expect((await client.ask({})).parts).toMatchObject([{ type: 'call', tool: 'read_file_1' }]);
});
