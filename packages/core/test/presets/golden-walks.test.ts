import { expect, it } from 'vitest';
import {
  assistant,
  call,
  type Json,
  type Layer,
  type NewMessage,
  presets,
  result,
  results,
  text,
  user,
} from '../../src/index.ts';
import { newStory, proseOf, type Station, type Story } from '../support/story.ts';
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
const figure = (n: number): string => n.toLocaleString('en-US');

async function openSession(story: Story): Promise<void> {
  await story.live('The user asks, and lays down a rule', [
    ask('Make the CSV reader keep quoted line ends. Never touch migrations/.'),
  ]);
}

/** Single outputs, up to 30,000 characters and beyond. */
async function tellTruncation(story: Story, tools: Tools, acts?: readonly string[]): Promise<void> {
  story.open('Single results: 30,000 characters');
  for (const tool of ['bash', 'read', 'grep']) {
    await story.live(`${tool} answers with 30,000 characters`, tools.use(tool, 30_000), { acts: [] });
    await story.live(`${tool} answers with 30,001 characters`, tools.use(tool, 30_001), stationOf(acts));
  }
}

const stationOf = (acts: readonly string[] | undefined): Station => (acts === undefined ? {} : { acts });

/** The user comes back after an hour, and after a little more than that. */
async function tellPause(story: Story, tools: Tools): Promise<void> {
  story.open('A pause: 60 minutes');
  await story.live('the model answers', [answer('They are kept now.')], onTheWay);
  const hour = { pause: 60 * MINUTE };
  await story.live('the user comes back after 60 minutes', [ask('And the writer?')], hour);
  await story.live('a short edit, and an answer', [...tools.use('edit', 80), answer('The writer too.')], onTheWay);
  const more = { pause: 60 * MINUTE + 1_000 };
  await story.live('the user comes back after 60 minutes and a second', [ask('Go on with dates.')], more);
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
  const more = [...five, ...five.slice(1), 20_001];
  await story.live('ten logs of 20,000 characters at once', tools.useAtOnce('mcp__ci__log', ...five, ...five));
  await story.live('the same, and one character more', tools.useAtOnce('mcp__ci__log', ...more));
}

/** Reads and searches that say nothing new. */
async function tellRepeats(story: Story, tools: Tools, acts?: readonly string[]): Promise<void> {
  story.open('A file that did not change, a search that is repeated');
  const same = proseOf(8_000);
  await story.live('a file is read', tools.use('read', 0, { path: 'src/reader.ts' }, same));
  await story.live('and again, unchanged', tools.use('read', 0, { path: 'src/reader.ts' }, same), stationOf(acts));
  await story.live('a search', tools.use('grep', 4_000, { pattern: 'readField' }));
  await story.live('and the same search again', tools.use('grep', 4_100, { pattern: 'readField' }));
}

/** Up to each mark, and at it. At the last of them a stage is due. */
async function tellMarks(story: Story, marks: readonly number[], acts?: readonly string[]): Promise<void> {
  for (const mark of [...new Set(marks)].sort((a, b) => a - b)) {
    const isLast = mark === Math.max(...marks);
    await story.liveUpTo(`a report: one token below ${figure(mark)}`, mark - 1, { acts: [] });
    await story.live(`one token more: ${figure(mark)}`, [answer('Ok.')], isLast ? stationOf(acts) : { acts: [] });
  }
}

async function tellThresholds(story: Story, acts?: readonly string[]): Promise<void> {
  const { warning, error, trigger } = story.session.status().budget;
  story.open('Thresholds: warning, error, trigger');
  await tellMarks(story, [warning, error, trigger], acts);
  await story.tellView();
}

/** Reports until the trigger is reached, which follows from prices and from what a call adds. */
async function tellReports(story: Story): Promise<void> {
  story.open('Reports, up to the trigger that prices make');
  const report = [answer(proseOf(24_000)), ask('Go on.')];
  const isBelow = (): boolean => {
    const { tokens, budget } = story.session.status();
    return tokens + 7_000 < budget.trigger;
  };
  while (isBelow()) await story.live('a report', report, onTheWay);
  await story.live('one report more', report);
  await story.tellView();
}

/** A compaction asked for at the prompt, where the model spoke last. */
async function tellCompact(story: Story, tools: Tools): Promise<void> {
  story.open('A compaction that the user asks for');
  for (let i = 0; i < 6; i++) {
    await story.live('the user asks', [ask(`Look at part ${i}, please.`)], onTheWay);
    const told = [...tools.use('read', 25_000), answer(`Part ${i} is fine.`)];
    await story.live('a file is read, and told of', told, onTheWay);
  }
  await story.act('/compact', () => story.session.compact(), { acts: ['summarize-history'] });
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
  await story.act('it refuses once more in the same turn', () => story.session.overflowed(), { acts: [] });
}

/** They talk until there are more than 50 messages. */
async function tellTalk(story: Story): Promise<void> {
  story.open('More than 50 messages');
  const words = answer(proseOf(400));
  while (story.session.status().messages < 48) await story.live('they talk', [words, ask('Go on.')], onTheWay);
  for (const count of [50, 52])
    await story.live(`${count} messages`, [words, ask('Go on.')].slice(-(count - story.session.status().messages)), {
      acts: count > 50 ? ['snip-middle'] : [],
    });
  await story.live('two messages more', [words, ask('Go on.')], { acts: ['snip-middle'] });
  await story.tellView();
}

