import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, text } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import type { AgentHooks } from '../src/hooks/agent-hooks.ts';
import type { HookCommands } from '../src/hooks/command-hooks.ts';
import type { SettingsHooks } from '../src/hooks/trust-gate.ts';
import { currentView } from '../src/loop/context-use.ts';
import { allowAll, askingPermission, type PermissionAsk } from '../src/world/permission.ts';
import { eventually } from './support/eventually.ts';
import { isAlive, pidIn } from './support/in-terminal.ts';
import { newFolder } from './support/launch.ts';
import { saidIn, scriptedModel } from './support/scripted-model.ts';
import { page, started } from './support/started.ts';

/** Calls one tool and then says what it sees. */
const caller = (tool: string, input: Record<string, string>) =>
  scriptedModel({
    isLanguageModel: false,
    answer: ({ messages }, number) => (number === 1 ? [call('c1', tool, input)] : [text(saidIn(messages))]),
  });

const writing = () => caller('write_file', { path: 'a.txt', content: 'mill\n' });
const mine = (commands: HookCommands): readonly SettingsHooks[] => [{ commands, source: 'settings.json' }];

describe('hooks from code', () => {
  it('are told of a call before and after it, and what they add stands behind the result', async () => {
    const heard: unknown[] = [];
    const hooks: AgentHooks = {
      beforeTool({ tool, input }) {
        heard.push(['before', tool, input]);
        return { context: 'mind the tabs', message: 'looked at it' };
      },
      afterTool({ tool, text: output, isError }) {
        heard.push(['after', tool, output, isError]);
        return { context: 'well done' };
      },
    };
    const { agent, events } = await started({ model: writing(), hooks });
    await agent.say('go');
    expect(heard).toEqual([
      ['before', 'write_file', { path: 'a.txt', content: 'mill\n' }],
      ['after', 'write_file', 'Wrote a.txt (1 line).', false],
    ]);
    expect(agent.lastWords()).toContain('Wrote a.txt (1 line).\n<hook>\nmind the tabs\nwell done\n</hook>');
    expect(events).toContainEqual({ type: 'hook-spoke', message: 'looked at it' });
  });

  it('may refuse a call, which is then not made; the model is told why', async () => {
    const hooks: AgentHooks = { beforeTool: ({ tool }) => ({ block: `no ${tool} on Sundays` }) };
    const { agent, root } = await started({ model: writing(), hooks });
    expect(await agent.say('go')).toEqual({ outcome: 'done' });
    expect(existsSync(join(root, 'a.txt'))).toBe(false);
    expect(agent.lastWords()).toContain('Not run: a hook refused it: no write_file on Sundays');
  });

  it('that fail or say nonsense count as silent, and an event tells', async () => {
    const hooks: AgentHooks[] = [
      { beforeTool: () => Promise.reject(new Error('the bell is broken')) },
      { beforeTool: () => 'nonsense' as never, afterTool: () => ({ block: 7, context: 9 }) as never },
    ];
    const { agent, events, root } = await started({ model: writing(), hooks });
    await agent.say('go');
    expect(existsSync(join(root, 'a.txt'))).toBe(true);
    expect(events).toContainEqual({ type: 'hook-failed', moment: 'beforeTool', why: 'the bell is broken' });
  });

  it('that hang do not outlive an interruption', async () => {
    const hooks: AgentHooks = { beforeTool: () => new Promise(() => {}) };
    const { agent, events } = await started({ model: writing(), hooks });
    const turn = agent.say('go');
    await eventually(() => events.some(({ type }) => type === 'call-started'));
    agent.interrupt();
    expect((await turn).outcome).toBe('interrupted');
  });

  it('are heard before and after a compaction, in the order they were given, and may veto it', async () => {
    const tell = scriptedModel({ isLanguageModel: false, answer: (_, n) => [text(page(`p${n}`, 40))] });
    const heard: string[] = [];
    let veto = false;
    const hooks: AgentHooks[] = ['a', 'b'].map((name) => ({
      compaction: {
        before({ trigger }) {
          heard.push(`${name} before ${trigger}`);
          return veto ? { veto: 'not now' } : { message: `${name} is asked` };
        },
        after: () => ({ context: `${name} adds this` }),
      },
    }));
    const { agent, events } = await started({ model: tell, hooks });
    for (let n = 1; n <= 5; n++) await agent.say(`page ${n}`);
    await agent.compact();
    expect(heard).toEqual(['a before manual', 'b before manual']);
    expect(events).toContainEqual({ type: 'hook-spoke', message: 'a is asked\nb is asked' });
    expect(saidIn(currentView(agent.session))).toContain('a adds this\nb adds this');
    veto = true;
    for (let n = 6; n <= 8; n++) await agent.say(`page ${n}`);
    await agent.compact();
    expect(heard.slice(2)).toEqual(['a before manual']);
    expect(events).toContainEqual({ type: 'compaction-ended', trigger: 'manual', outcome: 'vetoed' });
  });
});

