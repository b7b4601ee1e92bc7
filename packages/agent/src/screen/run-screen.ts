import { paintFor, toScreenText, wrap } from '@palimpsest/terminal';
import { EXIT, exitCodeOf, explain } from '../agent-error.ts';
import type { CommandDesk } from '../commands/index.ts';
import type { Agent, AgentOptions } from '../loop/agent.ts';
import type { AgentEvent } from '../loop/agent-event.ts';
import { createAgent } from '../loop/create-agent.ts';
import { askingPermission } from '../world/permission.ts';
import { PROGRAM, type World } from '../world/world.ts';
import { dispatcher } from './dispatcher.ts';
import { greeting, whereItStood } from './greeting.ts';
import { keyboard } from './keyboard.ts';
import { type Key, lineEditor } from './line-editor.ts';
import { liveArea } from './live-area.ts';
import { questions } from './questions.ts';
import { stage } from './stage.ts';

const TICK_MS = 120;
/** A second Ctrl-C within this time ends the agent. */
const TWICE_MS = 2_000;
const UNFOLDED_LINES = 500;

/** The agent in a terminal, until the person leaves. */
export async function runScreen(options: AgentOptions, world: World): Promise<number> {
  const { stdin, stdout, environment } = world;
  const paint = paintFor(environment, true);
  const area = liveArea(stdout);
  const editor = lineEditor();
  const scene = stage(paint);
  const asking = questions(() => refresh());
  let hint: string | undefined;
  let pressedAt = 0;
  let tick = 0;
  let isDue = false;
  let lastOutput = '';
  let isOver = false;
  /** Told before the greeting. */
  const early: string[] = [];
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
    const waiting = typed.waiting();
    const live = { agent, editor, question: asking.open(), waiting, hint, columns: columns(), tick };
    const { lines, cursor } = scene.live(live);
    area.paint(lines, cursor);
  }
  /** Once for all keys that came together, such as a paste without marks. */
  function refreshSoon(): void {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      refresh();
    });
  }
  const hear = (event: AgentEvent): void => {
    if (event.type === 'call-ended') lastOutput = event.text;
    const lines = scene.tell(event, columns());
    if (agent === undefined) early.push(...lines);
    else print(lines);
  };

  const agentOptions = { permission: askingPermission(asking.ask), ...options, on: hear };
  const typed = dispatcher({
    changed: refresh,
    leave: () => leave(EXIT.done),
    desk: (): CommandDesk => ({
      agent: agent!,
      store: options.store,
      environment,
      paint,
      columns: columns(),
      print,
      open,
    }),
  });
  let agent: Agent | undefined;
  agent = await createAgent(agentOptions);
  area.print([...greeting(agent, options.resume !== undefined, paint, columns()), ...early]);

  async function open(id: string): Promise<void> {
    if (id === agent!.id) return print(['This is it.']);
    const before = agent!;
    agent = await createAgent({ ...agentOptions, resume: id });
    await before.close();
    print(whereItStood(agent, paint, columns()));
  }

  function interrupt(): void {
    if (agent!.interrupt()) return;
    // It was told to stop and has not: then the person need not wait for it.
    if (agent!.isBusy()) return void leave(EXIT.interrupted);
    if (editor.text() !== '') return void editor.set('');
    if (Date.now() - pressedAt < TWICE_MS) return void leave(EXIT.done);
    pressedAt = Date.now();
    hint = 'ctrl-c once more ends';
    setTimeout(() => {
      hint = undefined;
      refresh();
    }, TWICE_MS).unref();
  }

  function submit(): void {
    const line = editor.take();
    if (/^(?:exit|quit)$/i.test(line.trim())) leave(EXIT.done);
    else if (line.trim() !== '') typed.enter(line);
  }

  function press(character: string | undefined, key: Key): void {
    const ctrl = key.ctrl === true ? key.name : undefined;
    if (ctrl === 'c') interrupt();
    else if (asking.open() !== undefined) asking.press(character);
    else if (ctrl === 'd' && editor.text() === '') leave(EXIT.done);
    else if (ctrl === 'o') print(unfolded());
    // What was typed before the prompt stood comes with the other line end.
    else if ((key.name === 'return' || key.name === 'enter') && key.meta !== true) submit();
    else editor.press(character, key);
    refreshSoon();
  }

  const unfolded = (): readonly string[] =>
    wrap(toScreenText(lastOutput), columns() - 2)
      .slice(0, UNFOLDED_LINES)
      .map((line) => paint.dim(`  ${line}`));

  const keys = keyboard(stdin, stdout, press);
  const resized = (): void => {
    area.resized();
    refresh();
  };
  const hungUp = (): void => leave(EXIT.hungUp);
  const ended = (): void => leave(EXIT.done);
  stdout.on('resize', resized);
  for (const stream of [stdout, stdin]) stream.on('error', hungUp);
  stdin.on('end', hungUp);
  process.on('SIGINT', interrupt);
  process.once('SIGHUP', hungUp);
  process.once('SIGTERM', ended);
  const ticking = setInterval(() => {
    tick++;
    if (agent?.isBusy() === true) refresh();
  }, TICK_MS);
  refresh();

  const code = await left;
  isOver = true;
  clearInterval(ticking);
  stdout.off('resize', resized);
  process.off('SIGINT', interrupt);
  area.close();
  keys.close();
  const wasSaid = agent.session.transcript().some((message) => message.origin === 'human');
  try {
    await agent.close();
    const program = environment.npm_lifecycle_event === 'start' ? 'npm start --' : 'palimpsest agent';
    if (wasSaid) stdout.write(`Kept; go on with: ${program} --resume ${agent.id}\n`);
    return code;
  } catch (error) {
    world.stderr.write(`${PROGRAM}: ${explain(error)}\n`);
    return exitCodeOf(error);
  }
}
