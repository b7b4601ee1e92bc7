import { call, type Message, result, text } from '@palimpsest/core';
import { blocks } from '@palimpsest/testing/bodies/anthropic';
import { describe, expect, it } from 'vitest';
import { anthropicMessages } from '../src/index.ts';

const cached = { type: 'ephemeral' } as const;
const say = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });
const image = { type: 'media', kind: 'image', mediaType: 'image/png', data: 'iVBORw0K' } as const;

const message = (id: string, role: Message['role'], ...parts: Message['parts']): Message => ({
  id,
  role,
  origin: role === 'user' ? 'human' : 'model',
  parts,
});
const encode = (view: readonly Message[], body: object = { model: 'm', messages: [] }, options: object = {}) =>
  anthropicMessages.encode(view, body as { messages: [] }, options);
const sent = (view: readonly Message[]): unknown[] => encode(view).body.messages as unknown[];

describe('a view that was made, not read', () => {
  it('results stand first in one message, text that came meanwhile behind them', () => {
    const view = [
      message('1', 'user', text('go')),
      message('2', 'assistant', call('a', 'read'), call('b', 'read')),
      message('3', 'user', result('a', 'A')),
      message('4', 'user', text('hurry')),
      message('5', 'user', result('b', 'B')),
    ];
    expect(sent(view).slice(2)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [say('A')] },
          { type: 'tool_result', tool_use_id: 'b', content: [say('B')] },
          say('hurry'),
        ],
      },
    ]);
  });

  it('an error is flagged, and what it shows stands behind it', () => {
    const view = [
      message('1', 'user', text('go')),
      message('2', 'assistant', call('a', 'shot')),
      message('3', 'user', result('a', [text('no'), image], true)),
    ];
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0K' };
    expect(sent(view).at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: [say('no')], is_error: true },
        { type: 'image', source },
      ],
    });
    const fine = [...view.slice(0, 2), message('3', 'user', result('a', [text('ok'), image]))];
    expect(sent(fine).at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: [say('ok'), { type: 'image', source }] }],
    });
  });

  it('the user begins, where the model would', () => {
    expect(sent([message('1', 'assistant', text('hello')), message('2', 'user', text('hi'))])).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'user' },
    ]);
  });

  it('signed thinking goes whole or not at all: not without a signature, not to another provider, not at the end', () => {
    const signed = { type: 'reasoning', text: 't', signature: 's' } as const;
    const foreign = { ...signed, native: { 'openai-responses': { item: {} } } };
    const view = [
      message('1', 'user', text('a')),
      message('2', 'assistant', signed, foreign, { type: 'reasoning', text: 'open' }, text('b'), signed),
      message('3', 'user', text('c')),
    ];
    expect(sent(view)[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 't', signature: 's' }, say('b')],
    });
  });

  it('an id that Anthropic would refuse maps to the same new id in call and result', () => {
    const view = [
      message('1', 'user', text('a')),
      message('2', 'assistant', call('functions.bash:0', 'bash')),
      message('3', 'user', result('functions.bash:0', 'x')),
    ];
    const [, asked, answered] = sent(view) as { content: { id?: string; tool_use_id?: string }[] }[];
    expect(asked!.content[0]!.id).toMatch(/^functions_bash_0_[0-9a-f]{12}$/);
    expect(answered!.content[0]!.tool_use_id).toBe(asked!.content[0]!.id);
  });
});

