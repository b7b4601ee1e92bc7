import { type CallPart, call, type Message, type Part, type ResultPart, result, text } from '@palimpsest/core';
import fc from 'fast-check';

const WIRES = ['anthropic-messages', 'openai-chat', 'openai-responses', 'gemini'];

const words = fc.constantFrom('look', 'the file', 'ok, next', 'räume auf', '再试一次', 'line one\nline two', '{"a":1}');

const media = fc.constantFrom<Part>(
  { type: 'media', kind: 'image', mediaType: 'image/png', data: 'iVBORw0K' },
  { type: 'media', kind: 'image', mediaType: 'image/svg+xml', data: 'PHN2Zy8+' },
  { type: 'media', kind: 'image', mediaType: 'image/*', url: 'https://example.org/a.png' },
  { type: 'media', kind: 'document', mediaType: 'application/pdf', data: 'JVBERi0x', name: 'a.pdf' },
  { type: 'media', kind: 'audio', mediaType: 'audio/wav', data: 'UklGRg==' },
  { type: 'media', kind: 'video', mediaType: 'video/mp4', url: 'gs://b/v.mp4' },
);

const reasoning = fc
  .record({ wire: fc.option(fc.constantFrom(...WIRES), { nil: undefined }), signed: fc.boolean() })
  .map(
    ({ wire, signed }): Part => ({
      type: 'reasoning',
      text: 'let me see',
      ...(signed ? { signature: 'c2lnbmVk' } : {}),
      ...(wire === undefined
        ? {}
        : { native: { [wire]: wire === 'openai-responses' ? { item: { summary: [] } } : {} } }),
    }),
  );

const foreign = fc
  .constantFrom(...WIRES)
  .map((wire): Part => ({ type: 'native', wire: `${wire}-of-old`, block: { type: 'odd' } }));

const said = fc.oneof(
  { weight: 6, arbitrary: words.map((one): Part => text(one)) },
  { weight: 1, arbitrary: fc.constant(text('  ')) },
  { weight: 2, arbitrary: media },
  { weight: 1, arbitrary: foreign },
);

const callId = fc.constantFrom(
  'toolu_01',
  'call_2',
  'functions.bash:0',
  'a-very-long-id-'.repeat(6),
  'fc|3',
  'gemini-1-0',
);

const content = fc.array(
  fc.oneof({ weight: 4, arbitrary: words.map((one) => text(one)) }, { weight: 1, arbitrary: media }),
  { maxLength: 3 },
);

type Round = { readonly assistant: readonly Part[]; readonly groups: readonly (readonly Part[])[] };

/** Results in any order, spread over messages, with what the user typed meanwhile between and beside them. */
const round: fc.Arbitrary<Round> = fc
  .record({
    before: fc.array(fc.oneof(reasoning, said), { maxLength: 3 }),
    ids: fc.uniqueArray(callId, { maxLength: 4 }),
    input: fc.constantFrom<CallPart['input']>({ path: 'a.ts' }, {}, 'raw words', { nested: [1, null] }),
    tool: fc.constantFrom('read', 'bash', 'edit_file'),
    contents: fc.array(fc.tuple(content, fc.boolean()), { minLength: 4, maxLength: 4 }),
    spread: fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }),
    late: fc.array(said, { maxLength: 2 }),
    isReversed: fc.boolean(),
    isMixed: fc.boolean(),
  })
  .map(({ before, ids, input, tool, contents, spread, late, isReversed, isMixed }) => {
    const results = ids.map(
      (id, i): ResultPart => result(id, contents[i]![0] as ResultPart['content'], contents[i]![1]),
    );
    if (isReversed) results.reverse();
    const groups: Part[][] = [];
    results.forEach((part, i) => {
      const open = groups.at(-1);
      if (open !== undefined && spread[i] === 0) open.push(part);
      else groups.push([part]);
    });
    if (ids.length > 0 && late.length > 0) {
      if (isMixed) groups[0]!.unshift(...late);
      else groups.splice(1, 0, late);
    }
    const calls = ids.map((id) => call(id, tool, input));
    const assistant = calls.length === 0 && before.length === 0 ? [text('done')] : [...before, ...calls];
    return { assistant, groups };
  });

