import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CarryItem, call, type Part, text } from '@palimpsest/core';
import { memoryStore } from '@palimpsest/store';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../src/loop/agent.ts';
import { currentView } from '../src/loop/context-use.ts';
import { newQuestions } from '../src/screen/questions.ts';
import { eventually } from './support/eventually.ts';
import { newFolder } from './support/launch.ts';
import { saidIn, scriptedModel } from './support/scripted-model.ts';
import { page, started } from './support/started.ts';

/** A parent that starts tasks by name, and children that hang until they are let go. */
function newFamily() {
  const go = new Map<string, (parts: readonly Part[]) => void>();
  const model = scriptedModel({
    isLanguageModel: false,
    answer({ messages }, _, signal) {
      const said = saidIn(messages);
      const own = /human: child (\w+)/.exec(said)?.[1];
      if (own !== undefined)
        return new Promise<readonly Part[]>((resolve, reject) => {
          go.set(own, resolve);
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
      const wanted = [...said.matchAll(/human: start (\w+)/g)].at(-1)?.[1];
      const last = messages.at(-1)!;
      if (wanted !== undefined && last.origin === 'human' && saidIn([last]).includes('start'))
        return [
          call(`c-${wanted}`, 'task', { description: `look ${wanted}`, prompt: `child ${wanted}`, background: true }),
        ];
      return [text(page('answer', 60))];
    },
  });
  return { model, go };
}

/** Says enough that a summary is worth it, and asks for one at the prompt. */
async function summarizeAll(agent: Agent): Promise<void> {
  for (let n = 0; n < 4; n++) await agent.say(`page ${n}`);
  await agent.compact({ form: 'all' });
}

describe('a subagent in the background', () => {
  it('lets the turn go on, is carried by its id while it works, and is told of once when it has ended', async () => {
    const { model, go } = newFamily();
    const { agent, events } = await started({ model });
    await agent.say('start a');
    await agent.say('start b');
    await eventually(() => go.size === 2);
    await summarizeAll(agent);
    const carried = saidIn(currentView(agent.session)).split('[Carried over by code').at(-1)!;
    expect(carried).toContain(`name="${agent.id}-task-1"`);
    expect(carried).toContain('a subagent is at work: look a');
    expect(carried).toContain(`name="${agent.id}-task-2"`);
    go.get('a')!([text('the mill stands')]);
    await eventually(() => events.some((event) => event.type === 'task-reported' && event.event.type === 'turn-ended'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await agent.say('and now?');
    const told = saidIn(agent.session.transcript());
    expect(told.split(`[The task ${agent.id}-task-1 (look a) has ended. the mill stands`)).toHaveLength(2);
    await agent.say('more');
    expect(saidIn(agent.session.transcript()).split('has ended. the mill stands')).toHaveLength(2);
    await summarizeAll(agent);
    const later = saidIn(currentView(agent.session)).split('[Carried over by code').at(-1)!;
    expect(later).not.toContain(`name="${agent.id}-task-1"`);
    expect(later).toContain(`name="${agent.id}-task-2"`);
    await agent.close();
  });

  it('ends with the agent, and an interruption of the turn does not stop it', async () => {
    const { model, go } = newFamily();
    const store = memoryStore();
    const { agent } = await started({ model, store });
    await agent.say('start a');
    await eventually(() => go.size === 1);
    expect(agent.interrupt()).toBe(false);
    await agent.close();
    expect((await store.list()).map(({ id }) => id).sort()).toEqual([agent.id, `${agent.id}-task-1`]);
  });
});

it('a session that goes on starts subagents like any other, each with an id of its own', async () => {
  const store = memoryStore();
  const asking = () =>
    scriptedModel({
      isLanguageModel: false,
      answer: ({ tools, messages }) =>
        tools.some(({ name }) => name === 'task') && messages.at(-1)!.origin === 'human'
          ? [call(`c${messages.length}`, 'task', { description: 'look', prompt: 'look at it' })]
          : [text(saidIn(messages.slice(-1)))],
    });
  const first = await started({ model: asking(), store });
  await first.agent.say('ask');
  await first.agent.close();
  const { id } = first.agent;
  const { agent } = await started({ model: asking(), store, resume: id });
  await agent.say('ask again');
  expect(agent.lastWords()).toContain(`its own session is ${id}-task-2`);
  await agent.close();
});

it('a subagent in the background that ended with the agent is told of once, when the session goes on', async () => {
  const { model, go } = newFamily();
  const store = memoryStore();
  const first = await started({ model, store });
  await first.agent.say('start a');
  await eventually(() => go.size === 1);
  await first.agent.close();
  const { id } = first.agent;
  for (const n of [1, 2]) {
    const { agent, events } = await started({ model, store, resume: id });
    const mended = events.find((event) => event.type === 'session-mended');
    if (n === 1) expect(mended).toMatchObject({ what: '1 task in the background ended with the agent' });
    else expect(mended).toBeUndefined();
    const told = saidIn(agent.session.transcript()).split(`[The task ${id}-task-1 was stopped with the agent`);
    expect(told).toHaveLength(2);
    await agent.say('go on');
    await agent.close();
  }
});

describe('what a host has carried', () => {
  it('stands after a summary besides what the agent carries: tools that come later, what servers say', async () => {
    const root = newFolder();
    writeFileSync(join(root, 'a.txt'), 'mill\n');
    const items: readonly CarryItem[] = [
      { kind: 'tools', name: 'deferred tools', text: 'weather: asks the sky. Load it with tool_search.' },
      { kind: 'tools', name: 'server mill', text: 'Ask the miller before you grind.' },
    ];
    const model = scriptedModel({ isLanguageModel: false, answer: () => [text(page('answer', 60))] });
    const { agent } = await started({ model, root, carry: { carry: async () => items } });
    await summarizeAll(agent);
    const carried = saidIn(currentView(agent.session));
    for (const { text: words } of items) expect(carried).toContain(words);
    expect(carried).toContain(root);
  });

  it('that fails takes nothing from what the agent carries', async () => {
    const model = scriptedModel({ isLanguageModel: false, answer: () => [text(page('answer', 60))] });
    const { agent, root } = await started({ model, carry: { carry: () => Promise.reject(new Error('away')) } });
    await summarizeAll(agent);
    expect(saidIn(currentView(agent.session))).toContain(`name="folder">\n${root}`);
  });
});

it('questions of several agents are asked one after the other, and none is lost', async () => {
  const questions = newQuestions(() => {});
  const { signal } = new AbortController();
  const answers = ['a', 'b'].map((what) => questions.ask({ tool: 'bash', what, why: 'x' }, signal));
  const press = (name: string): unknown => questions.press({ typed: undefined, key: { name } });
  await eventually(() => questions.open()?.asked.what === 'a');
  press('escape');
  expect(await answers[0]).toBe('no');
  await eventually(() => questions.open()?.asked.what === 'b');
  press('escape');
  expect(await answers[1]).toBe('no');
});
