import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, text } from '@palimpsest/core';
import { expect, it } from 'vitest';
import { currentView } from '../src/loop/context-use.ts';
import { newFolder } from './support/launch.ts';
import { saidIn, scriptedModel } from './support/scripted-model.ts';
import { page, started } from './support/started.ts';

it('after a compaction a file comes back as it is now, and reading it again shows it whole', async () => {
  const root = newFolder();
  const write = (words: string): void => writeFileSync(join(root, 'mill.txt'), `${words}\n`);
  write('The mill turns.');
  const read = (id: string) => [call(id, 'read_file', { path: 'mill.txt' })];
  const model = scriptedModel({
    isLanguageModel: false,
    answer(request) {
      const said = saidIn(request.messages);
      if (said.endsWith('read it')) return read(`c${request.messages.length}`);
      return [text(said.includes('page') ? page(`p${request.messages.length}`, 70) : 'ok')];
    },
  });
  const { agent } = await started({ model, root });
  await agent.say('read it');
  await agent.say('read it');
  expect(saidIn(currentView(agent.session))).toContain('has not changed since you read it');
  write('The mill stands still.');
  const seen = (): string => saidIn(currentView(agent.session));
  for (let n = 1; n <= 20 && !seen().includes('[Carried over by code'); n++) await agent.say(`page ${n}`);
  expect(seen().split('[Carried over by code').at(-1)).toContain('The mill stands still.');
  await agent.say('read it');
  expect(saidIn(currentView(agent.session).slice(-3))).toContain(
    'mill.txt (lines 1 to 1 of 1)\nThe mill stands still.',
  );
});
