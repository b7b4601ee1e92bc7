import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, text, violationOf } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { AgentError } from '../src/agent-error.ts';
import { currentView } from '../src/loop/context-use.ts';
import { allowAll } from '../src/world/permission.ts';
import { eventually } from './support/eventually.ts';
import { newFolder } from './support/launch.ts';
import { saidIn, scriptedModel } from './support/scripted-model.ts';
import { openCalls, page, started } from './support/started.ts';

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
      isLanguageModel: false,
      answer: (_, number) => (number <= 8 ? [text(page(`p${number}`, 60))] : number === 9 ? refuse() : [text('done')]),
    });
    const { agent, events } = await started({ model });
    for (let n = 1; n <= 8; n++) await agent.say(`page ${n}`);
    expect(await agent.say('and now?')).toEqual({ outcome: 'done' });
    expect(events.some((event) => event.type === 'view-compacted' && event.receipt.trigger === 'overflow')).toBe(true);
    expect(events.some((event) => event.type === 'window-learned')).toBe(true);

    const always = scriptedModel({
      isLanguageModel: false,
      answer: (_, number) => (number <= 4 ? [text(page(`p${number}`, 60))] : refuse()),
    });
    const second = await started({ model: always });
    for (let n = 1; n <= 4; n++) await second.agent.say(`page ${n}`);
    expect(await second.agent.say('and now?')).toMatchObject({ outcome: 'failed', error: { code: 'cannot-reduce' } });
    expect(always.requests).toHaveLength(6);
  });
});

describe('the compact tool', () => {
  it('ends answered, compacts, and ends the turn; parallel calls are answered too', async () => {
    const model = scriptedModel({
      isLanguageModel: false,
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
    expect(agent.queue()).toEqual(['and mind the gap']);
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
    await eventually(() => model.requests.length === 1);
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
      text('<summary>\n## Goal\n- four pages are to be written\n## Now\n- page 4 is there\n</summary>'),
    ];
    const model = scriptedModel({
      answer(request, number, signal) {
        if (!saidIn(request.messages).includes('</summary>')) return [text(page(`p${number}`, 40))];
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
