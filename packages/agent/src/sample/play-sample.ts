import { memoryStore } from '@palimpsest/store';
import { createAgent } from '../agent.ts';
import { EXIT, explain } from '../agent-error.ts';
import type { AgentEvent } from '../agent-event.ts';
import type { Agent } from '../agent-types.ts';
import { commandIn } from '../commands/index.ts';
import { offlineModel } from '../models/offline/offline-model.ts';
import { allowAll } from '../permission.ts';
import { stage } from '../screen/stage.ts';
import { count, paintFor, wrap } from '../screen/text.ts';
import { outputTo, type World } from '../world.ts';
import { sampleFolder } from './sample-folder.ts';

const FILES = 80;
const WINDOW = 16_000;

/** What a newcomer might say, in an order that shows every layer at work and that nothing was forgotten. */
const CONVERSATION = [
  'remember: never touch db/migrations',
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
  const out = outputTo(world.stdout, () => void agent?.interrupt());
  const paint = paintFor(world.environment, false);
  const { columns } = out;
  const scene = stage(paint);
  const print = (lines: readonly string[]): void => {
    for (const line of lines) out.print(line);
  };
  const folder = await sampleFolder(FILES);
  let agent: Agent | undefined;
  try {
    const store = memoryStore();
    const words = `A sample conversation: the offline model (no language model, a small program that calls the real tools) in a folder of ${folder.files} source files, with a window of ${count(WINDOW)} tokens.`;
    print(wrap(words, columns));
    agent = await createAgent({
      root: folder.root,
      model: offlineModel({ window: WINDOW }),
      store,
      permission: allowAll,
      on: (event: AgentEvent) => print(scene.tell(event, columns)),
    });
    for (const line of CONVERSATION) {
      const asked = commandIn(line);
      if (asked === undefined) {
        const { outcome, error } = await agent.say(line);
        if (outcome === 'failed') throw error;
        if (outcome === 'interrupted') return EXIT.pipeClosed;
      } else if ('command' in asked) {
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
    const { session } = agent;
    const hidden = session.receipts().reduce((sum, receipt) => sum + receipt.lines.length, 0);
    print([
      '',
      `${count(session.transcript().length)} messages were said, ${count(session.status().messages)} are in view; ${count(session.receipts().length)} compactions stand (${count(hidden)} entries), and everything can be recalled.`,
      'In a terminal you can talk to it: npm start, or palimpsest agent.',
    ]);
    return EXIT.done;
  } catch (error) {
    world.stderr.write(`palimpsest-agent: ${explain(error)}\n`);
    return EXIT.failed;
  } finally {
    await agent?.close();
    await folder.remove();
  }
}
