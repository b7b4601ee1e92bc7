import { memoryStore } from '@palimpsest/store';
import { formatNumber, paintFor, wrap } from '@palimpsest/terminal';
import { EXIT, explain, lostOutput } from '../agent-error.ts';
import { commandIn } from '../commands/index.ts';
import type { Agent } from '../loop/agent.ts';
import type { AgentEvent } from '../loop/agent-event.ts';
import { currentView } from '../loop/context-use.ts';
import { createAgent } from '../loop/create-agent.ts';
import { offlineModel } from '../models/offline/offline-model.ts';
import { stage } from '../screen/stage.ts';
import { folderAt } from '../world/folder.ts';
import { allowAll } from '../world/permission.ts';
import { outputTo, type World } from '../world/world.ts';
import { proofs, sampleAccount } from './sample-account.ts';
import { sampleFolder } from './sample-folder.ts';

const FILES = 80;
const WINDOW = 16_000;

/** What a newcomer might say, in an order that shows every layer at work and that nothing was forgotten. */
const RULE = 'never touch db/migrations';
const CONVERSATION = [
  `remember: ${RULE}`,
  'read README.md, then read package.json',
  'read every file in src',
  '/context',
  '/receipt',
  'what did I ask first?',
  'what must you never touch?',
  'what was in src/cart/module-005.ts?',
  'find where toCents is used in src/billing',
  'run the tests',
  'write "All modules were read." to notes.md',
  '/compact mind the prices',
  '/undo',
];

/** Without a terminal: a conversation on the offline model, in a folder made for it, printed as it happens. */
export async function playSample(world: World): Promise<number> {
  let exitCode: number = EXIT.done;
  const stop = (code: number): void => {
    exitCode ||= code;
    agent?.interrupt();
  };
  const complain = (why: string): void => void world.stderr.write(`palimpsest-agent: ${why}\n`);
  const out = outputTo(world.stdout, (error) => {
    const { code, why } = lostOutput(error);
    if (why !== undefined) complain(why);
    stop(code);
  });
  const onSignal = (): void => stop(EXIT.interrupted);
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, onSignal);
  const paint = paintFor(world.environment, false);
  const { columns } = out;
  const scene = stage(paint);
  const account = sampleAccount();
  const print = (lines: readonly string[]): void => {
    for (const line of lines) out.print(line);
  };
  const folder = await sampleFolder(FILES);
  let agent: Agent | undefined;
  try {
    const store = memoryStore();
    const words = `A sample conversation. The model is the embedded offline one: not a language model, a small program that calls the real tools and answers only from the view it is given. The folder has ${folder.files} source files, the window ${formatNumber(WINDOW)} tokens: watch the layers keep it inside, and nothing being forgotten.`;
    print(wrap(words, columns));
    agent = await createAgent({
      root: folder.root,
      model: offlineModel({ window: WINDOW }),
      store,
      permission: allowAll,
      on: (event: AgentEvent) => {
        if (event.type === 'view-compacted') account.add(event.receipt);
        print(scene.tell(event, columns));
      },
    });
    const { session } = agent;
    const views: string[] = [];
    for (const line of CONVERSATION) {
      if (exitCode !== EXIT.done) return exitCode;
      const asked = commandIn(line);
      if (asked === undefined) {
        const { outcome, error } = await agent.say(line);
        if (outcome === 'failed') throw error;
      } else if ('command' in asked) {
        views.push(JSON.stringify(currentView(session)));
        print(['', `> ${line}`]);
        await asked.command.run(asked.argument, {
          agent,
          store,
          environment: world.environment,
          paint,
          columns,
          print,
        });
      }
    }
    const undone = JSON.stringify(currentView(session)) === views.at(-2);
    const checked = [
      ...(await proofs(session, folderAt(folder.root), RULE)),
      { says: '/undo brought back the very view that /compact found', holds: undone },
    ];
    const { messages, tokens } = session.status();
    print(['', 'What the layers did:', ...account.layers(), '', 'What is left of it all, looked at just now:']);
    print(checked.map(({ says, holds }) => `  ${holds ? '✓' : '✗'} ${says}`));
    print([
      `  ${formatNumber(session.transcript().length)} messages were said; the view has ${formatNumber(messages)}, ${formatNumber(tokens)} tokens`,
    ]);
    print(['', 'In a terminal you can talk to it: npm start, or palimpsest agent.']);
    if (checked.some(({ holds }) => !holds)) throw new Error('the sample did not hold what it promises.');
    return exitCode;
  } catch (error) {
    complain(explain(error));
    return exitCode || EXIT.failed;
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, onSignal);
    await agent?.close();
    await folder.remove();
  }
}
