import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, type Receipt, result, results, text, user } from '@palimpsest/core';
import { memoryStore } from '@palimpsest/store';
import { newLiveArea, openWriter, type Sink } from '@palimpsest/terminal';
import { findObeyed, HOSTILE_TEXTS } from '@palimpsest/testing';
import { describe, expect, it } from 'vitest';
import { type Command, commands } from '../src/commands/index.ts';
import type { Agent } from '../src/loop/agent.ts';
import type { AgentEvent } from '../src/loop/agent-event.ts';
import { createAgent } from '../src/loop/create-agent.ts';
import { problemLines } from '../src/printing/event-lines.ts';
import { greetingLines, lastWordsLines } from '../src/screen/greeting.ts';
import { newLineEditor } from '../src/screen/line-editor.ts';
import { newStage } from '../src/screen/stage.ts';
import { newTextFlow } from '../src/screen/text-flow.ts';
import { askingPermission } from '../src/world/permission.ts';
import { newFolder } from './support/launch.ts';
import { scriptedModel } from './support/scripted-model.ts';

const COLUMNS = 100;
const hostile = Object.entries(HOSTILE_TEXTS);

/** A terminal with colours, and every byte that it was sent. */
function hearing() {
  let said = '';
  const stream = {
    isTTY: true,
    columns: COLUMNS + 1,
    rows: 40,
    on: () => {},
    write(bytes: string) {
      said += bytes;
      return true;
    },
  } as unknown as Sink;
  return { out: openWriter(stream, {}), said: () => said };
}

/** A file may be called anything but this. */
const nameOf = (evil: string): string => evil.replace(/[\0/]|\p{Surrogate}/gu, '').slice(0, 80);

const receiptWith = (evil: string): Receipt => ({
  walk: 1,
  trigger: 'auto',
  tokensBefore: 2,
  tokensAfter: 1,
  declared: true,
  reason: evil,
  lines: [{ layer: evil, kind: evil, tool: evil, count: 2, bytes: 9, refs: [evil], stashed: [evil] } as never],
  pinsBounded: [evil],
  flagged: [evil],
});