describe('hook commands of settings', () => {
  it('get JSON on their input and answer with JSON on their output', async () => {
    const commands: HookCommands = {
      beforeTool: [{ command: 'cat > before.json; echo \'{"context":"from the hook"}\'', tools: ['write_file'] }],
      afterTool: [{ command: 'cat > after.json; echo plain words' }],
    };
    const { agent, root } = await started({ model: writing(), settingsHooks: mine(commands) });
    await agent.say('go');
    expect(JSON.parse(readFileSync(join(root, 'before.json'), 'utf8'))).toEqual({
      moment: 'beforeTool',
      session: agent.id,
      folder: root,
      tool: 'write_file',
      input: { path: 'a.txt', content: 'mill\n' },
    });
    expect(JSON.parse(readFileSync(join(root, 'after.json'), 'utf8'))).toMatchObject({
      moment: 'afterTool',
      output: 'Wrote a.txt (1 line).',
      isError: false,
    });
    expect(agent.lastWords()).toContain('<hook>\nfrom the hook\nplain words\n</hook>');
  });

  it('block by exit code 2 with what they complain about, and by JSON; other tools are left alone', async () => {
    for (const command of ['echo "never in $PWD" >&2; exit 2', 'echo \'{"block":"never here"}\'']) {
      const settingsHooks = mine({ beforeTool: [{ command, tools: ['write_file'] }] });
      const { agent, root } = await started({ model: writing(), settingsHooks });
      await agent.say('go');
      expect(existsSync(join(root, 'a.txt'))).toBe(false);
      expect(agent.lastWords()).toMatch(/Not run: a hook refused it: never/);
      const other = await started({ model: caller('glob', { pattern: '*' }), settingsHooks });
      await other.agent.say('go');
      expect(other.agent.lastWords()).toContain('No file matches *');
    }
  });

  it('that fail, or answer with broken JSON, count as silent and are told of', async () => {
    for (const [command, why] of [
      ['echo oh dear >&2; exit 3', /“echo oh dear >&2; exit 3” ended with 3: oh dear/],
      ['echo "{nonsense"', /begins like JSON and is none/],
      ['kill -9 $$', /ended with signal/],
    ] as const) {
      const { agent, events, root } = await started({
        model: writing(),
        settingsHooks: mine({ beforeTool: [{ command }] }),
      });
      await agent.say('go');
      expect(existsSync(join(root, 'a.txt'))).toBe(true);
      expect(events.find((event) => event.type === 'hook-failed')).toMatchObject({ why: expect.stringMatching(why) });
    }
  });

  it('that take too long are ended with all that they started', async () => {
    const command = 'sleep 60 & echo $! > pid; wait';
    const { agent, events, root } = await started({
      model: writing(),
      settingsHooks: mine({ beforeTool: [{ command, timeoutSeconds: 0.3 }] }),
    });
    await agent.say('go');
    const failed = events.find((event) => event.type === 'hook-failed');
    expect(failed).toMatchObject({ why: expect.stringContaining('took longer than 0.3 s and was ended') });
    const pid = await pidIn(root, 'pid');
    await eventually(() => !isAlive(pid));
  });

  it('that print without end are cut, and what they show holds no key', async () => {
    const { agent } = await started({
      model: writing(),
      environment: { OPENAI_API_KEY: 'sk-123456789' },
      settingsHooks: mine({ afterTool: [{ command: 'echo sk-123456789; yes mill | head -c 300000' }] }),
    });
    await agent.say('go');
    expect(agent.lastWords()).toContain('[OPENAI_API_KEY]');
    expect(agent.lastWords()).not.toContain('sk-123456789');
    expect(agent.lastWords().length).toBeLessThan(12_000);
  });

  it('give instructions for a compaction, and add to the view after it', async () => {
    const root = newFolder();
    const tell = scriptedModel({ isLanguageModel: false, answer: (_, n) => [text(page(`p${n}`, 40))] });
    const { agent } = await started({
      root,
      model: tell,
      settingsHooks: mine({
        beforeCompaction: [{ command: 'cat > before.json; echo mind the weir' }],
        afterCompaction: [{ command: 'cat > after.json; echo the bell has rung' }],
      }),
    });
    for (let n = 1; n <= 5; n++) await agent.say(`page ${n}`);
    await agent.compact('and the mill');
    expect(JSON.parse(readFileSync(join(root, 'before.json'), 'utf8'))).toMatchObject({
      moment: 'beforeCompaction',
      trigger: 'manual',
      instructions: 'and the mill',
    });
    expect(JSON.parse(readFileSync(join(root, 'after.json'), 'utf8'))).toMatchObject({
      receipt: { trigger: 'manual' },
    });
    expect(saidIn(currentView(agent.session))).toContain('the bell has rung');
  });
});