describe('a view of a body', () => {
  const body = {
    model: 'claude-opus-5-5',
    system: 'be brief',
    tools: [{ name: 'a' }, { name: 'later', defer_loading: true }],
    messages: [
      { role: 'user', content: 'one' },
      {
        role: 'assistant',
        content: [
          { id: 'x', type: 'tool_use', name: 'read', input: { b: 1, a: 2 } },
          { type: 'tool_use', id: 'y', name: 'click', toolset_name: 'browser', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { tool_use_id: 'x', type: 'tool_result', content: 'long' },
          { type: 'tool_result', tool_use_id: 'y', toolset_name: 'browser', content: [say('clicked')] },
          say('next', { cache_control: cached }),
        ],
      },
    ],
  };
  const { messages } = anthropicMessages.decode(body);
  const last = messages[2]!;

  it("blocks that did not change are the caller's own, down to the order of keys; an edited one keeps its breakpoint", () => {
    const cleared = {
      ...last,
      parts: last.parts.map((part, i) =>
        i === 0 && part.type === 'result'
          ? { ...part, content: [text('[cleared]')] }
          : i === 2
            ? text('shorter')
            : part,
      ),
    };
    const out = encode([messages[0]!, messages[1]!, cleared], body).body.messages as unknown as typeof body.messages;
    expect(out.slice(0, 2)).toEqual(body.messages.slice(0, 2));
    expect(JSON.stringify(out[2]!.content[1])).toBe(JSON.stringify(body.messages[2]!.content[1]));
    expect(out[2]!.content[0]).toEqual({ type: 'tool_result', tool_use_id: 'x', content: [say('[cleared]')] });
    const marked = {
      ...last,
      parts: last.parts
        .slice(0, 1)
        .map((part) => (part.type === 'result' ? { ...part, content: [text('[cleared]')] } : part)),
    };
    const withMark = {
      ...body,
      messages: [
        ...body.messages.slice(0, 2),
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: 'long', cache_control: cached }] },
      ],
    };
    const again = anthropicMessages.decode(withMark).messages;
    const edited = { ...again[2]!, parts: marked.parts };
    expect(
      (encode([...again.slice(0, 2), edited], withMark).body.messages as unknown as typeof body.messages)[2]!
        .content[0],
    ).toEqual({ type: 'tool_result', tool_use_id: 'x', content: [say('[cleared]')], cache_control: cached });
  });

  it("a result that a layer made for a toolset's call names the toolset", () => {
    const closing = message('made', 'user', result('x', 'X'), result('y', 'none', true));
    const out = encode([messages[0]!, messages[1]!, closing], body).body.messages as unknown as typeof body.messages;
    expect(out[2]!.content[1]).toMatchObject({ tool_use_id: 'y', toolset_name: 'browser', is_error: true });
  });

  it("where all the caller's breakpoints among the messages went, one is set at the end", () => {
    const view = [
      message('n', 'user', text('all of it, in short')),
      message('m', 'assistant', text('ok')),
      message('o', 'user', text('go')),
    ];
    const out = encode(view, body).body.messages;
    expect(JSON.stringify(out).match(/cache_control/g)).toHaveLength(1);
    expect(out.at(-1)).toEqual({ role: 'user', content: [say('go', { cache_control: cached })] });
  });

  it('the one that is set lives as long as the newest of those that went', () => {
    const hour = { type: 'ephemeral', ttl: '1h' } as const;
    const messages = [
      { role: 'user', content: [say('first', { cache_control: hour })] },
      { role: 'assistant', content: 'ok' },
      { role: 'user', content: [say('second', { cache_control: hour })] },
    ];
    const out = anthropicMessages.encode([message('n', 'user', text('in short'))], { messages }).body.messages;
    expect(out).toEqual([{ role: 'user', content: [say('in short', { cache_control: hour })] }]);
  });

  it("half of a server tool's pair does not stay alone", () => {
    const withServer = {
      messages: [
        { role: 'user', content: 'q' },
        {
          role: 'assistant',
          content: [
            { ...blocks.server_tool_use, id: 'srvtoolu_4' },
            { type: 'tool_use', id: 'a', name: 'f', input: {} },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
        { role: 'assistant', content: [blocks.code_execution_tool_result, say('done')] },
        { role: 'user', content: 'thanks' },
      ],
    };
    const read = anthropicMessages.decode(withServer).messages;
    const view = [message('n', 'user', text('notice')), ...read.slice(3)];
    const out = anthropicMessages.encode(view, withServer).body;
    expect(out.messages[1]).toEqual({ role: 'assistant', content: [say('done')] });
    expect(anthropicMessages.validate(out)).toEqual([]);
  });
});

