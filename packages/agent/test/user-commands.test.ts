import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  assistant,
  call,
  type NewMessage,
  type Part,
  result,
  results,
  text,
  type Usage,
  user,
  wordsOf,
} from '@palimpsest/core';
import { memoryStore, type Store } from '@palimpsest/store';
import { paintFor } from '@palimpsest/terminal';
import { describe, expect, it } from 'vitest';
import { type Command, type CommandDesk, commands } from '../src/commands/index.ts';
import type { Agent } from '../src/loop/agent.ts';
import type { AgentEvent } from '../src/loop/agent-event.ts';
import { currentView } from '../src/loop/context-use.ts';
import { createAgent } from '../src/loop/create-agent.ts';
import type { Model } from '../src/models/model.ts';
import { eventLines } from '../src/printing/event-lines.ts';
import { newFolder } from './support/launch.ts';
import { scriptedModel } from './support/scripted-model.ts';

const RULE = 'Never touch db/migrations.';

function* rounds(count: number): Generator<NewMessage> {
  yield user(`Look for the slow query. ${RULE}`);
  for (let i = 0; i < count; i++) {
    yield assistant([call(`c${i}`, 'read_file', { path: `src/${i}.ts` })]);
    yield results([result(`c${i}`, `const limit${i} = ${i * 7};\n`.repeat(80))]);
  }
  yield assistant([text('It is in src/3.ts.')]);
}

interface Desk {
  readonly agent: Agent;
  readonly events: readonly AgentEvent[];
  run(line: string, more?: Partial<CommandDesk>): Promise<string>;
}

async function deskFor(model: Partial<Model> = {}, rounded = 12, store: Store = memoryStore()): Promise<Desk> {
  const root = newFolder();
  const events: AgentEvent[] = [];
  const own = { ...scriptedModel({ answer: () => [text('Done.')] as Part[] }), window: 40_000, ...model };
  const agent = await createAgent({ root, model: own, store, on: (event) => events.push(event) });
  for (const message of rounds(rounded)) agent.session.append(message);
  return {
    agent,
    events,
    async run(line, more = {}) {
      const [, name, argument = ''] = /^\/(\w+)\s*([\s\S]*)$/.exec(line) ?? [];
      const lines: string[] = [];
      const command = commands.find((one) => one.name === name) as Command;
      const paint = paintFor({}, false);
      const desk = {
        agent,
        store,
        environment: {},
        paint,
        columns: 100,
        print: (said: readonly string[]) => void lines.push(...said),
      };
      await command.run(argument, { ...desk, ...more });
      return lines.join('\n');
    },
  };
}

/** A store whose journal can be made to wait in the middle of an append. */
function slowStore(): { readonly store: Store; hold(): () => void; reached(): Promise<void> } {
  const inner = memoryStore();
  let held: Promise<void> | undefined;
  let arrive: () => void = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    store: {
      ...inner,
      async open(id, options) {
        const session = await inner.open(id, options);
        const { journal } = session;
        const append: typeof journal.append = async (records) => {
          if (held !== undefined) arrive();
          await held;
          await journal.append(records);
        };
        return { ...session, journal: { ...journal, append } };
      },
    },
    hold() {
      let go: () => void = () => {};
      held = new Promise((resolve) => {
        go = resolve;
      });
      return go;
    },
    reached: () => arrived,
  };
}

