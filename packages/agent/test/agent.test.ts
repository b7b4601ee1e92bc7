import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, resultsOf, text, violationOf } from '@palimpsest/core';
import { fileStore, memoryStore, type Store, StoreError } from '@palimpsest/store';
import { describe, expect, it } from 'vitest';
import { createAgent } from '../src/agent.ts';
import { AgentError } from '../src/agent-error.ts';
import type { AgentEvent } from '../src/agent-event.ts';
import type { Agent, AgentOptions } from '../src/agent-types.ts';
import { currentView } from '../src/context-use.ts';
import { sessionsOf, sessionToResume } from '../src/session-ids.ts';
import { eventually } from './support/eventually.ts';
import { newFolder } from './support/launch.ts';
import { saidIn, scriptedModel } from './support/scripted-model.ts';

interface Started {
  readonly agent: Agent;
  readonly events: AgentEvent[];
  readonly root: string;
}

async function started(options: Omit<Partial<AgentOptions>, 'model'> & Pick<AgentOptions, 'model'>): Promise<Started> {
  const events: AgentEvent[] = [];
  const root = options.root ?? newFolder();
  const agent = await createAgent({ store: memoryStore(), ...options, root, on: (event) => events.push(event) });
  return { agent, events, root };
}

const page = (name: string, lines: number): string =>
  Array.from({ length: lines }, (_, i) => `${name} line ${i} of the ledger of the mill`).join('\n');
const openCalls = (agent: Agent): number => {
  const transcript = agent.session.transcript();
  const answered = transcript.flatMap(resultsOf).length;
  return transcript.flatMap((message) => message.parts.filter((part) => part.type === 'call')).length - answered;
};

describe('a turn', () => {
  it('goes from layers to model to tools and back until nothing is called', async () => {
    const model = scriptedModel({
      answer: (_, number) =>
        number === 1 ? [text('I look.'), call('c1', 'read_file', { path: 'a.txt' })] : [text('It says hello.')],
    });
    const { agent, events, root } = await started({ model });
    writeFileSync(join(root, 'a.txt'), 'hello\n');
    expect(await agent.say('what does it say?')).toEqual({ outcome: 'done' });
    expect(model.requests).toHaveLength(2);
    expect(saidIn(model.requests[1]!.messages)).toContain('a.txt (lines 1 to 1 of 1)\nhello');
    expect(agent.lastWords()).toBe('It says hello.');
    expect(events.map(({ type }) => type).filter((type) => /^(?:call|answer|turn)/.test(type))).toEqual([
      'answer-ended',
      'call-started',
      'call-ended',
      'answer-ended',
      'turn-ended',
    ]);
  });

  it('answers a call of a tool that is not there, and one with a wrong input', async () => {
    const model = scriptedModel({
      answer: (_, number) =>
        number === 1 ? [call('c1', 'fly', {}), call('c2', 'read_file', 'not json')] : [text('ok')],
    });
    const { agent, events } = await started({ model });
    expect(await agent.say('x')).toEqual({ outcome: 'done' });
    expect(events.filter((event) => event.type === 'call-ended' && event.isError)).toHaveLength(2);
  });

  it('fails in words where the model answers with nothing, and the next one goes on', async () => {
    const model = scriptedModel({ answer: (_, number) => (number === 1 ? [] : [text('here')]) });
    const { agent } = await started({ model });
    expect(await agent.say('x')).toMatchObject({ outcome: 'failed', error: { code: 'empty-answer' } });
    expect(await agent.say('y')).toEqual({ outcome: 'done' });
  });

  it('shows an overflow a smaller view once, then gives up with a typed error', async () => {
    const refuse = (): never => {
      throw new AgentError('overflow', 'too long', { maximum: 9_000, actual: 12_000 });
    };
    const model = scriptedModel({
      answer: (_, number) => (number <= 8 ? [text(page(`p${number}`, 60))] : number === 9 ? refuse() : [text('done')]),
    });
    const { agent, events } = await started({ model });
    for (let n = 1; n <= 8; n++) await agent.say(`page ${n}`);
    expect(await agent.say('and now?')).toEqual({ outcome: 'done' });
    expect(events.some((event) => event.type === 'view-compacted' && event.receipt.trigger === 'overflow')).toBe(true);
    expect(events.some((event) => event.type === 'window-learned')).toBe(true);

    const always = scriptedModel({ answer: (_, number) => (number <= 4 ? [text(page(`p${number}`, 60))] : refuse()) });
    const second = await started({ model: always });
    for (let n = 1; n <= 4; n++) await second.agent.say(`page ${n}`);
    expect(await second.agent.say('and now?')).toMatchObject({ outcome: 'failed', error: { code: 'cannot-reduce' } });
    expect(always.requests).toHaveLength(6);
  });
});

