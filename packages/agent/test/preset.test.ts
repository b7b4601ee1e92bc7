import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, type Part, presets, text } from '@palimpsest/core';
import { fileStore, memoryStore } from '@palimpsest/store';
import { describe, expect, it } from 'vitest';
import { currentView } from '../src/loop/context-use.ts';
import { offlineModel } from '../src/models/offline/offline-model.ts';
import { newFolder } from './support/launch.ts';
import { saidIn, scriptedModel } from './support/scripted-model.ts';
import { page, started } from './support/started.ts';

/** A folder with so many pages, and the request that reads them one after the other. */
function newPages(count: number): { readonly root: string; readonly request: string } {
  const root = newFolder();
  const names = Array.from({ length: count }, (_, i) => `page-${i + 1}.txt`);
  for (const name of names) writeFileSync(join(root, name), page(name, 12));
  return { root, request: names.map((name) => `read ${name}`).join(', then ') };
}

const offline = offlineModel({ window: 100_000 });
const CLEARED = /\[[^\n]*recall e\d+\]/g;

describe('the preset of an agent', () => {
  it('is what it was created with: s08 shortens the oldest result at the fourth read, default does not', async () => {
    const { root, request } = newPages(4);
    const s08 = await started({ model: offline, root, preset: 's08' });
    await s08.agent.say(request);
    expect(s08.agent.preset()).toBe('s08');
    expect(saidIn(currentView(s08.agent.session)).match(CLEARED)).toHaveLength(1);
    const ours = await started({ model: offline, root });
    await ours.agent.say(request);
    expect(ours.agent.preset()).toBe('default');
    expect(saidIn(currentView(ours.agent.session)).match(CLEARED)).toBeNull();
  });

  it('may let one summary take the place of all: what was asked for stays the work, and is not begun again', async () => {
    const root = newFolder();
    const names = Array.from({ length: 4 }, (_, i) => `long-${i + 1}.txt`);
    for (const name of names) writeFileSync(join(root, name), page(name, 240));
    const { agent } = await started({ model: offlineModel({ window: 16_000 }), root, preset: 's08' });
    await agent.say(names.map((name) => `read ${name}`).join(', then '));
    const transcript = agent.session.transcript();
    const folded = agent.session
      .receipts()
      .some(({ lines }) => lines.some((line) => line.layer === 'summarize-history'));
    expect(folded).toBe(true);
    expect(transcript.flatMap(({ parts }) => parts.filter((part) => part.type === 'call'))).toHaveLength(4);
    expect(saidIn(transcript.slice(-1))).toContain('long-4.txt');
  });

  it('can be a list of layers of the host’s own, but not both', async () => {
    const { root, request } = newPages(4);
    const { agent } = await started({ model: offline, root, layers: presets.s08() });
    await agent.say(request);
    expect(agent.preset()).toBeUndefined();
    expect(saidIn(currentView(agent.session)).match(CLEARED)).toHaveLength(1);
    await expect(started({ model: offline, layers: [], preset: 's08' })).rejects.toThrow('not both');
    await expect(started({ model: offline, preset: 's09' as never })).rejects.toThrow(
      'there is no preset "s09": use one of default, faithful, lean, claude-code, open-code, s08.',
    );
  });

  it('changes within a session: nothing is lost, receipts stay good, and undo is exact', async () => {
    const { root, request } = newPages(6);
    const { agent } = await started({ model: offline, root, preset: 's08' });
    await agent.say(request);
    const { session } = agent;
    const receipts = session.receipts();
    expect(receipts.length).toBeGreaterThan(0);
    const before = currentView(session);
    const transcript = session.transcript();
    await agent.switchPreset('open-code');
    expect(agent.preset()).toBe('open-code');
    expect(currentView(session)).toEqual(before);
    expect(session.receipts()).toEqual(receipts);
    expect(session.transcript()).toEqual(transcript);
    for (const { refs } of receipts.flatMap((receipt) => receipt.lines))
      for (const ref of refs) expect(session.recall.read(ref).text).toContain('of the ledger of the mill');
    for (const _ of receipts) session.undo();
    expect(currentView(session)).toEqual(transcript);
  });

  it('is refused while the agent is at work', async () => {
    let release: (parts: readonly Part[]) => void = () => {};
    const answer = new Promise<readonly Part[]>((resolve) => {
      release = resolve;
    });
    const { agent } = await started({ model: scriptedModel({ answer: () => answer }) });
    const turn = agent.say('go');
    await expect(agent.switchPreset('s08')).rejects.toThrow('the agent is at work');
    release([text('done')]);
    await turn;
    await agent.switchPreset('s08');
    expect(agent.preset()).toBe('s08');
  });

  it('is that of the subagents it starts', async () => {
    const model = scriptedModel({
      isLanguageModel: false,
      answer: ({ messages }, number) =>
        number === 1
          ? [call('c1', 'task', { description: 'look', prompt: 'look around' })]
          : [text(`${messages.length}`)],
    });
    const { agent, events } = await started({ model, layers: presets.s08() });
    await agent.switchPreset('open-code');
    await agent.say('go');
    const opened = events.flatMap((event) => (event.type === 'task-reported' ? [event.event] : []));
    expect(opened.find((event) => event.type === 'session-opened')).toMatchObject({ preset: 'open-code' });
  });
});

describe('a session that goes on', () => {
  it('remembers its preset, also one that was changed on the way, unless another is asked for', async () => {
    const store = fileStore({ dir: newFolder() });
    const root = newFolder();
    const first = await started({ model: offline, root, store, preset: 's08' });
    await first.agent.say('remember: never touch the weir');
    await first.agent.close();
    const resume = first.agent.id;
    const second = await started({ model: offline, root, store, resume });
    expect(second.agent.preset()).toBe('s08');
    await second.agent.switchPreset('claude-code');
    await second.agent.close();
    const third = await started({ model: offline, root, store, resume });
    expect(third.agent.preset()).toBe('claude-code');
    expect(third.events.find((event) => event.type === 'session-opened')).toMatchObject({ preset: 'claude-code' });
    await third.agent.close();
    const fourth = await started({ model: offline, root, store, resume, preset: 'default' });
    expect(fourth.agent.preset()).toBe('default');
    await fourth.agent.close();
    const fifth = await started({ model: offline, root, store, resume });
    expect(fifth.agent.preset()).toBe('default');
    await fifth.agent.close();
  });

  it('that was begun before presets could be named goes on with the default one', async () => {
    const store = memoryStore();
    const { journal } = await store.open('old');
    await journal.append([{ v: 1, type: 'session', id: 'old', at: 1 }]);
    await journal.close();
    const { agent, events } = await started({ model: offline, store, resume: 'old' });
    expect(agent.preset()).toBe('default');
    expect(events.some((event) => event.type === 'session-mended')).toBe(false);
  });

  it('whose preset is not known here goes on with the default one, and says so', async () => {
    const store = memoryStore();
    const { journal } = await store.open('newer');
    await journal.append([{ v: 1, type: 'session', id: 'newer', at: 1, preset: 's99' }]);
    await journal.close();
    const { agent, events } = await started({ model: offline, store, resume: 'newer' });
    expect(agent.preset()).toBe('default');
    expect(events).toContainEqual({
      type: 'session-mended',
      what: 'its preset "s99" is not known here, so "default" is used',
    });
  });

  it('leaves nothing behind where a preset was changed and nothing said', async () => {
    const store = memoryStore();
    const { agent } = await started({ model: offline, store });
    await agent.switchPreset('s08');
    await agent.close();
    expect(await store.list()).toEqual([]);
  });
});