const turn = fc.record({
  user: fc.array(said, { minLength: 1, maxLength: 3 }),
  rounds: fc.array(round, { maxLength: 4 }),
});

/** Well-formed by core's rules: every call answered before the next assistant message, once, by results behind it. */
export const histories: fc.Arbitrary<readonly Message[]> = fc
  .record({ turns: fc.array(turn, { minLength: 1, maxLength: 4 }), opensWithModel: fc.boolean() })
  .map(({ turns, opensWithModel }) => {
    const messages: Message[] = [];
    const add = (role: Message['role'], origin: Message['origin'], parts: readonly Part[]): void =>
      void messages.push({ id: `h${messages.length}`, role, origin, parts });
    if (opensWithModel) add('assistant', 'model', [text('hello')]);
    for (const { user, rounds } of turns) {
      add('user', 'human', user);
      for (const { assistant, groups } of rounds) {
        add('assistant', 'model', assistant);
        for (const group of groups)
          add('user', group.every((part) => part.type === 'result') ? 'tool' : 'human', group);
      }
    }
    add('user', 'human', [text('go on')]);
    return messages;
  });

/** Which of the units of a history are folded into notices, and which parts give way to shorter ones. */
export const foldings = fc.record({
  folds: fc.array(fc.record({ from: fc.nat(20), length: fc.integer({ min: 1, max: 6 }), isSilent: fc.boolean() }), {
    maxLength: 3,
  }),
  cleared: fc.array(fc.nat(40), { maxLength: 10 }),
  dropsReasoning: fc.boolean(),
  shortens: fc.boolean(),
});

export type Folding = typeof foldings extends fc.Arbitrary<infer T> ? T : never;

/** Messages that can only be hidden together: an assistant's calls with everything up to their last result. */
function unitsOf(messages: readonly Message[]): readonly (readonly Message[])[] {
  const units: Message[][] = [];
  let open = new Set<string>();
  for (const message of messages) {
    if (open.size > 0 && message.role === 'user') units.at(-1)!.push(message);
    else units.push([message]);
    for (const part of message.parts) {
      if (part.type === 'call') open.add(part.callId);
      if (part.type === 'result') open.delete(part.callId);
    }
    if (message.role === 'assistant')
      open = new Set(message.parts.flatMap((part) => (part.type === 'call' ? [part.callId] : [])));
  }
  return units;
}

/** A view as layers would make it. What was said last stays, so there is something to answer. */
export function foldView(messages: readonly Message[], folding: Folding): readonly Message[] {
  const all = unitsOf(messages);
  const units: (readonly Message[])[] = all.slice(0, -1);
  for (const [n, { from, length, isSilent }] of folding.folds.entries()) {
    if (units.length === 0) break;
    const start = from % units.length;
    const hidden = units.slice(start, start + length).flat();
    const notice: Message = {
      id: `notice-${n}`,
      role: 'user',
      origin: 'palimpsest',
      parts: [text(`${hidden.length} messages are hidden`)],
    };
    units.splice(start, length, ...(isSilent && start > 0 ? [] : [[notice]]));
  }
  let seen = 0;
  return [...units, ...all.slice(-1)].flat().map((message) => {
    const parts = message.parts.flatMap((part): readonly Part[] => {
      if (part.type === 'reasoning' && folding.dropsReasoning) return [];
      if (part.type === 'call' && folding.shortens) return [{ ...part, input: { note: 'shortened' } }];
      if (part.type === 'result' && folding.cleared.includes(seen++))
        return [{ ...part, content: [text('[cleared]')] }];
      return [part];
    });
    const isSame = parts.length === message.parts.length && parts.every((part, i) => part === message.parts[i]);
    return isSame ? message : { ...message, parts: parts.length === 0 ? [text('[nothing left]')] : parts };
  });
}
