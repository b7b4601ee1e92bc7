import {
  assistant,
  type CallPart,
  call,
  type NewMessage,
  type Part,
  type ResultPart,
  reasoning,
  result,
  results,
  text,
  user,
} from '@palimpsest/core';
import fc from 'fast-check';

/** Every well-formed history of up to `longest` messages over seven kinds of message. */
export function* shortHistories(longest: number): Generator<readonly NewMessage[]> {
  type State = { readonly messages: readonly NewMessage[]; readonly open: readonly string[] };
  const output = (id: string): ResultPart => result(id, `output of ${id}: ${'lorem ipsum dolor sit amet '.repeat(9)}`);
  const steps: readonly {
    make(n: number): NewMessage;
    next(open: readonly string[]): readonly string[] | undefined;
  }[] = [
    {
      make: (n) => user(`please do the thing number ${n} for me, and mind the edges of it while you are there`),
      next: (open) => open,
    },
    {
      make: (n) => assistant(`I looked at number ${n} and all is well, the edges are as they should be`),
      next: (open) => (open.length === 0 ? [] : undefined),
    },
    {
      make: (n) => assistant([call('x', 'bash', { command: `run ${n}` })]),
      next: (open) => (open.length === 0 ? ['x'] : undefined),
    },
    {
      make: (n) => assistant([call('x', 'read', { path: `src/a${n}.ts` }), call('y', 'bash', { command: `run ${n}` })]),
      next: (open) => (open.length === 0 ? ['x', 'y'] : undefined),
    },
    {
      make: () => results([output('x')]),
      next: (open) => (open.includes('x') ? open.filter((id) => id !== 'x') : undefined),
    },
    {
      make: () => results([output('y')]),
      next: (open) => (open.includes('y') ? open.filter((id) => id !== 'y') : undefined),
    },
    { make: () => results([output('x'), output('y')]), next: (open) => (open.length === 2 ? [] : undefined) },
  ];
  const queue: State[] = [{ messages: [], open: [] }];
  for (let state = queue.shift(); state !== undefined; state = queue.shift()) {
    if (state.messages.length > 0) yield state.messages;
    if (state.messages.length === longest) continue;
    for (const step of steps) {
      const open = step.next(state.open);
      if (open !== undefined) queue.push({ messages: [...state.messages, step.make(state.messages.length)], open });
    }
  }
}

const word = fc.constantFrom(
  'fix',
  'the',
  'parser',
  '読み込み',
  '错误',
  'src/app.ts',
  'émoji 🎉',
  '한국어',
  'token',
  '\n',
  '4096',
  '{"a":1}',
);
const prose = (longest: number): fc.Arbitrary<string> =>
  fc.array(word, { minLength: 1, maxLength: longest }).map((words) => `${words.join(' ')}.`);

const tools = ['read', 'bash', 'grep', 'write', 'edit', 'glob', 'skill', 'mcp__db__query'] as const;
const files = ['src/a.ts', 'src/b.ts', 'README.md'] as const;

const image = (at: number): Part => ({
  type: 'media',
  kind: 'image',
  mediaType: 'image/png',
  data: 'iVBORw0KGgo'.repeat(20 + at),
  name: `shot-${at}.png`,
  width: 800,
  height: 600,
});

const toolCall = fc.record({
  tool: fc.constantFrom(...tools),
  file: fc.constantFrom(...files),
  output: fc.oneof(
    { weight: 5, arbitrary: prose(60) },
    { weight: 1, arbitrary: fc.integer({ min: 300, max: 1_000 }).map((n) => 'x y\n'.repeat(n)) },
  ),
  failed: fc.boolean(),
  shot: fc.boolean(),
});

type Step =
  | { readonly type: 'words'; readonly words: string; readonly image: boolean; readonly origin: 'human' | 'harness' }
  | { readonly type: 'reply'; readonly words: string; readonly thought: string | undefined }
  | {
      readonly type: 'round';
      readonly calls: readonly { tool: string; file: string; output: string; failed: boolean; shot: boolean }[];
      readonly thought: string | undefined;
      readonly apart: boolean;
      readonly aside: string | undefined;
    };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('words' as const),
      words: prose(40),
      image: fc.boolean(),
      origin: fc.constantFrom('human' as const, 'harness' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('reply' as const),
      words: prose(40),
      thought: fc.option(prose(30), { nil: undefined }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('round' as const),
      calls: fc.array(toolCall, { minLength: 1, maxLength: 4 }),
      thought: fc.option(prose(30), { nil: undefined }),
      apart: fc.boolean(),
      aside: fc.option(prose(10), { nil: undefined }),
    }),
  },
);

/** Call ids come again in later rounds on purpose: pairing is positional. */
function messagesOf(step: Step, at: number): readonly NewMessage[] {
  const when = { at: 1_700_000_000_000 + at * 1_000 };
  if (step.type === 'words')
    return [{ ...user(step.image ? [text(step.words), image(at)] : step.words), origin: step.origin, ...when }];
  const thought: readonly Part[] =
    step.thought === undefined ? [] : [reasoning(step.thought, at % 2 === 0 ? `sig-${at}` : undefined)];
  if (step.type === 'reply') return [{ ...assistant([...thought, text(step.words)]), ...when }];
  const calls = step.calls.map(
    ({ tool, file }, i): CallPart => call(`c${i}`, tool, tool === 'bash' ? { command: `run ${file}` } : { path: file }),
  );
  const answers = step.calls.map(({ output, failed, shot }, i) =>
    result(`c${i}`, shot ? [text(output), image(at) as never] : output, failed),
  );
  const aside = step.aside === undefined ? [] : [text(step.aside)];
  const opening = { ...assistant([...thought, ...calls]), ...when };
  if (step.apart)
    return [opening, ...(step.aside === undefined ? [] : [user(step.aside)]), ...answers.map((one) => results([one]))];
  return [
    opening,
    { ...results(answers), parts: [...answers, ...aside], origin: step.aside === undefined ? 'tool' : 'human' },
  ];
}

/** Long random histories: parallel calls together and apart, asides between call and result, media, reasoning, CJK. */
export const histories = (longest = 14): fc.Arbitrary<readonly NewMessage[]> =>
  fc.array(step, { minLength: 1, maxLength: longest }).map((steps) => steps.flatMap(messagesOf));
