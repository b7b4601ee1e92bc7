import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, text } from '@palimpsest/core';
import { fileStore, memoryStore, type Store, StoreError } from '@palimpsest/store';
import { describe, expect, it } from 'vitest';
import { currentView } from '../src/loop/context-use.ts';
import { createAgent } from '../src/loop/create-agent.ts';
import { sessionsOf, sessionToResume } from '../src/sessions/session-ids.ts';
import type { Permission } from '../src/world/permission.ts';
import { eventually } from './support/eventually.ts';
import { newFolder } from './support/launch.ts';
import { saidIn, scriptedModel } from './support/scripted-model.ts';
import { openCalls, page, started } from './support/started.ts';

describe("the folder's instructions", () => {
  it('are read once, at the start, as the host’s words, and no compaction hides them', async () => {
    const root = newFolder();
    writeFileSync(join(root, 'AGENTS.md'), 'Use tabs.');
    writeFileSync(join(root, 'CLAUDE.md'), 'Use tabs.');
    const model = scriptedModel({ isLanguageModel: false, answer: (_, number) => [text(page(`p${number}`, 60))] });
    const { agent, events } = await started({ model, root });
    for (let n = 1; n <= 5; n++) await agent.say(`page ${n}`);
    expect(saidIn(model.requests[0]!.messages)).toMatch(
      /^harness: <folder-instructions>\n# AGENTS.md\nUse tabs\.\n<\/folder-instructions>\nhuman: page 1$/,
    );
    await agent.compact({ form: 'all' });
    await agent.say('what now?');
    const last = saidIn(model.requests.at(-1)!.messages);
    // A digest may quote lines of it.
    expect(last).not.toContain(page('p1', 60));
    expect(last.match(/Use tabs\./g)).toHaveLength(1);
    expect(last).toMatch(/^harness: <folder-instructions>\n# AGENTS.md\nUse tabs\.\n<\/folder-instructions>\n/);
    expect(events.filter((event) => event.type === 'instructions-read')).toEqual([
      { type: 'instructions-read', files: ['AGENTS.md'] },
    ]);
  });
});

describe('what code carries across a summary', () => {
  it('is the todo list, the skill in use and the file read last', async () => {
    const root = newFolder();
    mkdirSync(join(root, 'skills/release'), { recursive: true });
    writeFileSync(join(root, 'skills/release/SKILL.md'), 'Ring the bell thrice.');
    writeFileSync(join(root, 'mill.txt'), 'The mill turns.\n');
    const model = scriptedModel({
      isLanguageModel: false,
      answer(_, number) {
        if (number === 1)
          return [
            call('c1', 'todo_write', { todos: [{ content: 'grind the corn', status: 'in_progress' }] }),
            call('c2', 'load_skill', { name: 'release' }),
            call('c3', 'read_file', { path: 'mill.txt' }),
          ];
        return [text(page(`p${number}`, 70))];
      },
    });
    const { agent } = await started({ model, root });
    for (let n = 1; n <= 12; n++) await agent.say(`page ${n}`);
    const carried = saidIn(currentView(agent.session)).split('[Carried over by code').at(-1)!;
    expect(carried).toContain('[>] grind the corn');
    expect(carried).toContain('Ring the bell thrice.');
    expect(carried).toContain('The mill turns.');
  });
});

describe('a subagent', () => {
  it('has a context and a journal of its own, and answers the call', async () => {
    const store = memoryStore();
    const model = scriptedModel({
      answer(request) {
        const said = saidIn(request.messages);
        if (said.startsWith('human: Count the mills.')) return [text('There are 7 mills.')];
        return said.includes('tool:')
          ? [text('Seven.')]
          : [call('c1', 'task', { description: 'count mills', prompt: 'Count the mills.' })];
      },
    });
    const { agent, events } = await started({ model, store });
    await agent.say('How many mills?');
    expect(model.requests.map(({ messages }) => messages.length)).toEqual([1, 1, 3]);
    expect(model.requests[1]!.tools.map(({ name }) => name)).not.toContain('task');
    expect(saidIn(model.requests[2]!.messages)).toContain('There are 7 mills.');
    expect(events.some((event) => event.type === 'task-reported' && event.event.type === 'answer-ended')).toBe(true);
    const own = await store.read(`${agent.id}-task-1`);
    expect(JSON.stringify(own.records)).toContain('There are 7 mills.');
    expect((await sessionsOf(store, agent.root)).map(({ id }) => id)).toEqual([agent.id]);
    await agent.say('Again?');
  });

  it('stops with its parent', async () => {
    const model = scriptedModel({
      answer(request, _, signal) {
        if (!saidIn(request.messages).startsWith('human: Count'))
          return [call('c1', 'task', { description: 'count', prompt: 'Count for ever.' })];
        return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    const { agent } = await started({ model });
    const turn = agent.say('Go');
    await eventually(() => model.requests.length >= 2);
    agent.interrupt();
    expect(await turn).toEqual({ outcome: 'interrupted' });
    expect(openCalls(agent)).toBe(0);
  });
});

describe('a session', () => {
  it('that nobody spoke in leaves nothing behind', async () => {
    const dir = join(newFolder(), 'sessions');
    const store = fileStore({ dir });
    const root = newFolder();
    writeFileSync(join(root, 'AGENTS.md'), 'Be brief.');
    const { agent } = await started({ model: scriptedModel({ answer: () => [text('x')] }), store, root });
    await agent.close();
    expect(await store.list()).toEqual([]);
    await expect(sessionToResume(store, root, undefined)).rejects.toMatchObject({ code: 'no-session' });
  });

  it('tells of words, answers and results only when they are on the disk', async () => {
    const [home, root] = [newFolder(), newFolder()];
    writeFileSync(join(root, 'a.txt'), 'the mill\n');
    const onDisk = (): string =>
      readdirSync(home, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
        .join('');
    const told: string[] = [];
    const agent = await createAgent({
      root,
      store: fileStore({ dir: home }),
      model: scriptedModel({
        answer: (_, number) =>
          number === 1 ? [text('I look.'), call('c1', 'read_file', { path: 'a.txt' })] : [text('Seen.')],
      }),
      on(event) {
        if (event.type !== 'input-delivered' && event.type !== 'answer-ended' && event.type !== 'call-ended') return;
        told.push(event.type);
        expect(onDisk()).toContain(JSON.stringify(event.text).slice(1, -1));
      },
    });
    await agent.say('what is in a.txt?');
    await agent.close();
    expect(told).toEqual(['input-delivered', 'answer-ended', 'call-ended', 'answer-ended']);
  });

  it('goes on with the same view, byte for byte, with its list and its skills', async () => {
    const store = fileStore({ dir: newFolder(), fsync: 'never' });
    const root = newFolder();
    const model = scriptedModel({
      isLanguageModel: false,
      answer: (_, number) =>
        number === 1
          ? [call('c1', 'todo_write', { todos: [{ content: 'grind', status: 'pending' }] })]
          : [text(page(`p${number}`, 60))],
    });
    const first = await started({ model, store, root });
    for (let n = 1; n <= 6; n++) await first.agent.say(`page ${n}`);
    const before = JSON.stringify(currentView(first.agent.session));
    await first.agent.close();
    const second = await started({ model, store, root, resume: await sessionToResume(store, root, undefined) });
    expect(JSON.stringify(currentView(second.agent.session))).toBe(before);
    expect(second.events[0]).toMatchObject({ type: 'session-opened', resumed: true });
    expect(second.events.filter((event) => event.type === 'session-mended')).toEqual([]);
    await second.agent.close();
  });

  it('whose writer was killed with a call in flight is mended and goes on', async () => {
    const dir = newFolder();
    const root = newFolder();
    const model = scriptedModel({
      answer: (_, number) =>
        number === 1 ? [call('c1', 'glob', { pattern: '*' }), call('c2', 'bash', { command: 'x' })] : [text('fine')],
    });
    const stuck: Permission = {
      refusal: (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    };
    const store = fileStore({ dir, fsync: 'never' });
    const { agent, events } = await started({ model, store, root, permission: stuck });
    void agent.say('work');
    await eventually(() => events.some((event) => event.type === 'call-started' && event.tool === 'bash'));
    // A copy of the files at that moment is what a killed process leaves.
    const copy = newFolder();
    mkdirSync(join(copy, agent.id));
    writeFileSync(join(copy, agent.id, 'journal.jsonl'), readFileSync(join(dir, agent.id, 'journal.jsonl')));
    const again = await started({ model, store: fileStore({ dir: copy, fsync: 'never' }), root, resume: agent.id });
    expect(again.events.filter((event) => event.type === 'session-mended')).toEqual([
      { type: 'session-mended', what: '1 call that was in flight got no result' },
    ]);
    expect(await again.agent.say('go on')).toEqual({ outcome: 'done' });
    expect(openCalls(again.agent)).toBe(0);
    expect(saidIn(model.requests.at(-1)!.messages)).toMatch(
      /stopped before this call was done[\s\S]*started again[\s\S]*human: go on/,
    );
    await again.agent.close();
    await agent.close();
  });

  it('on a full disk fails in words, keeps what it could not write, and goes on when there is room', async () => {
    const dir = newFolder();
    let isFull = false;
    const real = fileStore({ dir, fsync: 'never' });
    const store: Store = {
      ...real,
      async open(id, options) {
        const session = await real.open(id, options);
        const append: typeof session.journal.append = async (records) => {
          if (isFull) throw new StoreError('disk-full', 'no room left: make room and try again');
          return session.journal.append(records);
        };
        return { ...session, journal: { append, close: () => session.journal.close() } };
      },
    };
    const { agent, root } = await started({
      model: scriptedModel({ answer: (_, number) => [text(`answer ${number}`)] }),
      store,
    });
    await agent.say('one');
    isFull = true;
    expect(await agent.say('two')).toMatchObject({ outcome: 'failed', error: { code: 'journal-failed' } });
    isFull = false;
    expect(await agent.say('three')).toEqual({ outcome: 'done' });
    await agent.close();
    const kept = await real.read(agent.id);
    const words = kept.records.flatMap((record) => (record.type === 'message' ? [saidIn([record.message])] : []));
    expect(words).toEqual(['human: one', 'model: answer 1', 'human: two', 'human: three', 'model: answer 2']);
    expect(await sessionToResume(real, root, agent.id.slice(0, 20))).toBe(agent.id);
  });

  it('takes a smaller model at once, by compacting for it', async () => {
    const { agent, events } = await started({
      model: scriptedModel({ isLanguageModel: false, answer: (_, number) => [text(page(`p${number}`, 60))] }),
    });
    for (let n = 1; n <= 9; n++) await agent.say(`page ${n}`);
    await agent.switchModel(scriptedModel({ window: 6_000, isLanguageModel: false, answer: () => [text('small')] }));
    expect(agent.session.status().tokens).toBeLessThan(6_000);
    expect(events.some((event) => event.type === 'view-compacted' && event.receipt.trigger === 'switch')).toBe(true);
    expect(await agent.say('still there?')).toEqual({ outcome: 'done' });
  });
});

it('where the tokens are adds up to what the session reckons', async () => {
  const { agent } = await started({
    model: scriptedModel({
      answer: (_, number) => (number === 1 ? [call('c1', 'glob', { pattern: '*' })] : [text(page('p', 40))]),
    }),
  });
  await agent.say('look');
  const { lines, tokens } = agent.contextUse();
  const sum = lines.reduce((total, line) => total + line.tokens, 0);
  expect(sum).toBe(tokens);
  expect(lines.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['system prompt', 'tool definitions', 'user', 'model', 'results of glob']),
  );
});