/** One of every kind that there is, with the text wherever it has one. */
const EVENTS: { readonly [Type in AgentEvent['type']]: (evil: string) => AgentEvent } = {
  'view-made': () => ({ type: 'view-made', tokens: 1, fits: true, trigger: 1, effective: 1, visits: [] }),
  'view-compacted': (evil) => ({ type: 'view-compacted', receipt: receiptWith(evil) }),
  'history-mended': () => ({ type: 'history-mended', problems: [] }),
  'usage-ignored': () => ({ type: 'usage-ignored', usage: {}, fault: 'negative' as never }),
  'compaction-started': (evil) => ({ type: 'compaction-started', trigger: evil as never }),
  'compaction-ended': () => ({ type: 'compaction-ended', trigger: 'auto', outcome: 'failed' }),
  'summary-paid': () => ({ type: 'summary-paid', how: 'asked', outcome: 'written', calls: 1, usage: {} }),
  'hook-spoke': (evil) => ({ type: 'hook-spoke', message: evil }),
  'hook-failed': (evil) => ({ type: 'hook-failed', moment: evil as never, why: evil }),
  'hooks-refused': (evil) => ({ type: 'hooks-refused', source: evil, why: evil }),
  'server-ready': (evil) => ({ type: 'server-ready', server: evil, tools: 1, note: evil }),
  'server-failed': (evil) => ({ type: 'server-failed', server: evil, why: evil }),
  'servers-refused': (evil) => ({ type: 'servers-refused', source: evil, why: evil }),
  'need-failed': (evil) => ({ type: 'need-failed', need: evil, key: evil, code: evil, why: evil }),
  'window-learned': () => ({ type: 'window-learned', window: 1 }),
  'switch-ignored': (evil) => ({ type: 'switch-ignored', name: 'PALIMPSEST_WINDOW', value: evil, why: evil }),
  'window-ignored': () => ({ type: 'window-ignored', window: 0 }),
  'automatic-stopped': () => ({ type: 'automatic-stopped', reason: 'ineffective' }),
  'walk-reverted': (evil) => ({ type: 'walk-reverted', receipt: receiptWith(evil) }),
  'session-opened': (evil) => ({
    type: 'session-opened',
    id: evil,
    resumed: true,
    messages: 1,
    model: evil,
    window: 1,
  }),
  'session-mended': (evil) => ({ type: 'session-mended', what: evil }),
  'input-queued': (evil) => ({ type: 'input-queued', text: evil }),
  'input-delivered': (evil) => ({ type: 'input-delivered', text: evil, message: evil }),
  'text-added': (evil) => ({ type: 'text-added', text: evil }),
  'reasoning-added': (evil) => ({ type: 'reasoning-added', text: evil }),
  'wait-started': (evil) => ({ type: 'wait-started', why: evil, waitMs: 9 }),
  'answer-ended': (evil) => ({ type: 'answer-ended', text: evil, stop: 'end', usage: {} }),
  'call-started': (evil) => ({ type: 'call-started', callId: evil, tool: evil, input: { command: evil } }),
  'output-added': (evil) => ({ type: 'output-added', callId: 'c1', text: evil }),
  'call-ended': (evil) => ({
    type: 'call-ended',
    callId: evil,
    tool: evil,
    input: { path: evil },
    text: evil,
    isError: true,
  }),
  'summary-progressed': () => ({ type: 'summary-progressed', chars: 1 }),
  'instructions-read': (evil) => ({ type: 'instructions-read', files: [evil, evil] }),
  'task-reported': (evil) => ({
    type: 'task-reported',
    task: evil,
    event: { type: 'call-started', callId: evil, tool: evil, input: { pattern: evil, path: evil } },
  }),
  'command-answered': (evil) => ({ type: 'command-answered', command: evil, lines: [evil] }),
  'turn-ended': (evil) => ({ type: 'turn-ended', outcome: 'failed', problem: evil }),
};

/** A folder, a model, a transcript and rules that are all called and say the same. */
async function hostileAgent(evil: string, words = evil): Promise<Agent> {
  const root = join(newFolder(), nameOf(evil));
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'AGENTS.md'), evil);
  const permission = askingPermission(async () => 'always');
  await permission.refusal({ tool: evil, what: evil, why: evil }, new AbortController().signal);
  const answers = [[call(`c${evil}`, `read${evil}`, { path: evil })], [text(`needle ${words}`)]];
  const model = { ...scriptedModel({ answer: (_, number) => answers[number - 1] ?? [text(words)] }), name: evil };
  // Nothing is there that could be started: what is said of it is the point.
  const settingsServers = [{ servers: { [evil]: { command: `./no ${evil}`, args: [evil] } }, source: evil }];
  const agent = await createAgent({ root, model, store: memoryStore(), permission, settingsServers });
  agent.session.append(user(`needle ${words}`));
  agent.session.append({ role: 'assistant', origin: 'model', parts: [call('c0', `tool${evil}`, { path: evil })] });
  agent.session.append(results([result('c0', `needle ${evil}`, true)]));
  await agent.say(`needle ${words}`);
  return agent;
}

