import { asFields, asList, type Fields, parseJson } from '@palimpsest/core/json';
import { startGateway } from '@palimpsest/gateway';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addTool } from '../src/recall/add-tool.ts';
import { answerJson, sendRaw, startUpstream } from './raw-upstream.ts';

const TOOL = 'palimpsest_recall';

/** As codex sends its tools to its newest models. */
const TOOLS = {
  type: 'additional_tools',
  role: 'developer',
  tools: [
    {
      type: 'namespace',
      name: 'functions',
      description: '',
      tools: [
        { type: 'custom', name: 'exec', description: 'Runs JavaScript.', format: { type: 'text' } },
        { type: 'function', name: 'wait', parameters: { type: 'object', properties: {} } },
      ],
    },
    { type: 'namespace', name: 'clock', tools: [{ type: 'function', name: 'sleep', parameters: { type: 'object' } }] },
  ],
};

const listRounds = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, n) => [
    {
      type: 'custom_tool_call',
      call_id: `call_${n}`,
      name: 'exec',
      input: `const r = await tools.exec_command({cmd: "cat notes/n${n}.md"}); text(r.output);`,
    },
    {
      type: 'custom_tool_call_output',
      call_id: `call_${n}`,
      output: [
        {
          type: 'input_text',
          text: `Script completed\nThe berth code of quay ${n} is ${n * 7_919}.\n${'filler\n'.repeat(150)}`,
        },
      ],
    },
  ]).flat();

const makeBody = (rounds: number): Fields => ({
  model: 'gpt-6.1-sol',
  input: [
    TOOLS,
    { role: 'user', content: 'Read the notes.' },
    ...listRounds(rounds),
    { role: 'user', content: 'Go on.' },
  ],
});

const namesIn = (body: Fields): readonly unknown[] => {
  const [item] = asList(body.input).map(asFields);
  return asList(item?.tools).flatMap((space) => asList(asFields(space).tools).map((tool) => asFields(tool).name));
};

describe('tools in an item of the input, as codex’ newest models have them', () => {
  it('get the recall tool behind the client’s own, in the same namespace, as a function', () => {
    const added = addTool('openai-responses', makeBody(0));
    expect(namesIn(added ?? {})).toEqual(['exec', 'wait', TOOL, 'sleep']);
    const [item] = asList(added?.input).map(asFields);
    expect(asList(asFields(asList(item?.tools)[0]).tools).at(-1)).toMatchObject({ type: 'function', strict: false });
    expect(addTool('openai-responses', added ?? {})).toBeUndefined();
    expect(addTool('openai-responses', { model: 'm', input: [{ role: 'user', content: 'hi' }] })).toBeUndefined();
  });

  it('get none where the list in the item is empty', () => {
    const input = [
      { ...TOOLS, tools: [] },
      { role: 'user', content: 'hi' },
    ];
    expect(addTool('openai-responses', { model: 'm', input })).toBeUndefined();
  });

  it('are answered inside: the lookup finds what was hidden, and the client sees one message', async () => {
    const lookup = { type: 'function_call', id: 'fc_1', call_id: 'call_r', name: TOOL, namespace: 'functions' };
    const words = {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'It is found.' }],
    };
    // A digest quotes some of the notes: what is asked for is one that stands nowhere in what was sent.
    const findHidden = (sent: string): number =>
      Array.from({ length: 60 }, (_, n) => n).find((n) => !sent.includes(`quay ${n} is`)) ?? -1;
    let asked = 0;
    const upstream = await startUpstream(({ bytes }, response) => {
      const query = `berth code of quay ${findHidden(bytes.toString())}`;
      const output = asked++ === 0 ? [{ ...lookup, arguments: JSON.stringify({ query }) }] : [words];
      answerJson(response, { id: `resp_${asked}`, object: 'response', status: 'completed', output, usage: {} });
    });
    onTestFinished(upstream.close);
    const gateway = await startGateway({ upstreams: { '*': upstream.url }, window: 8_000, recall: true });
    onTestFinished(() => gateway.close({ graceMs: 0 }));
    const { text } = await sendRaw(`${gateway.url}/v1/responses`, { body: JSON.stringify(makeBody(60)) });
    expect(upstream.arrived).toHaveLength(2);
    const [first, second] = upstream.arrived.map(({ bytes }) => asFields(parseJson(bytes.toString())));
    for (const sent of [first ?? {}, second ?? {}]) expect(namesIn(sent)).toContain(TOOL);
    const hidden = findHidden(JSON.stringify(first));
    expect(hidden).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify(first)).toMatch(/recall e\d+/);
    const answered = asList(second?.input)
      .map(asFields)
      .find(({ type }) => type === 'function_call_output');
    expect(answered?.call_id).toBe('call_r');
    expect(JSON.stringify(answered)).toContain(`quay ${hidden} is ${hidden * 7_919}`);
    expect(text).toContain('It is found.');
    expect(text).not.toContain(TOOL);
  });
});
