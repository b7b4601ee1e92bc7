import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { call, type Json, text } from '@palimpsest/core';
import { afterEach, describe, expect, it } from 'vitest';
import { mcp } from '../src/commands/servers.ts';
import type { Agent, AgentOptions } from '../src/loop/agent.ts';
import type { ServerCommand, SettingsServers } from '../src/servers/server-settings.ts';
import { allowAll, askingPermission, type PermissionAsk } from '../src/world/permission.ts';
import { modalPermission } from '../src/world/permission-mode.ts';
import { eventually } from './support/eventually.ts';
import { isAlive, pidIn } from './support/in-terminal.ts';
import { newFolder } from './support/launch.ts';
import { saidIn, scriptedModel } from './support/scripted-model.ts';
import { openCalls, started } from './support/started.ts';

const MILL = fileURLToPath(new URL('support/mill-server.mjs', import.meta.url));
const mill = (manner = 'well', more: Partial<ServerCommand> & { readonly pidFile?: string } = {}): ServerCommand => {
  const { pidFile, ...others } = more;
  return {
    command: process.execPath,
    args: [MILL, manner, ...(pidFile === undefined ? [] : [pidFile])],
    ...others,
  };
};
const mine = (servers: Readonly<Record<string, ServerCommand>>): readonly SettingsServers[] => [
  { servers, source: 'settings.json' },
];

/** Calls one tool in every turn, and then says what it sees. */
const caller = (...calls: readonly (readonly [string, Json])[]) =>
  scriptedModel({
    window: 64_000,
    isLanguageModel: false,
    answer({ messages }) {
      const last = messages.at(-1)!;
      if (last.origin !== 'human') return [text(saidIn([last]))];
      const turn = messages.filter(({ origin }) => origin === 'human').length;
      const [tool, input] = calls[Math.min(turn, calls.length) - 1]!;
      return [call(`c${turn}`, `mcp__mill__${tool}`, input)];
    },
  });

const agents: Agent[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
});

async function open(options: Omit<Partial<AgentOptions>, 'on'> & Pick<AgentOptions, 'model'>) {
  const found = await started({ permission: allowAll, settingsServers: mine({ mill: mill() }), ...options });
  agents.push(found.agent);
  return found;
}

