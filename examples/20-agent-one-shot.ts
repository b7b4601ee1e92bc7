/** The whole agent as a part of a program: a folder, the offline model, two requests, and what was kept. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentEvent, createAgent, offlineModel } from '@palimpsest/agent';
import { fileStore } from '@palimpsest/store';

const folder = await mkdtemp(join(tmpdir(), 'palimpsest-example-'));
try {
  await writeFile(join(folder, 'notes.md'), 'The mill stands by the weir.\n');
  const store = fileStore({ dir: join(folder, 'sessions') });
  const called: string[] = [];
  const agent = await createAgent({
    root: folder,
    // Any model will do: chooseModel({ provider: 'anthropic' }, …) takes the key from the environment.
    model: offlineModel({ window: 16_000 }),
    store,
    on: (event: AgentEvent) => {
      if (event.type === 'call-ended') called.push(event.tool);
    },
  });
  await agent.say('remember: never touch the weir');
  await agent.say('read notes.md, then write "seen" to log.txt');
  assert.deepEqual(called, ['read_file', 'write_file']);
  assert.equal(await readFile(join(folder, 'log.txt'), 'utf8'), 'seen\n');
  await agent.close();

  const again = await createAgent({ root: folder, model: offlineModel({ window: 16_000 }), store, resume: agent.id });
  const { outcome } = await again.say('what must you never touch?');
  assert.equal(outcome, 'done');
  assert.match(again.lastWords(), /never touch the weir/);
  const { length } = again.session.transcript();
  await again.close();
  console.log(`The agent read, wrote and, started again, still knew its rule: ${length} messages on disk.`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