describe('/compact --dry', () => {
  it('shows what would go and does nothing where nobody can be asked', async () => {
    const { agent, run } = await deskFor();
    const before = agent.session.ledger();
    const said = await run('/compact --dry');
    expect(said).toContain('◇ A compaction now:');
    expect(said).toContain('Nothing was done: /compact does it.');
    expect(agent.session.ledger()).toEqual(before);
  });

  it('asks, and does as shown after a yes; after a no nothing has changed', async () => {
    const { agent, run } = await deskFor();
    expect(await run('/compact --dry all', { confirm: async () => false })).toContain('Nothing was changed.');
    expect(agent.session.receipts()).toEqual([]);
    const shown = await run('/compact --dry all', { confirm: async () => true });
    const [receipt] = agent.session.receipts();
    expect(shown).toContain(
      `${receipt!.tokensBefore.toLocaleString('en-US')} → ${receipt!.tokensAfter.toLocaleString('en-US')} tokens`,
    );
  });

  it('shows it anew where the session has changed while the question stood', async () => {
    const { agent, run } = await deskFor();
    let asked = 0;
    const confirm = async () => {
      if (++asked === 1) agent.session.append(user('Wait: also look at src/99.ts.'));
      return true;
    };
    const said = await run('/compact --dry', { confirm });
    expect(asked).toBe(2);
    expect(said).toContain('The session has changed meanwhile.');
    expect(agent.session.receipts()).toHaveLength(1);
  });
});

describe('/undo', () => {
  it('gives back the very view that stood before, also where another model took over in between', async () => {
    const { agent, run } = await deskFor({}, 24);
    const said = currentView(agent.session);
    await agent.switchModel({ ...agent.model(), name: 'smaller', window: 9_000 });
    expect(agent.session.receipts().at(-1)).toMatchObject({ trigger: 'switch' });
    expect(currentView(agent.session)).not.toEqual(said);
    expect(await run('/undo')).toContain('the view is as it was before');
    expect(currentView(agent.session)).toEqual(said);
    await run('/compact all');
    await agent.switchModel({ ...agent.model(), name: 'larger', window: 40_000 });
    await run('/undo');
    expect(currentView(agent.session)).toEqual(said);
  });
});