describe('an MCP server', () => {
  it('lends its tools under its name, with their schemas, and what it says of itself stands in the system prompt', async () => {
    const model = caller(['grind', { sacks: 3 }]);
    const { agent, events } = await open({
      model,
      environment: { NAME_OF_MILLER: 'Anna' },
      settingsServers: mine({ mill: mill('well', { env: { MILLER: `miller $${'{NAME_OF_MILLER}'}` } }) }),
    });
    expect(agent.servers()).toMatchObject([{ name: 'mill', state: { type: 'waiting' } }]);
    expect(await agent.say('go')).toEqual({ outcome: 'done' });
    expect(agent.lastWords()).toContain('ground 3 sacks, greetings from miller Anna');
    const [request] = model.requests;
    expect(request!.tools.find(({ name }) => name === 'mcp__mill__grind')).toMatchObject({
      description: 'grind at the mill',
      parameters: { type: 'object', properties: { sacks: { type: 'number' } } },
    });
    expect(request!.system).toContain('The MCP server mill says of itself:\nAsk the miller before you grind.');
    expect(events).toContainEqual({ type: 'server-ready', server: 'mill', tools: 12 });
    expect(agent.contextUse().lines.find(({ name }) => name === 'tool definitions')!.tokens).toBeGreaterThan(
      agent.session.status().overhead.tools - 50,
    );
  });

  it('is asked for by its tool and all of its input; “always” is for the tool, and read-only mode refuses', async () => {
    const asked: PermissionAsk[] = [];
    const permission = modalPermission(
      askingPermission(async (ask) => {
        asked.push(ask);
        return asked.length === 1 ? 'no' : 'always';
      }),
    );
    const { agent } = await open({ model: caller(['say', { words: 'one' }], ['say', { words: 'two' }]), permission });
    await agent.say('first');
    expect(agent.lastWords()).toContain('Not allowed: the user said no to mcp__mill__say');
    expect(asked[0]).toMatchObject({
      tool: 'mcp__mill__say',
      what: '{\n  "words": "one"\n}',
      why: 'it asks the MCP server mill',
    });
    await agent.say('second');
    expect(agent.lastWords()).toContain('two');
    await agent.say('third');
    expect(asked).toHaveLength(2);
    permission.setMode('read-only');
    await agent.say('fourth');
    expect(agent.lastWords()).toContain('read-only mode');
  });

  it('answers through the same path as every tool: large results are stashed, errors and other content are told', async () => {
    const { agent, events } = await open({
      model: caller(['fill', { sacks: 20_000 }], ['refuse', {}], ['picture', {}], ['structured', {}]),
    });
    await agent.say('fill');
    expect(events.some((event) => event.type === 'view-compacted')).toBe(true);
    expect(agent.lastWords().length).toBeLessThan(40_000);
    await agent.say('refuse');
    expect(events.findLast((event) => event.type === 'call-ended')).toMatchObject({
      text: 'the millstone is stuck',
      isError: true,
    });
    await agent.say('picture');
    expect(agent.lastWords()).toContain(
      '[image image/png, 4 characters of base64, not shown]\n[ledger: mill://ledger]\na note',
    );
    await agent.say('structured');
    expect(agent.lastWords()).toContain('{"sacks":7}');
  });

  it.each([
    ['crash', /did not answer: it ended with exit code 4; its last words: the dam has broken/],
    ['hang', /it did not answer within 3 s/],
    ['babble', /it did not answer within 3 s; it printed what is no message: “this is no message”/],
    ['nonsense', /what it answered is nothing that MCP knows/],
    ['pour', /did not answer: it sent a line of more than 10 MB/],
  ])(
    'that does not answer as it should (%s) gives an error of the tool, and the next call is answered',
    async (tool, said) => {
      const { agent, events } = await open({
        model: caller([tool, {}], ['say', { words: 'here again' }]),
        settingsServers: mine({ mill: mill('well', { timeoutSeconds: 3 }) }),
      });
      expect(await agent.say('go')).toEqual({ outcome: 'done' });
      expect(agent.lastWords()).toMatch(said);
      expect(events.findLast((event) => event.type === 'call-ended')).toMatchObject({ isError: true });
      expect(openCalls(agent)).toBe(0);
      await agent.say('and now');
      expect(agent.lastWords()).toContain('here again');
    },
  );

  it.each([
    ['dies', /it ended with exit code 3; its last words: the wheel is broken/],
    ['silent', /it did not answer within 3 s/],
    ['garbage', /it did not answer within 3 s; it printed what is no message: “Welcome to the mill!”/],
    ['flood', /it sent a line of more than 10 MB/],
  ])('that cannot be greeted (%s) is told of in a line, and the turn goes on without it', async (manner, why) => {
    const pidFile = join(newFolder(), 'pid');
    const { agent, events } = await open({
      model: caller(['say', { words: 'x' }]),
      settingsServers: mine({ mill: mill(manner, { timeoutSeconds: 3, pidFile }) }),
    });
    expect(await agent.say('go')).toEqual({ outcome: 'done' });
    expect(events.filter((event) => event.type === 'server-failed')).toMatchObject([
      { server: 'mill', why: expect.stringMatching(why) },
    ]);
    expect(agent.lastWords()).toContain('There is no tool "mcp__mill__say"');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    await eventually(() => !isAlive(pid));
  });

  it('that is not there at all, or wants a variable that is not set, is told of', async () => {
    const { agent, events } = await open({
      model: caller(['say', { words: 'x' }]),
      settingsServers: mine({ a: { command: './no-such-mill' }, b: { command: 'x', env: { T: `$${'{NO_TOKEN}'}` } } }),
    });
    await agent.say('go');
    const failed = events.flatMap((event) => (event.type === 'server-failed' ? [event.why] : []));
    expect(failed.join('\n')).toMatch(/it ended with exit code 127; its last words: .*no-such-mill.*not found/);
    expect(failed.join('\n')).toContain('the variable NO_TOKEN, which its settings name, is not set');
  });

  it('does not hold up an interruption, be it at its start or in a call', async () => {
    const slow = await open({ model: caller(['say', {}]), settingsServers: mine({ mill: mill('silent') }) });
    const first = slow.agent.say('go');
    await eventually(() => slow.agent.isBusy());
    slow.agent.interrupt();
    expect((await first).outcome).toBe('interrupted');
    const { agent, events } = await open({ model: caller(['hang', {}], ['say', { words: 'still here' }]) });
    const turn = agent.say('go');
    await eventually(() => events.some(({ type }) => type === 'call-started'));
    agent.interrupt();
    expect((await turn).outcome).toBe('interrupted');
    await agent.say('and now');
    expect(agent.lastWords()).toContain('still here');
  });

  it.each(['well', 'stubborn'])('ends with the agent, with all that it started (%s)', async (manner) => {
    const folder = newFolder();
    const [pidFile, child] = [join(folder, 'pid'), join(folder, 'child')];
    const { agent } = await open({
      model: caller(['fork', { words: child }]),
      settingsServers: mine({ mill: mill(manner, { pidFile }) }),
    });
    await agent.say('go');
    const pids = [await pidIn(folder, 'pid'), await pidIn(folder, 'child')];
    expect(pids.every(isAlive)).toBe(true);
    await agent.close();
    await eventually(() => !pids.some(isAlive));
  });

  it('with more tools than there is room for brings as many as fit, and says how many were left out', async () => {
    const model = scriptedModel({ window: 12_000, isLanguageModel: false, answer: () => [text('done')] });
    const { agent, events } = await open({ model, settingsServers: mine({ mill: mill('many') }) });
    expect(await agent.say('go')).toEqual({ outcome: 'done' });
    const ready = events.find((event) => event.type === 'server-ready')!;
    expect(ready.tools).toBeGreaterThan(5);
    expect(ready.tools).toBeLessThan(128);
    expect(ready.note).toContain(`${200 - ready.tools} left out`);
    expect(model.requests[0]!.tools.map(({ name }) => name)).toContain('mcp__mill__tool_0');
  });

  it('is one for the agent and its subagents', async () => {
    const pidFile = join(newFolder(), 'pid');
    const model = scriptedModel({
      isLanguageModel: false,
      answer({ messages }, number) {
        if (number === 1) return [call('c1', 'task', { description: 'grind', prompt: 'grind it' })];
        if (number === 2) return [call('c2', 'mcp__mill__grind', { sacks: 2 })];
        return [text(saidIn(messages).slice(-300))];
      },
    });
    const { agent, events } = await open({ model, settingsServers: mine({ mill: mill('well', { pidFile }) }) });
    await agent.say('go');
    expect(agent.lastWords()).toContain('ground 2 sacks');
    expect(events.filter((event) => event.type === 'server-ready')).toHaveLength(1);
  });
});

