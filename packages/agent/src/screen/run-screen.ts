import { createAgent } from '../agent.ts';
import { EXIT, exitCodeOf, explain } from '../agent-error.ts';
import type { AgentEvent } from '../agent-event.ts';
import type { Agent, AgentOptions } from '../agent-types.ts';
import { type CommandDesk, commandIn } from '../commands/index.ts';
import { askingPermission } from '../permission.ts';
import type { World } from '../world.ts';
import { greeting, whereItStood } from './greeting.ts';
import { keyboard } from './keyboard.ts';
import { type Key, lineEditor } from './line-editor.ts';
import { liveArea } from './live-area.ts';
import { questions } from './questions.ts';
import { stage } from './stage.ts';
import { clean, paintFor, wrap } from './text.ts';

const TICK_MS = 120;
/** A second Ctrl-C within this time ends the agent. */
const TWICE_MS = 2_000;
const FORCED_LINES = 500;

/** The agent in a terminal, until the person leaves. */
export async function runScreen(options: AgentOptions, world: World): Promise<number> {
  const { stdin, stdout, environment } = world;
  const paint = paintFor(environment, true);
  const area = liveArea(stdout);
  const editor = lineEditor();
  const scene = stage(paint);
  const asking = questions(() => refresh());
  const waiting: string[] = [];
  let hint: string | undefined;
  let pressedAt = 0;
  let tick = 0;
  let lastOutput = '';
  let isOver = false;
  let leave = (_code: number): void => {};
  const left = new Promise<number>((resolve) => {
    leave = resolve;
  });

  const columns = (): number => Math.max(20, (stdout.columns ?? 80) - 1);
  const print = (lines: readonly string[]): void => {
    area.print(lines);
    refresh();
  };
  function refresh(): void {
    if (isOver || agent === undefined) return;
    const { lines, cursor } = scene.live({
      agent,
      editor,
      question: asking.open(),
      waiting,
      hint,
      columns: columns(),
      tick,
    });
    area.paint(lines, cursor);
  }

  const hear = (event: AgentEvent): void => {
    if (event.type === 'call-ended') lastOutput = event.text;
    area.print(scene.tell(event, columns()));
    refresh();
    if (event.type === 'turn-ended' || event.type === 'compaction-ended') setImmediate(drain);
  };
  const agentOptions = { permission: askingPermission(asking.ask), ...options, on: hear };
  let agent: Agent | undefined;
  agent = await createAgent(agentOptions);
  area.print(greeting(agent, options.resume !== undefined, paint, columns()));

  async function open(id: string): Promise<void> {
    if (id === agent!.id) return print(['This is it.']);
    const before = agent!;
    const next = await createAgent({ ...agentOptions, resume: id });
    agent = next;
    await before.close();
    print(whereItStood(next, paint, columns()));
  }

  const desk = (): CommandDesk => ({
    agent: agent!,
    store: options.store,
    environment,
    paint,
    columns: columns(),
    print,
    open,
  });

  async function run(line: string): Promise<void> {
    const asked = commandIn(line);
    if (asked === undefined) return void agent!.say(line).finally(refresh);
    if ('unknown' in asked) {
      if (['exit', 'quit'].includes(asked.unknown)) return leave(EXIT.done);
      return print([paint.yellow(`There is no command /${asked.unknown}; /help lists them.`)]);
    }
    if (asked.command.waits === true && agent!.isBusy()) {
      waiting.push(line);
      return refresh();
    }
    print(['', paint.bold(`> ${line}`)]);
    try {
      await asked.command.run(asked.argument, desk());
    } catch (error) {
      print([paint.red(`✗ ${clean(explain(error))}`)]);
    }
    refresh();
  }

  async function drain(): Promise<void> {
    while (!isOver && waiting.length > 0 && agent?.isBusy() === false) await run(waiting.shift()!);
    refresh();
  }

  function interrupt(): void {
    if (agent!.interrupt()) return;
    // It was told to stop and has not: then the person need not wait for it.
    if (agent!.isBusy()) return void leave(EXIT.interrupted);
    if (editor.text() !== '') return void editor.set('');
    if (Date.now() - pressedAt < TWICE_MS) return void leave(EXIT.done);
    pressedAt = Date.now();
    warn('ctrl-c once more ends');
  }

  function warn(words: string): void {
    hint = words;
    setTimeout(() => {
      hint = undefined;
      refresh();
    }, TWICE_MS).unref();
  }

  function press(typed: string | undefined, key: Key): void {
    if (key.ctrl === true && key.name === 'c') interrupt();
    else if (asking.open() !== undefined) asking.press(typed);
    else if (key.ctrl === true && key.name === 'd' && editor.text() === '') leave(EXIT.done);
    else if (key.ctrl === true && key.name === 'o')
      print(
        wrap(clean(lastOutput), columns() - 2)
          .slice(0, FORCED_LINES)
          .map((line) => paint.dim(`  ${line}`)),
      );
    else if (key.name === 'return' && key.meta !== true) submit();
    else editor.press(typed, key);
    refresh();
  }

  function submit(): void {
    const line = editor.take();
    if (line.trim() === '') return;
    if (/^(?:exit|quit)$/i.test(line.trim())) leave(EXIT.done);
    else void run(line);
  }

  const keys = keyboard(stdin, stdout, press);
  const resized = (): void => {
    area.resized();
    refresh();
  };
  const ended = (): void => leave(EXIT.failed);
  stdout.on('resize', resized);
  stdout.on('error', ended);
  stdin.on('end', ended);
  for (const name of ['SIGTERM', 'SIGHUP'] as const) process.once(name, ended);
  const ticking = setInterval(() => {
    tick++;
    if (agent?.isBusy() === true) refresh();
  }, TICK_MS);
  refresh();

  const code = await left;
  isOver = true;
  clearInterval(ticking);
  stdout.off('resize', resized);
  area.close();
  keys.close();
  const wasSaid = agent.session.transcript().some((message) => message.origin === 'human');
  try {
    await agent.close();
    if (wasSaid) stdout.write(`Kept: palimpsest agent --resume ${agent.id}\n`);
    return code;
  } catch (error) {
    world.stderr.write(`palimpsest-agent: ${explain(error)}\n`);
    return exitCodeOf(error);
  }
}
