import { call, type Message, result, text } from '@palimpsest/core';
import { betaItems, items } from '@palimpsest/testing/bodies/responses';
import { describe, expect, it } from 'vitest';
import { openaiChat, openaiResponses } from '../src/index.ts';

const image = { type: 'media', kind: 'image', mediaType: 'image/png', data: 'iVBORw0K' } as const;
const message = (id: string, role: Message['role'], ...parts: Message['parts']): Message => ({
  id,
  role,
  origin: role === 'user' ? 'human' : 'model',
  parts,
});

describe('chat', () => {
  const sent = (view: readonly Message[], body = { messages: [] as object[] }): unknown =>
    openaiChat.encode(view, body as { messages: { role: string }[] }).body.messages;

  it("tool messages stand directly behind their call; what a result shows follows as the user's", () => {
    const view = [
      message('1', 'assistant', call('a', 'shot'), call('b', 'ls')),
      message('2', 'user', text('hurry')),
      message('3', 'user', result('b', 'files')),
      message('4', 'user', result('a', [text('here'), image])),
    ];
    expect(sent(view)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'shot', arguments: '{}' } },
          { id: 'b', type: 'function', function: { name: 'ls', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'b', content: 'files' },
      {
        role: 'tool',
        tool_call_id: 'a',
        content: [
          { type: 'text', text: 'here' },
          { type: 'text', text: '[image]' },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Shown by the result of shot:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0K' } },
        ],
      },
      { role: 'user', content: 'hurry' },
    ]);
  });

  it('an error says so, for want of a flag', () => {
    expect(
      sent([message('1', 'assistant', call('a', 'ls')), message('2', 'user', result('a', 'denied', true))]),
    ).toMatchObject([{}, { role: 'tool', content: 'Error: denied' }]);
  });

  it("arguments keep the model's spelling until an edit changes the input", () => {
    const body = {
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{ "a" : 1 }' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'x' },
      ],
    };
    const [asked, answered] = openaiChat.decode(body).messages;
    const part = asked!.parts[0]!;
    expect(part).toMatchObject({ type: 'call', input: { a: 1 } });
    const template = { messages: [] as { role: string }[] };
    const spelled = (over: object): unknown =>
      openaiChat.encode([{ ...asked!, parts: [{ ...part, ...over } as typeof part] }, answered!], template).body
        .messages[0];
    expect(spelled({})).toEqual(body.messages[0]);
    expect(spelled({ input: { a: 'cut' } })).toMatchObject({
      tool_calls: [{ function: { arguments: '{"a":"cut"}' } }],
    });
  });

  it('reasoning goes back into the field it came from, and not to servers that never sent any', () => {
    const body = {
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: 'a', reasoning_content: 'hm' },
        { role: 'user', content: 'r' },
      ],
    };
    const { messages } = openaiChat.decode(body);
    expect(openaiChat.encode(structuredClone(messages), { messages: [] as { role: string }[] }).body.messages).toEqual(
      body.messages,
    );
    expect(sent([message('1', 'assistant', { type: 'reasoning', text: 'hm', signature: 's' }, text('a'))])).toEqual([
      { role: 'assistant', content: 'a' },
    ]);
  });
});