describe.each(hostile)('on the screen, %s', (_, evil) => {
  it.each(Object.entries(EVENTS))('nothing of an event is obeyed: %s', (_type, eventWith) => {
    const { out, said } = hearing();
    const area = newLiveArea(out);
    const stage = newStage(out.paint);
    const agent = { isBusy: () => true, queue: () => [evil], model: () => ({ name: evil }) } as unknown as Agent;
    const status = { tokens: 1, percentLeft: 9, budget: { trigger: 9 } };
    Object.assign(agent, { permission: {}, session: { status: () => status, totals: () => ({ cost: 1 }) } });
    const editor = newLineEditor();
    editor.set(evil.replaceAll('\n', ' '));
    const event = eventWith(evil);
    for (const one of [event, { type: 'task-reported', task: evil, event } as const]) {
      area.print(stage.tell(one, COLUMNS));
      const asked = { tool: evil, what: evil, why: evil, content: evil, prefix: evil };
      for (const question of [undefined, asked, { ...asked, question: evil }]) {
        const { lines, cursor } = stage.live({
          agent,
          suggestion: { words: evil, why: evil, step: 1, of: 2 },
          menu: { items: [{ value: evil, about: evil }], from: 0, to: 0, isWhole: false },
          editor,
          question,
          commands: [evil],
          hint: undefined,
          columns: COLUMNS,
          tick: 1,
        });
        area.paint(lines, cursor);
      }
    }
    area.print(problemLines(evil, out.paint, COLUMNS));
    area.close();
    // What a model says keeps its line ends.
    expect(findObeyed(said(), { keepsLines: event.type === 'text-added' })).toEqual([]);
  });

  it('nothing of a session is obeyed that a command shows', async () => {
    const agent = await hostileAgent(evil);
    const { out, said } = hearing();
    const print = (lines: readonly string[]): void => {
      for (const line of lines) out.print(line);
    };
    const desk = {
      agent,
      store: { list: async () => [], read: async () => ({ records: [] }) } as never,
      environment: {},
      paint: out.paint,
      columns: COLUMNS,
      print,
      open: async () => {},
    };
    const run = async (name: string, argument: string): Promise<void> => {
      const command = commands.find((one) => one.name === name) as Command;
      await Promise.resolve(command.run(argument, desk)).catch((error: Error) =>
        print(problemLines(error.message, out.paint, COLUMNS)),
      );
    };
    print(greetingLines(agent, false, [{ words: evil, why: evil }], out.paint, COLUMNS));
    print(lastWordsLines(agent, out.paint, COLUMNS));
    for (const [name, ...args] of [
      ['context', ''],
      ['receipt', '', 'all', evil],
      ['permissions', '', evil],
      ['mcp', ''],
      ['recall', 'needle', 'm1', 'm2', 'm3', evil],
      ['pin', '', 'needle', evil],
      ['model', '', `x ${evil}`, evil],
      ['resume', '', evil],
      ['export', nameOf(evil) || 'x', `no/${evil}`],
      ['compact', `--dry --all ${evil}`, evil],
      ['summary', '', `edit ${evil}`, '', 'copy', `copy no/${evil}`, evil],
      ['cost', ''],
      ['handoff', nameOf(evil) || 'y', `no/${evil}`],
      ['receipt', 'all'],
      ['undo', ''],
      ['help', ''],
    ] as const)
      for (const argument of args) await run(name, argument);
    await agent.close();
    expect(said()).toContain('needle');
    expect(findObeyed(said())).toEqual([]);
  });

  it('nothing of streamed text is obeyed, wherever it is cut into pieces', () => {
    const { out, said } = hearing();
    for (let at = 0; at <= evil.length; at++) {
      const flow = newTextFlow();
      for (const piece of [`x${evil.slice(0, at)}`, evil.slice(at)])
        for (const line of flow.add(piece, COLUMNS)) out.print(line);
      out.print(flow.rest());
      for (const line of flow.end(COLUMNS)) out.print(line);
    }
    expect(findObeyed(said(), { keepsLines: true })).toEqual([]);
  });
});

describe('streamed text', () => {
  it('shows nothing of a sequence that comes in two pieces', () => {
    const flow = newTextFlow();
    flow.add('before \u001b', COLUMNS);
    flow.add('[31', COLUMNS);
    flow.add('mafter \ud83d', COLUMNS);
    flow.add('\ude00 \u001b]0;ti', COLUMNS);
    flow.add('tle\u0007end', COLUMNS);
    expect(flow.rest()).toBe('before after 😀 end');
  });

  it('is not held back without end', () => {
    const flow = newTextFlow();
    expect(flow.add(`\u001b]0;${'x'.repeat(300)}`, COLUMNS).join('')).toContain('x'.repeat(50));
  });
});
