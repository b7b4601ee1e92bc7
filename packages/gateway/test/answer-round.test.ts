import { call, createSession, user } from '@palimpsest/core';
import type { KeptRequest } from '@palimpsest/sdk/keeper';
import { expect, it } from 'vitest';
import { answerRound } from '../src/recall/answer-round.ts';
import { TOOL_NAME } from '../src/recall/merge/merger.ts';

it('what a lookup has to read is read before it; an answer without one reads nothing', async () => {
  const session = createSession({ window: 100_000 });
  session.append(user('The port is 8412.', 'u'));
  const deeds: string[] = [];
  const recall: KeptRequest['recall'] = {
    ...session.recall,
    search(...query) {
      deeds.push('search');
      return session.recall.search(...query);
    },
    unread: [],
    async prepare(references?: readonly string[]) {
      deeds.push(['prepared', ...(references ?? [])].join(' '));
    },
  };
  const kept = { session, recall } as Partial<KeptRequest> as KeptRequest;
  expect((await answerRound([{ type: 'text', text: 'Done.' }], kept, 0)).type).toBe('last');
  expect(deeds).toEqual([]);
  const { type, round } = await answerRound([call('c1', TOOL_NAME, { query: 'which port' })], kept, 0);
  expect(type).toBe('go-on');
  expect(JSON.stringify(round.results)).toContain('8412');
  expect(deeds.slice(0, 2)).toEqual(['prepared', 'search']);
  const byReference = call('c2', TOOL_NAME, { reference: 'u' });
  await answerRound([byReference], kept, 0);
  await answerRound([byReference, call('c3', TOOL_NAME, { query: 'port' })], kept, 0);
  expect(deeds.filter((deed) => deed.startsWith('prepared')).slice(1)).toEqual(['prepared u', 'prepared']);
});
