import { createSession, user } from '@palimpsest/core';
import { afterEveryStep } from '@palimpsest/testing';
import { expect, it } from 'vitest';
import { groupRecall } from '../src/conversations/group-recall.ts';

it('what a search in a group has to read is read in steps, of every session in it', async () => {
  const open = (name: string) => {
    const loop = afterEveryStep();
    const session = createSession({ window: 100_000, ports: { loop } });
    for (let i = 0; i < 40; i++) session.append(user(`The port of ${name}${i} is 8${i}.`, `${name}-${i}`));
    return { session, loop };
  };
  const [own, other] = [open('alpha'), open('beta')];
  const recall = groupRecall(own.session, () => [other.session]);
  await recall.prepare();
  for (const { loop } of [own, other]) expect(loop.turns).toBeGreaterThan(3);
  expect(recall.search('port of beta7', 3).map(({ message }) => message.id)).toContain('beta-7');
});
