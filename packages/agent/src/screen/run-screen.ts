import { resolve } from 'node:path';
import { listenToKeys, oneLine, openWriter } from '@palimpsest/terminal';
import { EXIT, exitCodeOf } from '../agent-error.ts';
import type { Agent, AgentOptions } from '../loop/agent.ts';
import type { AgentEvent } from '../loop/agent-event.ts';
import { createAgent } from '../loop/create-agent.ts';
import { type Suggestion, suggestSteps } from '../practice/suggest-steps.ts';
import { folderAt } from '../world/folder.ts';
import { askingPermission } from '../world/permission.ts';
import { isModal, modalPermission } from '../world/permission-mode.ts';
import { complaintOf, PROGRAM, type World } from '../world/world.ts';
import { greetingLines } from './greeting.ts';
import { newGuide } from './guide.ts';
import { interrupt, pressKey } from './press-key.ts';
import { newQuestions } from './questions.ts';
import { columnsOf, hearEvent, newScreen, refresh, type Screen } from './screen.ts';

const TICK_MS = 120;

/** The agent in a terminal, until the person leaves; where they practise, the prompt says what to type next. */
export async function runScreen(options: AgentOptions, world: World, isPractice = false): Promise<number> {
  let screen: Screen | undefined;
  const early: AgentEvent[] = [];
  const questions = newQuestions(() => {
    if (screen !== undefined) refresh(screen);
  });
  const on = (event: AgentEvent): void => {
    if (screen === undefined) early.push(event);
    else hearEvent(screen, event);
  };
  const open = (resume?: string): Promise<Agent> => {
    // Whatever was chosen goes on in the session that takes this one's place.
    const mode = screen === undefined || !isModal(screen.agent.permission) ? undefined : screen.agent.permission.mode();
    const permission = modalPermission(options.permission ?? askingPermission(questions.ask), mode);
    const { resume: _first, ...others } = options;
    return createAgent({ ...others, permission, ...(resume === undefined ? {} : { resume }), on });
  };
  const agent = await open(options.resume);
  const isNew = options.resume === undefined && !agent.model().isLanguageModel;
  const steps = isNew ? await suggestSteps(folderAt(agent.root)) : [];
  const guide = isPractice ? newGuide(steps) : undefined;
  screen = newScreen({ agent, options, questions, world, guide, open });
  greet(screen, options.resume !== undefined, steps, early);
  screen.attach = attach;
  screen.release = attach(screen);
  const endSignals = hearSignals(screen);
  refresh(screen);
  const exitCode = await screen.left;
  screen.isOver = true;
  screen.release();
  endSignals();
  return endScreen(screen, exitCode);
}

/** What was told while the agent opened comes below the greeting. */
function greet(
  { area, agent, paint, stage, world }: Screen,
  isResumed: boolean,
  steps: readonly Suggestion[],
  early: readonly AgentEvent[],
): void {
  const columns = columnsOf(world);
  area.print(greetingLines(agent, isResumed, steps, paint, columns));
  area.print(early.flatMap((event) => stage.tell(event, columns)));
}

/** Signals, and a terminal that goes away, reach the screen until it is over. */
function hearSignals(screen: Screen): () => void {
  const { stdin, stdout } = screen.world;
  // While another program has the terminal, Ctrl-C is for that one.
  const onInterrupt = (): void => {
    if (!screen.isAway) interrupt(screen);
  };
  const onHangUp = (): void => screen.leave(EXIT.hungUp);
  const onTerminate = (): void => screen.leave(EXIT.done);
  for (const stream of [stdout, stdin]) stream.on('error', onHangUp);
  stdin.on('end', onHangUp);
  process.on('SIGINT', onInterrupt);
  process.once('SIGHUP', onHangUp);
  process.once('SIGTERM', onTerminate);
  return () => process.off('SIGINT', onInterrupt);
}

/** Keys, sizes and time reach the screen until it is released; it can be attached again. */
function attach(screen: Screen): () => void {
  const { stdin, stdout } = screen.world;
  const onResize = (): void => {
    screen.area.resize();
    refresh(screen);
  };
  const keys = listenToKeys(stdin, screen.out, (typed, key) => pressKey(screen, typed, key));
  stdout.on('resize', onResize);
  const ticking = setInterval(() => {
    screen.tick++;
    if (screen.agent.isBusy()) refresh(screen);
  }, TICK_MS);
  return () => {
    clearInterval(ticking);
    stdout.off('resize', onResize);
    screen.area.close();
    keys.close();
  };
}

/** As a shell takes it for one word. */
const quoteWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

async function endScreen({ agent, world, out }: Screen, exitCode: number): Promise<number> {
  const { environment, stderr } = world;
  const wasSaid = agent.session.transcript().some((message) => message.origin === 'human');
  try {
    await agent.close();
    const program = environment.npm_lifecycle_event === 'start' ? 'npm start --' : `${PROGRAM} agent`;
    // Another folder than the one that the person stands in has to be named again.
    const where = agent.root === resolve(world.cwd) ? '' : ` --cwd ${quoteWord(agent.root)}`;
    if (wasSaid) out.print(oneLine(`Kept; go on with: ${program}${where} --resume ${agent.id}`));
    return exitCode;
  } catch (error) {
    openWriter(stderr, environment).print(complaintOf(error));
    return exitCodeOf(error);
  }
}
