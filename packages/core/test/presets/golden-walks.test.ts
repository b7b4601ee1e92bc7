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

const onTheWay = { isOnTheWay: true } as const;

async function openSession(story: Story): Promise<void> {
  await story.live('The user asks, and lays down a rule', [
    ask('Make the CSV reader keep quoted line ends. Never touch migrations/.'),
  ]);
}

/** Single outputs, up to 30,000 characters and beyond. */
async function tellTruncation(story: Story, tools: Tools): Promise<void> {
  story.open('Single results: 30,000 characters');
  for (const tool of ['bash', 'read', 'grep']) {
    await story.live(`${tool} answers with 30,000 characters`, tools.use(tool, 30_000), { acts: [] });
    await story.live(`${tool} answers with 30,001 characters`, tools.use(tool, 30_001));
  }
}

/** The user comes back after an hour, and after a little more than that. */
async function tellPause(story: Story, tools: Tools): Promise<void> {
  story.open('A pause: 60 minutes');
  await story.live('the model answers', [answer('They are kept now.')], onTheWay);
  await story.live('the user comes back after 60 minutes', [ask('And the writer?')], { pause: 60 * MINUTE, acts: [] });
  await story.live('a short edit, and an answer', [...tools.use('edit', 80), answer('The writer too.')], onTheWay);
  await story.live('the user comes back after 60 minutes and a second', [ask('Go on with dates.')], {
    pause: 60 * MINUTE + 1_000,
  });
}

/** Small results, until there are many. */
async function tellMany(story: Story, tools: Tools): Promise<void> {
  story.open('Many results: more than 20 that can be asked for again');
  for (let i = 0; i < 24; i++) await story.live('a short file is read', tools.use('read', 400), onTheWay);
  await story.live('and one more', tools.use('read', 400));
}

/** Ten outputs at once, of 200,000 characters together and of one more. */
async function tellGroups(story: Story, tools: Tools): Promise<void> {
  story.open('The results of one message: 200,000 characters');
  const five = [20_000, 20_000, 20_000, 20_000, 20_000];
  await story.live('ten logs of 20,000 characters at once', tools.useAtOnce('mcp__ci__log', ...five, ...five));
  await story.live(
    'the same, and one character more',
    tools.useAtOnce('mcp__ci__log', ...five, ...five.slice(1), 20_001),
  );
}

/** Reads and searches that say nothing new. */
async function tellRepeats(story: Story, tools: Tools): Promise<void> {
  story.open('A file that did not change, a search that is repeated');
  const same = proseOf(8_000);
  await story.live('a file is read', tools.use('read', 0, { path: 'src/reader.ts' }, same));
  await story.live('and read again, unchanged', tools.use('read', 0, { path: 'src/reader.ts' }, same));
  await story.live('a search', tools.use('grep', 4_000, { pattern: 'readField' }));
  await story.live('and the same search again', tools.use('grep', 4_100, { pattern: 'readField' }));
}

/** Up to each threshold, and at it. The last of them is where a summary is due. */
async function tellThresholds(story: Story): Promise<void> {
  const { warning, error, trigger, effective } = story.session.status().budget;
  story.open('Thresholds');
  const marks = new Set([warning, error, Math.ceil(effective * 0.9), trigger]);
  for (const mark of [...marks].filter((one) => one <= trigger).sort((a, b) => a - b)) {
    await story.liveUpTo(`a report: one token below ${mark.toLocaleString('en-US')}`, mark - 1);
    if (story.session.status().tokens !== mark - 1) continue;
    await story.live(`one token more: ${mark.toLocaleString('en-US')}`, [answer('Ok.')]);
  }
  await story.tellView();
}

