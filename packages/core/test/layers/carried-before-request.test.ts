import { describe, expect, it } from 'vitest';
import { assistant, call, createSession, type Message, result, results, user } from '../../src/index.ts';
import { textOf } from '../texts.ts';

const CARRIED = '[Carried over by code';
const READS = 60;

/** Reads file after file and says now and then that the work goes on. Every view that a model is asked with. */
async function listViews(): Promise<readonly (readonly Message[])[]> {
  const session = createSession({ window: 16_000, tools: [{ name: 'read_file' }] });
  session.append(user('Read the notes one after the other. Never rename anything below notes.'));
  const views: (readonly Message[])[] = [];
  for (let n = 0; n < READS; n++) {
    views.push((await session.view()).messages);
    session.append(assistant([call(`c${n}`, 'read_file', { path: `notes/n${n}.md` })]));
    session.append(results([result(`c${n}`, `note ${n}: the crew of quay ${n * 7} counts again\n`.repeat(40))]));
    if (n % 10 !== 9) continue;
    views.push((await session.view()).messages);
    session.append(assistant(`Turn ${n} is through.`));
    session.append(user(`TURN ${n + 1}: Go on.`));
  }
  views.push((await session.view()).messages);
  return views;
}

describe('what code carries over', () => {
  it('stands in front of the newest request or result, which ends the view', async () => {
    const views = await listViews();
    expect(views.some((view) => textOf(view).includes(CARRIED))).toBe(true);
    for (const view of views) {
      const carried = view.findLastIndex((message) => textOf([message]).startsWith(CARRIED));
      const newest = view.findLastIndex(({ origin }) => origin === 'human' || origin === 'tool');
      expect(carried, `of ${view.length} messages`).toBeLessThan(newest);
    }
  });
});