describe('the compact tool', () => {
  it('ends answered, compacts, and ends the turn; parallel calls are answered too', async () => {
    const model = scriptedModel({
      answer: (_, number) =>
        number <= 4
          ? [text(page(`p${number}`, 60))]
          : number === 5
            ? [call('c1', 'compact', {}), call('c2', 'glob', { pattern: '*' })]
            : [text('on')],
    });
    const { agent, events } = await started({ model });
    for (let n = 1; n <= 4; n++) await agent.say(`page ${n}`);
    expect(await agent.say('tidy up')).toEqual({ outcome: 'compacted' });
    expect(openCalls(agent)).toBe(0);
    expect(events.some((event) => event.type === 'view-compacted' && event.receipt.trigger === 'tool')).toBe(true);
    expect(model.requests.filter(({ tools }) => tools.length > 0)).toHaveLength(5);
    expect(await agent.say('go on')).toEqual({ outcome: 'done' });
    expect(violationOf(model.requests.at(-1)!.messages)).toBeUndefined();
  });
});

describe('words typed while it works', () => {
  const gate = (): { readonly passed: Promise<void>; open(): void } => {
    let open = (): void => {};
    const passed = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { passed, open: () => open() };
  };

  it('reach a language model before its next step, once', async () => {
    const atWork = gate();
    const model = scriptedModel({
      async answer(_, number) {
        if (number > 1) return [text('Understood.')];
        await atWork.passed;
        return [call('c1', 'glob', { pattern: '*' })];
      },
    });
    const { agent, events } = await started({ model });
    const turn = agent.say('begin');
    const second = agent.say('and mind the gap');
    expect(agent.waiting()).toEqual(['and mind the gap']);
    atWork.open();
    expect([await turn, await second]).toEqual([{ outcome: 'done' }, { outcome: 'done' }]);
    expect(model.requests).toHaveLength(2);
    expect(saidIn(model.requests[1]!.messages).split('mind the gap')).toHaveLength(2);
    expect(events.filter((event) => event.type === 'input-delivered')).toHaveLength(2);
  });

  it('wait for the end of the turn where a program answers, one request at a time', async () => {
    const atWork = gate();
    const model = scriptedModel({
      isLanguageModel: false,
      async answer(_, number) {
        if (number === 1) await atWork.passed;
        return number === 1 ? [call('c1', 'glob', { pattern: '*' })] : [text(`answer ${number}`)];
      },
    });
    const { agent } = await started({ model });
    const turn = agent.say('first');
    void agent.say('second');
    atWork.open();
    await turn;
    expect(model.requests).toHaveLength(3);
    expect(saidIn(model.requests[1]!.messages)).not.toContain('second');
    expect(saidIn(model.requests[2]!.messages)).toContain('second');
  });

  it('are delivered after an interruption', async () => {
    const model = scriptedModel({
      answer: (_, number, signal) =>
        number === 1
          ? new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
          : [text('now')],
    });
    const { agent, events } = await started({ model });
    const turn = agent.say('long work');
    void agent.say('rather this');
    agent.interrupt();
    expect(await turn).toEqual({ outcome: 'done' });
    expect(events.flatMap((event) => (event.type === 'turn-ended' ? [event.outcome] : []))).toEqual([
      'interrupted',
      'done',
    ]);
    expect(saidIn(model.requests[1]!.messages)).toContain('human: rather this');
  });
});

