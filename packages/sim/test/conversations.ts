import fc from 'fast-check';

/** A conversation before any vendor's format: what was said, what was called, what came back. */
export interface Round {
  readonly asks: string;
  readonly steps: readonly { readonly says: boolean; readonly calls: number }[];
  readonly answer: string;
}

const word = fc.constantFrom('look', 'fix it', 'go on — please', 'why?', '🙂 fine');
const step = fc.record({ says: fc.boolean(), calls: fc.integer({ min: 1, max: 3 }) });

export const rounds: fc.Arbitrary<readonly Round[]> = fc.array(
  fc.record({ asks: word, steps: fc.array(step, { maxLength: 3 }), answer: word }),
  { minLength: 1, maxLength: 4 },
);

type Entry = Record<string, unknown>;

/** The same conversation for each API; the last thing is always said by the user. */
export const written: Readonly<
  Record<'messages' | 'chat' | 'responses' | 'gemini', (list: readonly Round[]) => Entry[]>
> = {
  messages: (list) =>
    whole(list, {
      user: (text) => [{ role: 'user', content: [{ type: 'text', text }] }],
      model: (text) => [{ role: 'assistant', content: [{ type: 'text', text }] }],
      step: (ids, says) => [
        {
          role: 'assistant',
          content: [
            ...(says ? [{ type: 'text', text: 'next' }] : []),
            ...ids.map((id) => ({ type: 'tool_use', id, name: 'f', input: { a: 1 } })),
          ],
        },
        { role: 'user', content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'r' })) },
      ],
    }),
  chat: (list) =>
    whole(list, {
      user: (text) => [{ role: 'user', content: text }],
      model: (text) => [{ role: 'assistant', content: text }],
      step: (ids, says) => [
        {
          role: 'assistant',
          content: says ? 'next' : null,
          tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
        },
        ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: 'r' })),
      ],
    }),
  responses: (list) =>
    whole(list, {
      user: (text) => [{ role: 'user', content: [{ type: 'input_text', text }] }],
      model: (text) => [{ role: 'assistant', content: [{ type: 'output_text', text }] }],
      step: (ids, says) => [
        ...(says ? [{ type: 'reasoning', summary: [] }] : []),
        ...ids.map((id) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' })),
        ...ids.map((id) => ({ type: 'function_call_output', call_id: id, output: 'r' })),
      ],
    }),
  gemini: (list) =>
    whole(list, {
      user: (text) => [{ role: 'user', parts: [{ text }] }],
      model: (text) => [{ role: 'model', parts: [{ text }] }],
      step: (ids, says) => [
        {
          role: 'model',
          parts: [...(says ? [{ text: 'next' }] : []), ...ids.map((id) => ({ functionCall: { name: id, args: {} } }))],
        },
        { role: 'user', parts: ids.map((id) => ({ functionResponse: { name: id, response: { output: 'r' } } })) },
      ],
    }),
};

interface Format {
  user(text: string): Entry[];
  model(text: string): Entry[];
  step(ids: readonly string[], says: boolean): Entry[];
}

function whole(list: readonly Round[], format: Format): Entry[] {
  let calls = 0;
  const entries = list.flatMap(({ asks, steps, answer }) => [
    ...format.user(asks),
    ...steps.flatMap((one) =>
      format.step(
        Array.from({ length: one.calls }, () => `c${calls++}`),
        one.says,
      ),
    ),
    ...format.model(answer),
  ]);
  return [...entries, ...format.user('and now?')];
}

/** What compaction does wrong when it does something wrong. */
export const damage = fc.record({
  kind: fc.constantFrom('none', 'drop', 'double', 'swap', 'first-part', 'last-part', 'empty', 'blank'),
  at: fc.nat({ max: 30 }),
});

export function damaged(entries: readonly Entry[], { kind, at }: { kind: string; at: number }): Entry[] {
  const list = structuredClone(entries) as Entry[];
  const i = at % list.length;
  const entry = list[i]!;
  const key = ['content', 'parts', 'tool_calls'].find((one) => Array.isArray(entry[one]));
  const parts = key === undefined ? [] : (entry[key] as Entry[]);
  if (kind === 'drop') list.splice(i, 1);
  if (kind === 'double') list.splice(i, 0, entry);
  if (kind === 'swap') list.splice(i, 2, ...list.slice(i, i + 2).reverse());
  if (kind === 'first-part') parts.shift();
  if (kind === 'last-part') parts.pop();
  if (kind === 'empty' && key !== undefined) entry[key] = [];
  if (kind === 'blank') for (const part of parts) if (typeof part.text === 'string') part.text = '';
  return list;
}
