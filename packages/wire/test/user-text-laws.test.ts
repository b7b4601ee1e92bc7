import { createSession, type Message, type PresetName, presets, type Session, type View } from '@palimpsest/core';
import { fastOrDeep } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { targets } from './targets.ts';

/**
 * What people type and clients put in, as bodies of every provider that are written here by hand. What counts as a user's text
 * is read off the bodies, by the provider's own field names: nothing of the engine decides it.
 */
type Json = Record<string, unknown>;

interface Beat {
  /** What stands in the user message before the answer; none where the agent goes on by itself. */
  readonly typed: readonly string[];
  readonly said: string;
  /** Characters of each call's result. */
  readonly results: readonly number[];
  /** Text in the message of the results. */
  readonly beside: readonly string[];
}

let number = 0;
/** Every text has a mark of its own, so that one is not taken for another. */
const mark = (text: string): string => `T${number++}: ${text}`;

const shapes: readonly ((n: number) => string)[] = [
  (n) => `Please do number ${n}, and never touch the folder gen${n}.`,
  (n) => `<output>Put the report here ${n}`,
  (n) => `<instructions>Never rename column ${n}.</instructions>`,
  (n) => `[ERROR] cart.ts:${n} broke. Fix it.`,
  (n) => `Observation: the cart is ${n} cents off.`,
  (n) => `## Rules (user)\n- Always ask before step ${n}.`,
  (n) => `The release passphrase is heron-${n}-velvet-Q, api_key=test_key_${n}`,
  (n) => `<file_contents>\nconst limit = ${n};\n</file_contents>`,
  (n) => `日本語で答えてください。項目 ${n}。`,
  (n) => `A log:\n${`2026-01-01 12:00:${n} something happened\n`.repeat(90)}`,
  (n) => `one\r\ntwo\u2028three ${n}`,
];
const blocks: readonly ((n: number) => string)[] = [
  (n) => `<system-reminder>\nPlan mode is active, ${n}.\n</system-reminder>`,
  (n) => `<environment_context>\n  <cwd>/work/${n}</cwd>\n</environment_context>`,
];

const typedText = fc.tuple(fc.constantFrom(...shapes), fc.nat(99)).map(([shape, n]) => mark(shape(n)));
// A block's own shape has no room for a mark in front.
const anyText = fc.oneof(
  { weight: 4, arbitrary: typedText },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...blocks), fc.nat(99)).map(([shape, n]) => shape(n + 100 * number++)),
  },
);
const beats: fc.Arbitrary<readonly Beat[]> = fc.array(
  fc.record({
    typed: fc.oneof(fc.constant([]), fc.array(anyText, { minLength: 1, maxLength: 3 })),
    said: fc.constantFrom('I see.', 'I go on with the next file, as agreed.'),
    results: fc.array(fc.constantFrom(40, 900, 6_000), { maxLength: 3 }),
    beside: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(anyText, { maxLength: 2 }) },
    ),
  }),
  { minLength: 3, maxLength: 14 },
);

const output = (chars: number, n: number): string => `line ${n} of the output\n`.repeat(Math.ceil(chars / 22));

/** A conversation as a body of one provider, message by message. */
type Write = (beat: Beat, n: number) => readonly Json[];

const anthropic: Write = ({ typed, said, results, beside }, n) => [
  ...(typed.length === 0 ? [] : [{ role: 'user', content: typed.map((text) => ({ type: 'text', text })) }]),
  {
    role: 'assistant',
    content: [
      { type: 'text', text: said },
      ...results.map((_, i) => ({ type: 'tool_use', id: `c${n}-${i}`, name: 'read', input: { path: `f${n}.ts` } })),
    ],
  },
  ...(results.length === 0
    ? []
    : [
        {
          role: 'user',
          content: [
            ...results.map((chars, i) => ({
              type: 'tool_result',
              tool_use_id: `c${n}-${i}`,
              content: output(chars, n),
            })),
            ...beside.map((text) => ({ type: 'text', text })),
          ],
        },
      ]),
];
const chat: Write = ({ typed, said, results, beside }, n) => [
  ...typed.map((content) => ({ role: 'user', content })),
  {
    role: 'assistant',
    content: said,
    ...(results.length === 0
      ? {}
      : {
          tool_calls: results.map((_, i) => ({
            id: `c${n}-${i}`,
            type: 'function',
            function: { name: 'read', arguments: `{"path":"f${n}.ts"}` },
          })),
        }),
  },
  ...results.map((chars, i) => ({ role: 'tool', tool_call_id: `c${n}-${i}`, content: output(chars, n) })),
  ...(results.length === 0 ? [] : beside.map((text) => ({ role: 'user', content: [{ type: 'text', text }] }))),
];
const responses: Write = ({ typed, said, results, beside }, n) => [
  ...typed.map((text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })),
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: said }] },
  ...results.map((_, i) => ({ type: 'function_call', call_id: `c${n}-${i}`, name: 'read', arguments: '{"path":"a"}' })),
  ...results.map((chars, i) => ({ type: 'function_call_output', call_id: `c${n}-${i}`, output: output(chars, n) })),
  ...(results.length === 0 ? [] : beside.map((content) => ({ type: 'message', role: 'user', content }))),
];
const geminiBody: Write = ({ typed, said, results, beside }, n) => [
  ...(typed.length === 0 ? [] : [{ role: 'user', parts: typed.map((text) => ({ text })) }]),
  {
    role: 'model',
    parts: [
      { text: said },
      ...results.map((_, i) => ({ functionCall: { name: `read${i}`, args: { path: `f${n}` } } })),
    ],
  },
  ...(results.length === 0
    ? []
    : [
        {
          role: 'user',
          parts: [
            ...results.map((chars, i) => ({
              functionResponse: { name: `read${i}`, response: { output: output(chars, n) } },
            })),
            ...beside.map((text) => ({ text })),
          ],
        },
      ]),
];
const writers: Readonly<Record<string, { readonly list: string; readonly write: Write }>> = {
  anthropic: { list: 'messages', write: anthropic },
  chat: { list: 'messages', write: chat },
  responses: { list: 'input', write: responses },
  gemini: { list: 'contents', write: geminiBody },
};

