import { expect, it } from 'vitest';
import { assistant, call, type Json, type NewMessage, presets, result, results, text, user } from '../../src/index.ts';
import { newStory, proseOf, type Story } from '../support/story.ts';
import { picture } from '../support/walks.ts';

// One long session for each preset, told as it is lived through: which stage acts, where, at which figure. A station
// stands just below a figure, where the stage must not act yet, and the next one at it, where it must.
// After a change that is meant: npx vitest run packages/core/test/presets/golden-walks.test.ts -u, and look at the difference.

const MINUTE = 60_000;
const INPUTS: Readonly<Record<string, (n: number) => Json>> = {
  bash: (n) => ({ command: `npm test -- part-${n}` }),
  read: (n) => ({ path: `src/part-${n}.ts` }),
  grep: (n) => ({ pattern: `partOf${n}` }),
  edit: (n) => ({ path: `src/part-${n}.ts`, old_string: 'a', new_string: 'b' }),
};

/** Rounds of tools with outputs of so many characters each: one after the other, or all at once. */
function newTools() {
  let n = 0;
  const callOf = (tool: string, input?: Json) => call(`c${++n}`, tool, input ?? INPUTS[tool]?.(n) ?? { n });
  return {
    use(tool: string, chars: number, input?: Json, words = proseOf(chars)): readonly NewMessage[] {
      const made = callOf(tool, input);
      return [assistant([made]), results([result(made.callId, words)])];
    },
    useAtOnce(tool: string, ...sizes: readonly number[]): readonly NewMessage[] {
      const made = sizes.map(() => callOf(tool));
      return [assistant(made), ...made.map(({ callId }, i) => results([result(callId, proseOf(sizes[i]!))]))];
    },
    fail(tool: string, chars: number): readonly NewMessage[] {
      const made = callOf(tool);
      return [assistant([made]), results([result(made.callId, proseOf(chars), true)])];
    },
  };
}
type Tools = ReturnType<typeof newTools>;
const ask = (words: string): NewMessage => user(words);
const answer = (words: string): NewMessage => assistant(words);

async function openSession(story: Story): Promise<void> {
  await story.live('The user asks, and lays down a rule', [
    ask('Make the CSV reader keep quoted line ends. Never touch migrations/.'),
  ]);
}

async function tellClaudeCode(story: Story, tools: Tools): Promise<void> {
  story.open('Truncation of single results: 30,000 characters');
  await openSession(story);
  for (const tool of ['bash', 'read', 'grep'])
    for (const chars of [30_000, 30_001])
      await story.live(`${tool} answers with ${chars} characters`, tools.use(tool, chars));

  story.open('The budget for results: 200,000 characters in one message');
  const half = [20_000, 20_000, 20_000, 20_000, 20_000];
  await story.live('ten files of 20,000 characters at once', tools.useAtOnce('read', ...half, ...half));
  await story.live('the same, and one character more', tools.useAtOnce('read', ...half, ...half.slice(1), 20_001));

  story.open('A file that did not change, a search that is repeated');
  const same = proseOf(8_000);
  await story.live('a file is read', tools.use('read', 0, { path: 'src/reader.ts' }, same));
  await story.live('and read again, unchanged', tools.use('read', 0, { path: 'src/reader.ts' }, same));
  await story.live('a search', tools.use('grep', 4_000, { pattern: 'readField' }));
  await story.live('and the same search again', tools.use('grep', 4_100, { pattern: 'readField' }));

  story.open('Micro-compact by the provider: more than 20 results');
  for (let i = 0; i < 6; i++) await story.live(`an edit (${i + 1})`, tools.use('edit', 400));

  story.open('Micro-compact by time: 60 minutes');
  await story.live(
    'an answer, and the user after 60 minutes',
    [answer('The reader keeps them now.'), ask('And the writer?')],
    {
      pause: 60 * MINUTE,
    },
  );
  await story.live('an answer', tools.use('edit', 400));
  await story.live('the user after 60 minutes and a second', [answer('The writer too.'), ask('Go on with dates.')], {
    pause: 60 * MINUTE + 1_000,
  });

  await tellThresholds(story);
  await tellAfter(story, tools);
}

/** Up to each threshold and at it. */
async function tellThresholds(story: Story): Promise<void> {
  const { warning, error, trigger, effective } = story.session.status().budget;
  story.open('Thresholds');
  const marks = [...new Set([warning, error, Math.ceil(effective * 0.9), trigger])].sort((a, b) => a - b);
  for (const mark of marks) {
    await story.liveUpTo(`a report: one token below ${mark}`, mark - 1);
    if (story.session.status().tokens === mark - 1) await story.live(`one token more: ${mark}`, [answer('Ok.')]);
  }
}

