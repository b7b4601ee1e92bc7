/** A message of OpenAI's chat, as far as clients of agents send it. */
export type ChatMessage = Readonly<Record<string, unknown>>;

/** How long the conversation of a client gets, and how large its parts are. */
export interface ClientSize {
  readonly rounds: number;
  readonly resultChars: number;
  /** System prompt and tools, which real clients have thousands of tokens of. */
  readonly systemChars: number;
}

/** What one client says: nothing of it is said by another. */
export interface BranchingClient {
  body(messages: readonly ChatMessage[]): object;
  /** Its conversation after so many rounds. */
  history(rounds: number): readonly ChatMessage[];
  /** What it may do next, by name, as the messages of its next request. */
  readonly events: Readonly<Record<string, readonly ChatMessage[]>>;
}

const userSays = (content: string): ChatMessage => ({ role: 'user', content });
const modelSays = (content: string): ChatMessage => ({ role: 'assistant', content });

export function makeBranchingClient(name: string, { rounds, resultChars, systemChars }: ClientSize): BranchingClient {
  const idOf = (n: number): string => `call_${name}_${String(n).padStart(4, '0')}_Qw3rTy7Zx9`;
  const round = (n: number): readonly ChatMessage[] => [
    {
      role: 'assistant',
      content: `Part ${n} next.`,
      tool_calls: [
        { id: idOf(n), type: 'function', function: { name: 'read', arguments: `{"path":"src/${name}/part-${n}.ts"}` } },
      ],
    },
    { role: 'tool', tool_call_id: idOf(n), content: `// part ${n} of ${name}\n`.padEnd(resultChars, `line ${n}; `) },
  ];
  const history = (count: number): readonly ChatMessage[] => [
    { role: 'system', content: 'You work with care. '.padEnd(systemChars, 'Read before you write. ') },
    userSays(`I am ${name}. Read every part in order. Never touch LOCKED.md.`),
    ...Array.from({ length: count }, (_, n) => round(n)).flat(),
  ];
  const all = history(rounds);
  const cleared = all.map((message, at) =>
    message.role === 'tool' && at < all.length - 8
      ? { ...message, content: '[Old tool result content cleared]' }
      : message,
  );
  const [system] = all;
  const summary = userSays(`This is what was done so far: ${rounds} parts were read. Go on with the next part.`);
  return {
    body: (messages) => ({
      model: 'gpt-5.5',
      tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }],
      messages,
    }),
    history,
    events: {
      fork: [...history(rounds - 6), modelSays('Enough.'), userSays('Now the other way: count the lines.')],
      rewind: [...history(rounds - 3), userSays('Rather look at the tests.')],
      interrupt: [...all, modelSays('Part'), userSays('[Request interrupted by user]')],
      'client pruning': [...cleared, ...round(rounds)],
      'client compaction': [system ?? {}, summary],
      resume: [...all, modelSays('I stop here for today.'), userSays('Go on where you stopped.')],
    },
  };
}