describe('MCP servers of a folder that nobody has trusted', () => {
  const untrusted = (given: string[], pidFile: string): readonly SettingsServers[] => [
    {
      servers: { mill: mill('well', { pidFile, env: { MILLER: 'x' } }) },
      source: '.palimpsest/settings.json',
      trust: { isGiven: async () => given.length > 0, remember: async () => void given.push('yes') },
    },
  ];

  it('are never started where nobody can be asked, and it is said', async () => {
    const pidFile = join(newFolder(), 'pid');
    const { permission: _, ...options } = { permission: undefined, model: caller(['say', { words: 'x' }]) };
    const { agent, events } = await started({ ...options, settingsServers: untrusted([], pidFile) });
    agents.push(agent);
    await agent.say('go');
    expect(existsSync(pidFile)).toBe(false);
    expect(events.filter((event) => event.type === 'servers-refused')).toMatchObject([
      { source: '.palimpsest/settings.json', why: expect.stringContaining('nobody can be asked') },
    ]);
    expect(agent.servers()).toMatchObject([{ state: { type: 'refused' } }]);
  });

  it.each([
    ['once', true, 0],
    ['always', true, 1],
    ['no', false, 0],
  ] as const)('are asked for once, with command and variables; answered %s', async (answer, starts, remembered) => {
    const pidFile = join(newFolder(), 'pid');
    const asked: PermissionAsk[] = [];
    const given: string[] = [];
    const permission = askingPermission(async (ask) => {
      asked.push(ask);
      return answer;
    });
    const model = scriptedModel({ isLanguageModel: false, answer: () => [text('done')] });
    const { agent } = await open({ model, settingsServers: untrusted(given, pidFile), permission });
    await agent.say('go');
    await agent.say('again');
    expect(asked).toEqual([
      {
        tool: 'MCP servers',
        noun: 'these, as they are now',
        what: `mill: ${process.execPath} ${MILL} well ${pidFile} (with MILLER=x)`,
        why: '.palimpsest/settings.json wants programs started',
      },
    ]);
    expect(existsSync(pidFile)).toBe(starts);
    expect(given).toHaveLength(remembered);
  });
});

it('/mcp lists servers, their tools and how they stand', async () => {
  const { agent } = await open({
    model: caller(['say', { words: 'x' }]),
    settingsServers: mine({ mill: mill(), weir: mill('dies') }),
  });
  const lines = (): string => {
    const said: string[] = [];
    const plain = (one: string): string => one;
    const paint = { green: plain, yellow: plain, dim: plain } as never;
    void mcp.run('', { agent, paint, columns: 120, print: (more: readonly string[]) => said.push(...more) } as never);
    return said.join('\n');
  };
  expect(lines()).toContain('○ mill · starts with the first thing you say');
  await agent.say('go');
  expect(lines()).toContain('● mill · 12 tools');
  expect(lines()).toContain('  mcp__mill__grind');
  expect(lines()).toContain('○ weir · not there: it ended with exit code 3; its last words: the wheel is broken');
});