describe('/summary', () => {
  it('says that there is none as long as there is none', async () => {
    expect(await (await deskFor()).run('/summary')).toContain('There is no summary yet');
  });

  it('shows it, edits it in an editor or by words, and undo takes the edit back', async () => {
    const { agent, run } = await deskFor();
    await run('/compact all');
    const shown = await run('/summary');
    expect(shown).toContain('const limit11 = 77;');
    // The state names the newest request; what the user wrote is no part of the summary and stands in the view itself.
    expect(shown.split(RULE)).toHaveLength(2);
    expect(shown).toMatch(/Newest request #1, .*Never touch db\/migrations\./);
    expect(
      currentView(agent.session)
        .filter(({ origin }) => origin === 'human')
        .map(wordsOf),
    ).toEqual([`Look for the slow query. ${RULE}`]);
    let offered = '';
    const edit = async (given: string) => {
      offered = given;
      return `- The index is called orders_by_customer.\n${given}`;
    };
    await run('/summary edit', { edit });
    expect(offered).toContain('is by code, from the transcript');
    expect(await run('/summary')).toMatch(/you have edited it[\s\S]*- \[s1\] The index is called orders_by_customer\./);
    expect(agent.session.summary()!.text).not.toContain('is by code, from the transcript');
    await run('/summary edit There is no index.');
    expect(agent.session.summary()!.items.map((item) => item.text)).toEqual(['There is no index.']);
    await run('/undo');
    expect(agent.session.summary()!.items.map((item) => item.text)).toEqual([
      'The index is called orders_by_customer.',
    ]);
  });

  it('tells of an edit only when it is on the disk; until then the agent is at work', async () => {
    const gate = slowStore();
    const { agent, events, run } = await deskFor({}, 12, gate.store);
    await run('/compact all');
    const write = gate.hold();
    const lines: string[] = [];
    const edited = run('/summary edit The mill is sold.', { print: (more) => void lines.push(...more) });
    await gate.reached();
    expect(events.at(-1)).toMatchObject({ type: 'view-compacted' });
    expect(lines).toEqual([]);
    expect(eventLines(events.at(-1)!, paintFor({}, false), 100)).toEqual([]);
    expect(agent.isBusy()).toBe(true);
    write();
    await edited;
    expect(lines[0]).toMatch(/^◆ Summary edited: /);
    expect(agent.isBusy()).toBe(false);
  });

  it('left as it was in the editor, is left as it was; without a terminal it asks for words', async () => {
    const { agent, run } = await deskFor();
    await run('/compact all');
    const before = agent.session.ledger();
    expect(await run('/summary edit', { edit: async (given) => given })).toBe('Nothing was changed.');
    expect(await run('/summary edit')).toContain('say /summary edit WORDS');
    expect(agent.session.ledger()).toEqual(before);
  });

  it('goes to the clipboard of the terminal, else into a file of the user’s own', async () => {
    const { agent, run } = await deskFor();
    await run('/compact all');
    const { text: all } = agent.session.summary()!;
    const copied: string[] = [];
    expect(await run('/summary copy', { copy: (given) => void copied.push(given) })).toContain('OSC 52');
    expect(copied).toEqual([all]);
    await run('/summary copy s.md', { copy: () => {} });
    expect(readFileSync(join(agent.root, 's.md'), 'utf8')).toBe(`${all}\n`);
    expect(statSync(join(agent.root, 's.md')).mode & 0o077).toBe(0);
    expect(await run('/summary copy')).toContain('palimpsest-summary-');
  });
});

describe('/cost', () => {
  const usage: Usage = { input: 100, cacheRead: 20_000, cacheWrite: 400, output: 50 };
  const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
  const priced = (more: Partial<Model> = {}): Partial<Model> => ({
    async *stream() {
      yield { type: 'answer-ended', parts: [text('Done.')], stop: 'end', usage } as const;
    },
    ...more,
  });

  it('tells tokens and money since the first call', async () => {
    const { agent, run } = await deskFor(priced({ prices }));
    await agent.say('And?');
    const said = await run('/cost');
    expect(said).toContain('Conversation: 1 call, $0.0086');
    expect(said).toMatch(
      /20,000 tokens read from the cache\n +400 written into the cache\n +100 sent besides\n +50 answered/,
    );
  });

  it('says where a price is not known, and guesses none', async () => {
    const { agent, run } = await deskFor(priced());
    await agent.say('And?');
    const said = await run('/cost');
    expect(said).toContain('Conversation: 1 call\n');
    expect(said).toContain('The price of 1 call is not known');
    expect(said).not.toContain('$');
  });

  it('names calls that could not use the cache, but not those behind a compaction', async () => {
    let served = 20_000;
    const model = priced({
      async *stream() {
        yield {
          type: 'answer-ended',
          parts: [text('Done.')],
          stop: 'end',
          usage: { ...usage, cacheRead: served, cacheWrite: 20_400 - served },
        } as const;
      },
    });
    const { agent, run } = await deskFor(model);
    await agent.say('One');
    await run('/compact all');
    served = 0;
    await agent.say('Two');
    expect(agent.cacheBreaks()).toEqual([]);
    served = 20_000;
    await agent.say('Three');
    served = 0;
    await agent.say('Four');
    expect(agent.cacheBreaks()).toHaveLength(1);
    expect(await run('/cost')).toContain('1 call could not use what was cached');
  });

  it('of the offline model is nothing', async () => {
    const { run } = await deskFor({ isLanguageModel: false });
    expect(await run('/cost')).toContain('Nothing was used');
  });
});

describe('/handoff', () => {
  it('writes the opening message of a fresh session, which nobody else can read', async () => {
    const { agent, run } = await deskFor();
    expect(await run('/handoff')).toMatch(/^26 messages in about [\d,]+ tokens, written to /);
    const [file] = readdirSync(agent.root).filter((name) => name.startsWith('palimpsest-handoff-'));
    const written = readFileSync(join(agent.root, file!), 'utf8');
    expect(written).toContain(RULE);
    expect(written).toContain(`palimpsest recall ${agent.id} WORDS`);
    expect(statSync(join(agent.root, file!)).mode & 0o077).toBe(0);
  });
});
