import { call, text } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { currentView } from '../src/loop/context-use.ts';
import { readCompactAsk } from '../src/tools/compact-ask.ts';
import { saidIn, scriptedModel } from './support/scripted-model.ts';
import { page, started } from './support/started.ts';

describe('what stands behind /compact', () => {
  it.each([
    ['', {}],
    ['mind the mill', { instructions: 'mind the mill' }],
    ['all', { form: 'all' }],
    ['all: mind the mill', { form: 'all', instructions: 'mind the mill' }],
    ['all tests must be named', { instructions: 'all tests must be named' }],
    ['from m12', { form: 'from', at: 'm12' }],
    ['from the weir: mind it', { form: 'from', at: 'the weir', instructions: 'mind it' }],
    ['up to page 3', { form: 'up-to', at: 'page 3' }],
    ['up-to m4', { form: 'up-to', at: 'm4' }],
    [': from now on name tests', { instructions: 'from now on name tests' }],
    ['name two things: a and b', { instructions: 'name two things: a and b' }],
  ])('%j', (argument, asked) => {
    expect(readCompactAsk(argument)).toEqual(asked);
  });
});

const teller = () => scriptedModel({ isLanguageModel: false, answer: (_, number) => [text(page(`p${number}`, 20))] });

async function told(pages: number) {
  const model = teller();
  const begun = await started({ model });
  for (let n = 1; n <= pages; n++) await begun.agent.say(`tell me page ${n}`);
  return begun;
}

const shownPages = (said: string): readonly number[] =>
  [...said.matchAll(/^model: p(\d+) line 0/gm)].map(([, number]) => Number(number));

describe('a compaction at the prompt', () => {
  it('of everything leaves no message of before', async () => {
    const { agent } = await told(6);
    await agent.compact({ form: 'all' });
    expect(shownPages(saidIn(currentView(agent.session)))).toEqual([]);
    expect(agent.session.transcript()).toHaveLength(12);
  });

  it('up to a message keeps what came after it as it was', async () => {
    const { agent } = await told(6);
    await agent.compact({ form: 'up-to', at: 'page 3' });
    const shown = shownPages(saidIn(currentView(agent.session)));
    expect(shown).toEqual(expect.arrayContaining([4, 5, 6]));
    expect(shown).not.toContain(1);
    expect(shown).not.toContain(2);
  });

  it('from a message keeps what came before it as it was', async () => {
    const { agent } = await told(6);
    await agent.compact({ form: 'from', at: 'page 4' });
    const shown = shownPages(saidIn(currentView(agent.session)));
    expect(shown).toEqual(expect.arrayContaining([1, 2, 3]));
    expect(shown).not.toContain(5);
  });

  it('that names no message is refused, says how it is written, and changes nothing', async () => {
    const { agent } = await told(2);
    const before = currentView(agent.session);
    for (const ask of [{ form: 'from' as const }, { form: 'up-to' as const, at: 'the weir' }])
      await expect(async () => agent.compact(ask)).rejects.toThrow(/say \/compact all, \/compact from WORDS/);
    expect(currentView(agent.session)).toEqual(before);
    expect(agent.isBusy()).toBe(false);
  });
});

describe('the compact tool', () => {
  it('takes a form and a place, and ends the turn', async () => {
    const model = scriptedModel({
      isLanguageModel: false,
      answer: (_, number) =>
        number === 5 ? [call('c1', 'compact', { form: 'up-to', at: 'page 2' })] : [text(page(`p${number}`, 30))],
    });
    const { agent } = await started({ model });
    for (let n = 1; n <= 4; n++) await agent.say(`tell me page ${n}`);
    expect(await agent.say('compact it')).toEqual({ outcome: 'compacted' });
    const shown = shownPages(saidIn(currentView(agent.session)));
    expect(shown).toEqual(expect.arrayContaining([3, 4]));
    expect(shown).not.toContain(1);
    expect(agent.session.receipts().at(-1)).toMatchObject({ trigger: 'tool' });
  });

  it('is told where it names no message, and the turn goes on', async () => {
    const model = scriptedModel({
      answer: ({ messages }, number) =>
        number === 1 ? [call('c1', 'compact', { form: 'from', at: 'nobody said this' })] : [text(saidIn(messages))],
    });
    const { agent } = await started({ model });
    expect(await agent.say('go')).toEqual({ outcome: 'done' });
    expect(agent.lastWords()).toContain('With from, at names a message');
  });
});

describe('the snip tool', () => {
  it('hides the answers that the model names, leaves what the user wrote, and the turn goes on', async () => {
    const model = scriptedModel({
      isLanguageModel: false,
      answer: ({ messages }, number) => {
        if (number <= 6) return [text(page(`p${number}`, 20))];
        if (number === 7) return [call('c1', 'snip', { from: 'tell me page 2', to: 'm8' })];
        return [text(`I see ${shownPages(saidIn(messages)).join(' ')}`)];
      },
    });
    const { agent, events } = await started({ model });
    for (let n = 1; n <= 6; n++) await agent.say(`tell me page ${n}`);
    expect(await agent.say('snip it')).toEqual({ outcome: 'done' });
    expect(agent.lastWords()).toBe('I see 1 5 6');
    const ended = events.find((event) => event.type === 'call-ended');
    expect(ended).toMatchObject({ tool: 'snip', isError: false });
    const [, ...refs] =
      /^3 messages are hidden \(\d+ → \d+ tokens\); recall (e\d+), (e\d+), (e\d+) reads them\.$/.exec(
        ended?.type === 'call-ended' ? ended.text : '',
      ) ?? [];
    expect(refs.map((ref) => shownPages(agent.session.recall.read(ref).text.replace(/^.*\n/, 'model: ')))).toEqual([
      [2],
      [3],
      [4],
    ]);
    const said = saidIn(currentView(agent.session));
    for (let n = 1; n <= 6; n++) expect(said).toContain(`human: tell me page ${n}\n`);
    expect(agent.session.receipts().at(-1)).toMatchObject({ trigger: 'tool' });
    agent.session.undo();
    expect(shownPages(saidIn(currentView(agent.session)))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('says why nothing can go, and knows no message that nobody has said', async () => {
    const model = scriptedModel({
      answer: ({ messages }, number) =>
        number === 1
          ? [call('c1', 'snip', {}), call('c2', 'snip', { from: 'm1', to: 'm99' })]
          : [text(saidIn(messages))],
    });
    const { agent } = await started({ model });
    await agent.say('go');
    expect(agent.lastWords()).toContain('nothing can be snipped: the view has 2 messages');
    expect(agent.lastWords()).toContain('No message is known as “m99”');
  });

  it('is not offered to subagents, whose middle is never snipped', async () => {
    const { agent } = await started({ model: teller(), subagent: true });
    expect(agent.tools.map(({ name }) => name)).not.toContain('snip');
    expect((await started({ model: teller() })).agent.tools.map(({ name }) => name)).toContain('snip');
  });
});