describe('an interruption', () => {
  it('of the model keeps what it had said, and tells it', async () => {
    const model = scriptedModel({ answer: (_, number) => (number === 1 ? [text('Half a sen')] : [text('yes?')]) });
    const { agent } = await started({ model, root: newFolder() });
    const { session } = agent;
    const turn = agent.say('talk');
    agent.interrupt();
    expect(await turn).toEqual({ outcome: 'interrupted' });
    await agent.say('go on');
    expect(saidIn(session.transcript())).toMatch(/harness: \[The user interrupted this/);
    expect(violationOf(currentView(session))).toBeUndefined();
  });

  it('of a tool answers its call and those behind it', async () => {
    const model = scriptedModel({
      answer: (_, number) =>
        number === 1
          ? [call('c1', 'bash', { command: 'sleep 30' }), call('c2', 'bash', { command: 'touch made' })]
          : [text('stopped')],
    });
    const { allowAll } = await import('../src/permission.ts');
    const { agent, events } = await started({ model, permission: allowAll });
    const turn = agent.say('work');
    await eventually(() => events.some((event) => event.type === 'call-started'));
    agent.interrupt();
    expect(await turn).toEqual({ outcome: 'interrupted' });
    expect(openCalls(agent)).toBe(0);
    const [first, second] = events.filter((event) => event.type === 'call-ended');
    expect(first).toMatchObject({ isError: true, text: '[stopped by the user]' });
    expect(second).toMatchObject({ isError: true, text: 'Not run: the user interrupted.' });
  });

  it('of a compaction changes nothing, and the next one succeeds', async () => {
    let stuck = true;
    const summary = (): readonly [ReturnType<typeof text>] => [
      text(
        `<summary>\n${['Request and intent', 'Key concepts', 'Files and code', 'Errors and fixes', 'Problem solving', 'User messages', 'Pending tasks', 'Current work', 'Next step'].map((name) => `## ${name}\nnone`).join('\n')}\n</summary>`,
      ),
    ];
    const model = scriptedModel({
      answer(request, number, signal) {
        if (!saidIn(request.messages).includes('<analysis>')) return [text(page(`p${number}`, 40))];
        if (!stuck) return summary();
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    const { agent, events } = await started({ model, environment: {} });
    for (let n = 1; n <= 4; n++) await agent.say(`page ${n}`);
    const before = JSON.stringify(currentView(agent.session));
    const compacting = agent.compact();
    await eventually(() => events.some((event) => event.type === 'compaction-started'));
    expect(agent.isBusy()).toBe(true);
    expect(agent.interrupt()).toBe(true);
    await expect(compacting).rejects.toMatchObject({ name: 'AbortError' });
    expect(JSON.stringify(currentView(agent.session))).toBe(before);
    stuck = false;
    expect(await agent.compact('mind the mill')).toMatchObject({ trigger: 'manual' });
    expect(model.requests.some(({ messages }) => saidIn(messages).includes('mind the mill'))).toBe(true);
  });
});

describe("the folder's instructions", () => {
  it('are read at the start as the host’s words, and again as they are now when a compaction hid them', async () => {
    const root = newFolder();
    writeFileSync(join(root, 'AGENTS.md'), 'Use tabs.');
    writeFileSync(join(root, 'CLAUDE.md'), 'Use tabs.');
    const model = scriptedModel({ isLanguageModel: false, answer: (_, number) => [text(page(`p${number}`, 60))] });
    const { agent, events } = await started({ model, root });
    for (let n = 1; n <= 5; n++) await agent.say(`page ${n}`);
    expect(saidIn(model.requests[0]!.messages)).toMatch(
      /^harness: <folder-instructions>\n# AGENTS.md\nUse tabs\.\n<\/folder-instructions>\nhuman: page 1$/,
    );
    writeFileSync(join(root, 'AGENTS.md'), 'Use spaces.');
    await agent.compact();
    await agent.say('what now?');
    const last = saidIn(model.requests.at(-1)!.messages);
    expect(last).toContain('Use spaces.');
    expect(last).not.toContain('Use tabs.\n</folder-instructions>');
    expect(events.filter((event) => event.type === 'instructions-read')).toMatchObject([
      { again: false },
      { again: true, files: ['AGENTS.md', 'CLAUDE.md'] },
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
    const never = new Promise<never>(() => {});
    const model = scriptedModel({
      answer: (_, number) =>
        number === 1 ? [call('c1', 'glob', { pattern: '*' }), call('c2', 'bash', { command: 'x' })] : [text('fine')],
    });
    const stuck = { refusal: () => never };
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
    for (let n = 1; n <= 4; n++) await agent.say(`page ${n}`);
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