describe('breakpoints', () => {
  const long = (rounds: number) => ({
    system: 'be brief',
    tools: [{ name: 'a' }, { name: 'b' }, { name: 'later', defer_loading: true }],
    messages: [
      { role: 'user', content: 'go' },
      ...Array.from({ length: rounds }, (_, i) => [
        { role: 'assistant', content: [blocks.thinking, { type: 'tool_use', id: `c${i}`, name: 'a', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${i}`, content: 'r' }] },
      ]).flat(),
    ],
  });
  const place = (body: object) =>
    anthropicMessages.encode(anthropicMessages.decode(body as never).messages, body as { messages: [] }, {
      cacheBreakpoints: true,
    }).body as unknown as ReturnType<typeof long>;
  const marks = (body: object) => JSON.stringify(body).match(/cache_control/g)?.length ?? 0;

  it('four are placed: tools, system, where the last request ended, and the end', () => {
    const body = place(long(5));
    expect(marks(body)).toBe(4);
    expect(body.tools.map((tool) => 'cache_control' in tool)).toEqual([false, true, false]);
    expect(body.system).toEqual([say('be brief', { cache_control: cached })]);
    expect(body.messages.map((one) => marks(one))).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1]);
    expect(anthropicMessages.validate(body as never)).toEqual([]);
  });

  it('the end of one request is marked again in the next, so the prefix is found however long the round was', () => {
    for (const rounds of [0, 1, 2, 7]) {
      const ended = place(long(rounds)).messages.length - 1;
      expect(marks(place(long(rounds + 1)).messages[ended]!)).toBe(1);
    }
  });

  it("the caller's own at the messages, or for the whole request, are the only ones", () => {
    for (const body of [
      { ...long(2), cache_control: cached },
      { ...long(2), messages: [{ role: 'user', content: [say('a', { cache_control: cached })] }] },
    ])
      expect(place(body)).toEqual(body);
  });

  it('what the caller marks before the messages stays, and the messages get what is left of four', () => {
    const tool = (name: string) => ({ name, cache_control: cached });
    const system = [say('s', { cache_control: cached })];
    const given = [
      { body: { ...long(2), system }, expected: [0, 0, 1, 0, 1] },
      { body: { ...long(2), tools: [tool('a')] }, expected: [0, 0, 1, 0, 1] },
      { body: { ...long(2), system, tools: [tool('a')] }, expected: [0, 0, 1, 0, 1] },
      { body: { ...long(2), system, tools: [tool('a'), tool('b')] }, expected: [0, 0, 0, 0, 1] },
      { body: { ...long(2), system, tools: [tool('a'), tool('b'), tool('c')] }, expected: [0, 0, 0, 0, 0] },
    ];
    for (const { body, expected } of given) {
      const { messages, ...lead } = place(body);
      expect(messages.map((one) => marks(one))).toEqual(expected);
      expect(lead).toEqual({ tools: body.tools, system: body.system });
      expect(anthropicMessages.validate({ messages, ...lead } as never)).toEqual([]);
    }
  });

  it('a thread takes none', () => {
    const body = { ...long(1), thread: { type: 'create' } };
    expect(place(body)).toEqual(body);
  });
});

describe('native editing', () => {
  const body = { thinking: { type: 'adaptive' }, messages: [{ role: 'user', content: 'go' }] };
  const edit = (over: object, ...nativeEdits: object[]) =>
    anthropicMessages.encode(anthropicMessages.decode(body).messages, { ...body, ...over } as typeof body, {
      nativeEdits: nativeEdits as never,
    });
  const results = {
    type: 'clear-results',
    keep: 3,
    triggerTokens: 50_000,
    atLeastTokens: 5000,
    exceptTools: ['memory'],
    clearInputs: true,
  };

  it('what a layer asked for goes into the request, thinking first, with the header', () => {
    const { body: out, headers } = edit({}, results, { type: 'clear-reasoning', keep: 2 });
    expect(headers).toEqual({ 'anthropic-beta': 'context-management-2025-06-27' });
    expect((out as { context_management?: unknown }).context_management).toEqual({
      edits: [
        { type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 2 } },
        {
          type: 'clear_tool_uses_20250919',
          trigger: { type: 'input_tokens', value: 50_000 },
          keep: { type: 'tool_uses', value: 3 },
          clear_at_least: { type: 'input_tokens', value: 5000 },
          exclude_tools: ['memory'],
          clear_tool_inputs: true,
        },
      ],
    });
    expect(anthropicMessages.validate(out)).toEqual([]);
  });

  it("the caller's own edits stay, those of another kind join them", () => {
    const given = {
      context_management: {
        edits: [
          { type: 'compact_20260112' },
          { type: 'clear_tool_uses_20250919', keep: { type: 'tool_uses', value: 9 } },
        ],
      },
    };
    expect(edit(given, results)).toEqual({ body: { ...body, ...given }, headers: {} });
    const { body: out } = edit(given, { type: 'clear-reasoning', keep: 1 });
    expect((out as unknown as typeof given).context_management.edits.map(({ type }) => type)).toEqual([
      'clear_thinking_20251015',
      'clear_tool_uses_20250919',
      'compact_20260112',
    ]);
  });

  it('nothing is asked of a compaction request, of a thread, or of thinking that is off', () => {
    for (const over of [{ compaction: { type: 'summarize' } }, { thread: { type: 'create' } }])
      expect(edit(over, results).headers).toEqual({});
    expect(edit({ thinking: { type: 'disabled' } }, { type: 'clear-reasoning', keep: 1 }).headers).toEqual({});
    expect(edit({}).headers).toEqual({});
  });
});