describe('hook commands of a folder that nobody has trusted', () => {
  const commands: HookCommands = { beforeTool: [{ command: 'echo ran >> ran.txt' }] };
  const untrusted = (given: string[]): readonly SettingsHooks[] => [
    {
      commands,
      source: '.palimpsest/settings.json',
      trust: { isGiven: async () => given.length > 0, remember: async () => void given.push('yes') },
    },
  ];

  it('are never run where nobody can be asked, and it is said', async () => {
    const { agent, events, root } = await started({ model: writing(), settingsHooks: untrusted([]) });
    await agent.say('go');
    await agent.say('again');
    expect(existsSync(join(root, 'ran.txt'))).toBe(false);
    expect(events.filter((event) => event.type === 'hooks-refused')).toEqual([
      {
        type: 'hooks-refused',
        source: '.palimpsest/settings.json',
        why: 'nobody can be asked; start the agent here in a terminal once, or pass --allow',
      },
    ]);
    const allowed = await started({ model: writing(), settingsHooks: untrusted([]), permission: allowAll });
    await allowed.agent.say('go');
    expect(existsSync(join(allowed.root, 'ran.txt'))).toBe(true);
  });

  it.each([
    ['once', true, 0],
    ['always', true, 1],
    ['no', false, 0],
  ] as const)('are asked for once, with every command; answered %s', async (answer, runs, remembered) => {
    const asked: PermissionAsk[] = [];
    const given: string[] = [];
    const permission = askingPermission(async (ask) => {
      asked.push(ask);
      return answer;
    });
    const { agent, root } = await started({ model: writing(), settingsHooks: untrusted(given), permission });
    await agent.say('go');
    await agent.say('again');
    expect(asked).toEqual([
      {
        tool: 'hooks',
        noun: 'these, as they are now',
        what: 'beforeTool: echo ran >> ran.txt',
        why: '.palimpsest/settings.json wants commands run by themselves',
      },
    ]);
    expect(existsSync(join(root, 'ran.txt'))).toBe(runs);
    expect(given).toHaveLength(remembered);
  });

  it('are heard by subagents without another question', async () => {
    let asked = 0;
    const permission = askingPermission(async () => {
      asked++;
      return 'once';
    });
    const model = scriptedModel({
      isLanguageModel: false,
      answer: (_, number) =>
        number === 1
          ? [call('c1', 'task', { description: 'write', prompt: 'write it' })]
          : number === 2
            ? [call('c2', 'write_file', { path: 'b.txt', content: 'x' })]
            : [text('done')],
    });
    const { agent, root } = await started({ model, settingsHooks: untrusted([]), permission });
    await agent.say('go');
    expect(asked).toBe(1);
    expect(readFileSync(join(root, 'ran.txt'), 'utf8')).toBe('ran\nran\n');
  });
});
