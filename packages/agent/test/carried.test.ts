import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, text } from '@palimpsest/core';
import { expect, it } from 'vitest';
import { currentView } from '../src/loop/context-use.ts';
import { newFolder } from './support/launch.ts';
import { saidIn, scriptedModel } from './support/scripted-model.ts';
import { page, started } from './support/started.ts';

/** A model that reads the file which it is told to, and else fills the window with pages. */
const reader = () =>
  scriptedModel({
    isLanguageModel: false,
    answer({ messages }) {
      const [, path] = /human: read (\S+)$/.exec(saidIn(messages)) ?? [];
      if (path !== undefined) return [call(`c${messages.length}`, 'read_file', { path })];
      return [text(saidIn(messages).includes('page') ? page(`p${messages.length}`, 70) : 'ok')];
    },
  });

it('after a compaction a file comes back as it is now', async () => {
  const root = newFolder();
  const write = (words: string): void => writeFileSync(join(root, 'mill.txt'), `${words}\n`);
  write('The mill turns.');
  const { agent } = await started({ model: reader(), root, settings: { keep: { fraction: 0.35 } } });
  const seen = (): string => saidIn(currentView(agent.session));
  await agent.say('read mill.txt');
  write('The mill stands still.');
  for (let n = 1; n <= 20 && !seen().includes('[Carried over by code'); n++) await agent.say(`page ${n}`);
  expect(seen().split('[Carried over by code').at(-1)).toContain('The mill stands still.');
});

it('a file that did not change is shown once, and whole again after a compaction', async () => {
  const root = newFolder();
  writeFileSync(join(root, 'mill.txt'), 'The mill turns.\n');
  const { agent, events } = await started({ model: reader(), root, settings: { keep: { fraction: 0.35 } } });
  const lastResult = async (): Promise<string> => {
    await agent.say('read mill.txt');
    return events.flatMap((event) => (event.type === 'call-ended' ? [event.text] : [])).at(-1)!;
  };
  expect(await lastResult()).toContain('The mill turns.');
  expect(await lastResult()).toContain('has not changed since you read it');
  for (let n = 1; n <= 20 && !events.some(({ type }) => type === 'compaction-ended'); n++) await agent.say(`page ${n}`);
  expect(await lastResult()).toContain('The mill turns.');
});