/** A compaction asked for at the prompt, where the model spoke last. */
async function tellCompact(story: Story, tools: Tools): Promise<void> {
  story.open('A compaction that the user asks for');
  for (let i = 0; i < 6; i++) {
    await story.live('the user asks', [ask(`Look at part ${i}, please.`)], onTheWay);
    await story.live(
      'a file is read, and told of',
      [...tools.use('read', 9_000), answer(`Part ${i} is fine.`)],
      onTheWay,
    );
  }
  await story.act('/compact', () => story.session.compact());
  await story.tellView();
}

/** The provider says that the prompt is too long. */
async function tellRefusal(story: Story, tools: Tools): Promise<void> {
  story.open('A refusal by the provider');
  for (let i = 0; i < 6; i++)
    await story.live(
      'the user asks',
      [...tools.use('bash', 12_000), answer(proseOf(4_000)), ask(`What of part ${i}?`)],
      onTheWay,
    );
  await story.act('the provider refuses: the prompt is too long', () => story.session.overflowed());
  await story.tellView();
  await story.act('it refuses once more in the same turn', () => story.session.overflowed());
}

async function tellClaudeCode(story: Story, tools: Tools): Promise<void> {
  await openSession(story);
  await tellTruncation(story, tools);
  await tellPause(story, tools);
  await tellGroups(story, tools);
  await tellRepeats(story, tools);
  await tellMany(story, tools);
  await tellThresholds(story);
  await tellCompact(story, tools);
  await tellRefusal(story, tools);
}

async function tellS08(story: Story, tools: Tools): Promise<void> {
  await openSession(story);
  story.open('Old results: the newest 3 stay, older ones over 120 characters go');
  await story.live('a result of 120 characters', tools.use('bash', 120));
  await story.live('one of 121 characters', tools.use('mcp__db__query', 121));
  for (let i = 0; i < 3; i++) await story.live(`a file is read (${i + 1})`, tools.use('read', 5_000));
  await tellGroups(story, tools);
  await tellThresholds(story);

  story.open('More than 50 messages');
  const talk = [answer('It is done as it should be done.'), ask('Go on with the next part of it, please.')];
  while (story.session.status().messages < 49) await story.live('they talk', talk, onTheWay);
  while (story.session.status().messages < 50) await story.live('one message more: 50', talk.slice(0, 1));
  await story.live('and one more: 51', [ask('Go on with the next part of it, please.')]);
  await story.live('and two more: 53', talk);
  await story.live('and two more', talk);
  await story.tellView();
  await tellCompact(story, tools);
  await tellRefusal(story, tools);
}

async function tellOpenCode(story: Story, tools: Tools): Promise<void> {
  await openSession(story);
  story.open('Prune: behind 2 turns and 40,000 tokens of output, more than 20,000 at once');
  await story.live('a skill is loaded', tools.use('skill', 8_000, { skill: 'release' }));
  await story.live('a call fails', tools.fail('bash', 8_000));
  // Outputs of 4,000 tokens, each in a turn of its own: five of them behind ten that are safe are 20,000.
  for (let i = 0; i < 15; i++) {
    await story.live('an output', tools.use(i % 2 === 0 ? 'bash' : 'mcp__ci__log', 16_000), onTheWay);
    await story.live('the next turn', [answer('Done.'), ask(`Next ${i}.`)], onTheWay);
  }
  await story.live('15 outputs of 4,000 tokens: 20,000 are old', [answer('Well.'), ask('Next.')]);
  await story.live('one more output of 4,000 tokens: 24,000 are old', tools.use('read', 16_000));
  await story.live('the next turn', [answer('Done.'), ask('Next.')]);
  await story.tellView();

  await tellThresholds(story);
  await tellCompact(story, tools);
  await tellRefusal(story, tools);
  story.open('A picture that is too large');
  await story.live('the user sends a picture of 3 MB', [
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
    // OpenCode's prune is off until its user switches it on.
    const layers = name === 'open-code' ? presets[name]({ clearOldResults: true }) : presets[name]();
    const story = newStory(name, { layers });
    await STORIES[name](story, newTools());
    await expect(story.page()).toMatchFileSnapshot(`../goldens/walks/${name}.txt`);
  },
);