async function tellClaudeCode(begin: Begin): Promise<void> {
  const story = begin('claude-code', presets['claude-code']());
  const tools = newTools();
  await openSession(story);
  await tellTruncation(story, tools, ['cap-results']);
  await tellPause(story, tools);
  await tellGroups(story, tools);
  await tellRepeats(story, tools, ['supersede-reads']);
  await tellMany(story, tools);
  await tellThresholds(story);
  await tellCompact(story, tools);
  await tellRefusal(story, tools);

  const snipping = begin('claude-code, with the snip switched on', presets['claude-code']({ snipMiddle: true }));
  await openSession(snipping);
  await tellTalk(snipping);

  const collapsing = begin(
    'claude-code, with the collapse switched on',
    presets['claude-code']({ collapseSpans: true }),
  );
  const { effective, trigger } = collapsing.session.status().budget;
  await openSession(collapsing);
  collapsing.open('90 % of the effective window; the trigger then lets history be');
  for (let i = 0; i < 8; i++)
    await collapsing.live('a turn', [answer(proseOf(60_000)), ask(`Go on with part ${i}.`)], onTheWay);
  await tellMarks(collapsing, [effective * 0.9], ['collapse-spans']);
  for (const mark of [trigger, effective * 0.95]) await collapsing.liveUpTo(`a report: ${figure(mark)}`, mark);
  await collapsing.tellView();
  await collapsing.act('/compact', () => collapsing.session.compact(), { acts: ['summarize-history'] });
}

async function tellS08(begin: Begin): Promise<void> {
  const story = begin('s08', presets.s08());
  const tools = newTools();
  await openSession(story);
  story.open('Old results: the newest 3 stay, older ones over 120 characters go');
  await story.live('a result of 120 characters', tools.use('bash', 120), { acts: [] });
  await story.live('one of 121 characters', tools.use('mcp__db__query', 121), { acts: [] });
  for (let i = 0; i < 2; i++) await story.live(`a file is read (${i + 1})`, tools.use('read', 5_000), { acts: [] });
  await story.live('a file is read (3)', tools.use('read', 5_000), { acts: ['clear-old-results'] });
  await tellGroups(story, tools);
  await tellThresholds(story, ['summarize-history']);
  await tellTalk(story);
  await tellCompact(story, tools);
  await tellRefusal(story, tools);
}

async function tellOpenCode(begin: Begin): Promise<void> {
  // Its prune is off until the user switches it on.
  const story = begin('open-code, with prune switched on', presets['open-code']({ clearOldResults: true }));
  const tools = newTools();
  await openSession(story);
  story.open('Prune: behind 2 turns and 40,000 tokens of output, more than 20,000 at once');
  await story.live('a skill is loaded', tools.use('skill', 8_000, { skill: 'release' }));
  await story.live('a call fails', tools.fail('bash', 8_000));
  // Outputs of 4,000 tokens, each in a turn of its own: five of them behind ten that are safe are 20,000.
  for (let i = 0; i < 15; i++) {
    await story.live('an output', tools.use(i % 2 === 0 ? 'bash' : 'mcp__ci__log', 16_000), { ...onTheWay, acts: [] });
    await story.live('the next turn', [answer('Done.'), ask(`Next ${i}.`)], { ...onTheWay, acts: [] });
  }
  await story.live('15 outputs of 4,000 tokens: 20,000 are old', [answer('Well.'), ask('Next.')], { acts: [] });
  await story.live('one more: 24,000 are old', tools.use('read', 16_000), { acts: ['clear-old-results'] });
  await story.tellView();

  await tellThresholds(story, ['summarize-history']);
  await tellCompact(story, tools);
  await tellRefusal(story, tools);
  story.open('A picture that is too large');
  await story.live('the user sends a picture of 3 MB', [
    user([text('What is wrong in this picture?'), picture('shot.png', { data: 'A'.repeat(3_000_000) })]),
  ]);
  await story.act('the provider refuses', () => story.session.overflowed());
  await story.tellView();
}

async function tellDefault(begin: Begin): Promise<void> {
  const story = begin('default', presets.default());
  const tools = newTools();
  await openSession(story);
  await tellTruncation(story, tools);
  await tellPause(story, tools);
  await tellGroups(story, tools);
  await tellRepeats(story, tools);
  await tellMany(story, tools);
  await tellReports(story);
  await tellCompact(story, tools);
  await tellRefusal(story, tools);
}

/** Begins a session of its own on the same page. */
type Begin = (title: string, layers: readonly Layer[]) => Story;

const STORIES = {
  default: tellDefault,
  'claude-code': tellClaudeCode,
  'open-code': tellOpenCode,
  s08: tellS08,
} as const;

it.each(Object.keys(STORIES) as (keyof typeof STORIES)[])(
  'preset %s: each of its stages acts at its figure in a long session (golden)',
  async (name) => {
    const stories: Story[] = [];
    await STORIES[name]((title, layers) => {
      const story = newStory(title, { layers });
      stories.push(story);
      return story;
    });
    const page = stories.map((story) => story.page()).join('\n\n');
    await expect(page).toMatchFileSnapshot(`../goldens/walks/${name}.txt`);
  },
);