/** What comes back, a compaction asked for, and a refusal. */
async function tellAfter(story: Story, tools: Tools): Promise<void> {
  await story.tellView();
  story.open('A compaction that the user asks for');
  for (let i = 0; i < 4; i++) {
    await story.live(`the user asks again (${i + 1})`, [ask(`Look at part ${i}, please.`)]);
    await story.live('a file is read, and answered', [...tools.use('read', 9_000), answer(`Part ${i} is fine.`)]);
  }
  await story.act('/compact', () => story.session.compact());
  await story.tellView();
  story.open('A refusal by the provider');
  for (let i = 0; i < 6; i++)
    await story.live(`the user asks (${i + 1})`, [
      ...tools.use('bash', 20_000),
      answer(proseOf(4_000)),
      ask(`What of part ${i}?`),
    ]);
  await story.act('the provider refuses: the prompt is too long', () => story.session.overflowed());
  await story.tellView();
  await story.act('and once more in the same turn', () => story.session.overflowed());
}

async function tellS08(story: Story, tools: Tools): Promise<void> {
  await openSession(story);
  story.open('Micro: the newest 3 results stay, older ones over 120 characters go');
  await story.live('a short result of 120 characters', tools.use('bash', 120));
  await story.live('one of 121 characters', tools.use('mcp__db__query', 121));
  for (let i = 0; i < 3; i++) await story.live(`a file is read (${i + 1})`, tools.use('read', 5_000));

  story.open('Budget: 200,000 characters in one message');
  const half = [40_000, 40_000, 20_000];
  await story.live('six files, 200,000 characters together', tools.useAtOnce('read', ...half, ...half));
  await story.live('the same, and one character more', tools.useAtOnce('read', ...half, ...half.slice(1), 40_001));

  story.open('Snip: more than 50 messages');
  while (story.session.status().messages < 49)
    await story.live('talk', [
      answer('It is done as it should be done.'),
      ask('Go on with the next part of it, please.'),
    ]);
  await story.live('one more', [answer('It is done as it should be done.')]);
  await story.live('and one more', [ask('Go on with the next part of it, please.')]);
  await story.live('and two more', [answer('It is done as it should be done.'), ask('Go on with the next part.')]);

  const { trigger } = story.session.status().budget;
  story.open('Auto-compact at the threshold');
  await story.liveUpTo(`a report: one token below ${trigger}`, trigger - 1);
  await story.live(`one token more: ${trigger}`, [answer('Ok.')]);
  await tellAfter(story, tools);
}

async function tellOpenCode(story: Story, tools: Tools): Promise<void> {
  await openSession(story);
  story.open('Prune: behind 2 turns and 40,000 tokens, more than 20,000 at once');
  await story.live('a skill is loaded', tools.use('skill', 8_000, { skill: 'release' }));
  await story.live('a call fails', tools.fail('bash', 8_000));
  for (let i = 0; i < 5; i++) {
    await story.live(`an output of 4,000 tokens (${i + 1})`, tools.use(i % 2 === 0 ? 'bash' : 'mcp__ci__log', 16_000));
    await story.live('the next turn', [answer('Done.'), ask(`Next ${i}.`)]);
  }
  for (let i = 0; i < 10; i++) {
    await story.live(`an output of 4,000 tokens (${i + 6})`, tools.use('read', 16_000));
    await story.live('the next turn', [answer('Done.'), ask(`Next ${i + 5}.`)]);
  }
  await story.live('an output of one token', [...tools.use('read', 4), answer('Done.'), ask('Next.')]);
  await story.live('three tokens more', [...tools.use('read', 12), answer('Done.'), ask('Next.')]);
  await story.live('and 4,000 more', [...tools.use('read', 16_000), answer('Done.'), ask('Next.')]);

  const { trigger } = story.session.status().budget;
  story.open('Overflow: a summary');
  await story.liveUpTo(`a report: one token below ${trigger}`, trigger - 1);
  await story.live(`one token more: ${trigger}`, [answer('Ok.')]);
  await tellAfter(story, tools);
  story.open('A picture that is too large');
  await story.live('the user sends a picture', [
    user([text('What is wrong in this picture?'), picture('shot.png', { data: 'A'.repeat(3_000_000) })]),
  ]);
  await story.act('the provider refuses', () => story.session.overflowed());
  await story.tellView();
}

async function tellDefault(story: Story, tools: Tools): Promise<void> {
  await tellClaudeCode(story, tools);
}

const STORIES = {
  default: tellDefault,
  'claude-code': tellClaudeCode,
  'open-code': tellOpenCode,
  s08: tellS08,
} as const;

it.each(Object.keys(STORIES) as (keyof typeof STORIES)[])(
  'preset %s: each of its stages acts at its figure in a long session (golden)',
  async (name) => {
    const story = newStory(name, { layers: presets[name]() });
    await STORIES[name](story, newTools());
    await expect(story.page()).toMatchFileSnapshot(`../goldens/walks/${name}.txt`);
  },
);