describe('responses', () => {
  const template = { input: [] as unknown[] };
  const sent = (view: readonly Message[], body: { input: unknown } = template): unknown[] =>
    openaiResponses.encode(view, body).body.input as unknown[];
  const body = {
    input: [
      { role: 'user', content: 'q' },
      items.reasoning,
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'so', annotations: [] }],
      },
      { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'x' },
      { role: 'user', content: 'r' },
    ],
  };
  const { messages } = openaiResponses.decode(body);

  it('when reasoning goes, what followed it drops the id that would ask for it', () => {
    const view = messages.map((one) => ({ ...one, parts: one.parts.filter((part) => part.type !== 'reasoning') }));
    const out = openaiResponses.encode(view, body).body;
    expect(JSON.stringify(out)).not.toMatch(/rs_1|msg_1|fc_1/);
    expect(openaiResponses.validate(out, { previous: body })).toEqual([]);
  });

  it('while it stays, the ids stay', () => {
    const shortened = messages.map((one) => ({
      ...one,
      parts: one.parts.map((part) => (part.type === 'call' ? { ...part, input: { cut: true } } : part)),
    }));
    const out = openaiResponses.encode(shortened, body).body;
    expect(out.input).toEqual([
      ...body.input.slice(0, 3),
      { ...(body.input[3] as object), arguments: '{"cut":true}' },
      ...body.input.slice(4),
    ]);
    expect(openaiResponses.validate(out, { previous: body })).toEqual([]);
  });

  it('reasoning whose item went does not stay alone', () => {
    const view = [messages[0]!, { ...messages[1]!, parts: messages[1]!.parts.slice(0, 1) }, messages[3]!];
    expect(sent(view, body)).toEqual([body.input[0], body.input[5]]);
  });

  it.each([
    [
      'shell_call',
      items.shell_call,
      { output: [{ stdout: 'gone', stderr: '', outcome: { type: 'exit', exit_code: 1 } }] },
    ],
    ['local_shell_call', items.local_shell_call, { id: 'lsh_1', output: 'gone' }],
    ['apply_patch_call', items.apply_patch_call, { status: 'failed', output: 'gone' }],
    ['custom_tool_call', items.custom_tool_call, { output: 'Error: gone' }],
    [
      'computer_call',
      items.computer_call,
      { output: { type: 'computer_screenshot', image_url: expect.stringMatching(/^data:image\/png/) } },
    ],
    ['tool_search_call', items.tool_search_call, { tools: [] }],
    ['mcp_approval_request', items.mcp_approval_request, { approve: false }],
  ])('a result that a layer made for a %s has the form of its kind', (_, item, expected) => {
    const read = openaiResponses.decode({ input: [{ role: 'user', content: 'q' }, item] }).messages;
    const asked = read[1]!.parts[0]!;
    const view = [...read, message('made', 'user', result(asked.type === 'call' ? asked.callId : '', 'gone', true))];
    const out = openaiResponses.encode(view, { input: [{ role: 'user', content: 'q' }, item] }).body;
    expect(out.input[2]).toMatchObject(expected);
    expect(openaiResponses.validate(out)).toEqual([]);
  });

  it('a cleared screenshot is still a picture, a cleared shell keeps its outcome', () => {
    const given = {
      input: [
        { role: 'user', content: 'q' },
        items.computer_call,
        items.computer_call_output,
        items.shell_call,
        items.shell_call_output,
      ],
    };
    const view = openaiResponses.decode(given).messages.map((one) => ({
      ...one,
      parts: one.parts.map((part) => (part.type === 'result' ? { ...part, content: [text('[cleared]')] } : part)),
    }));
    const out = openaiResponses.encode(view, given).body;
    expect(out.input[2]).toMatchObject({ type: 'computer_call_output', output: { type: 'computer_screenshot' } });
    expect(out.input[4]).toEqual({
      ...items.shell_call_output,
      output: [{ stdout: '[cleared]', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    });
    expect(openaiResponses.validate(out)).toEqual([]);
  });

  it('a compaction passes intact behind a changed view', () => {
    const given = { input: [{ role: 'user', content: 'old' }, items.compaction, { role: 'user', content: 'new' }] };
    const read = openaiResponses.decode(given).messages;
    expect(sent([message('n', 'user', text('notice')), ...read.slice(1)], given)).toEqual([
      { type: 'message', role: 'user', content: 'notice' },
      ...given.input.slice(1),
    ]);
  });

  it('half of a pair that the server wrote does not stay alone; one under way stays', () => {
    const given = {
      input: [
        { role: 'user', content: 'a' },
        items.program,
        betaItems.multi_agent_call,
        { role: 'user', content: 'b' },
        items.program_output,
        { role: 'user', content: 'c' },
      ],
    };
    const read = openaiResponses.decode(given).messages;
    expect(sent([message('n', 'user', text('n')), ...read.slice(2)], given)).toEqual([
      { type: 'message', role: 'user', content: 'n' },
      given.input[3],
      given.input[5],
    ]);
    const running = {
      input: [
        { role: 'user', content: 'a' },
        items.program,
        {
          type: 'function_call',
          call_id: 'x',
          name: 'f',
          arguments: '{}',
          caller: { type: 'program', caller_id: 'call_8' },
        },
        { type: 'function_call_output', call_id: 'x', output: 'r' },
      ],
    };
    const live = openaiResponses.decode(running).messages;
    expect(sent([message('n', 'user', text('n')), ...live.slice(1)], running).slice(1)).toEqual(running.input.slice(1));
  });
});