/** The texts of user messages in a body of any provider. */
function readTyped(items: readonly Json[]): readonly string[] {
  return items.flatMap((item): readonly string[] => {
    if (item.role !== 'user') return [];
    const parts = (item.content ?? item.parts) as string | readonly Json[];
    if (typeof parts === 'string') return [parts];
    return parts.flatMap((part) => (typeof part.text === 'string' && part.thought === undefined ? [part.text] : []));
  });
}

const textOf = (messages: readonly Message[], id: string, part: number): string => {
  const found = messages.find((message) => message.id === id)?.parts[part];
  return found?.type === 'text' ? found.text : '';
};

/** Each text stands in what is sent, or the view names it, and it can be read back. */
function findLost(session: Session, view: View, typed: readonly string[], sent: readonly string[]): readonly string[] {
  const shown = sent.join('\n\u0000\n');
  const messages = session.transcript();
  const named = new Map((view.missing ?? []).map(({ message, part }) => [textOf(messages, message, part), message]));
  return typed.filter((text) => {
    if (text.trim() === '' || shown.includes(text)) return false;
    const message = named.get(text);
    return message === undefined || !session.recall.read(message).text.includes(text);
  });
}

/** What people typed and is not in what is sent, where all of it is far less than its share of the window. */
function findCut(view: View, window: number, typed: readonly string[], sent: readonly string[]): readonly string[] {
  const chars = typed.reduce((sum, text) => sum + text.length, 0);
  if (!view.fits || chars / 2 > window * 0.15) return [];
  const shown = sent.join('\n\u0000\n');
  return typed.filter((text) => /^T\d+: /.test(text) && !shown.includes(text));
}

describe.each(targets.filter(({ label }) => label in writers))('$label', ({ label, wire, template }) => {
  it.each(['default', 'claude-code', 'open-code', 's08'] satisfies PresetName[])(
    'every text of every user message is in the request word for word or named as missing, with preset %s',
    async (preset) => {
      const { list, write } = writers[label] ?? { list: '', write: chat };
      await fc.assert(
        fc.asyncProperty(
          beats,
          fc.constantFrom(3_000, 8_000, 16_000),
          fc.array(fc.constantFrom('view', 'view', 'view', 'compact', 'undo', 'overflow'), {
            minLength: 1,
            maxLength: 8,
          }),
          async (story, window, acts) => {
            const items: Json[] = [];
            let session: Session | undefined;
            let known = 0;
            for (const [n, beat] of [...story, ...story.slice(0, 2)].entries()) {
              const made = write(beat, n);
              const asked = made.findIndex((item) => item.role === 'assistant' || item.role === 'model');
              // The request goes out before the answer is there.
              items.push(...made.slice(0, asked));
              if (items.length > 0) {
                const body = { ...template, [list]: items.slice() };
                const { messages, rules } = wire.decode(body as never);
                session ??= createSession({
                  window,
                  wire: rules,
                  layers: presets[preset](),
                  broken: 'mend',
                  drafts: false,
                });
                for (const message of messages.slice(known)) session.append(message);
                known = messages.length;
                const act = acts[n % acts.length];
                if (act === 'compact') await session.compact();
                if (act === 'undo' && session.receipts().length > 0) session.undo();
                const view =
                  act === 'overflow' ? await session.overflowed().catch(() => undefined) : await session.view();
                const sent = view === undefined ? undefined : wire.encode(view.messages, body as never).body;
                if (view !== undefined && sent !== undefined) {
                  const [typed, texts] = [readTyped(items), readTyped((sent as never as Json)[list] as never)];
                  expect(findLost(session, view, typed, texts), `window ${window}, request ${n}`).toEqual([]);
                  const isPlain = preset === 'default' && !acts.includes('overflow');
                  if (isPlain) expect(findCut(view, window, typed, texts)).toEqual([]);
                }
              }
              items.push(...made.slice(asked));
            }
          },
        ),
        { numRuns: fastOrDeep(25, 2_000) },
      );
    },
  );
});
