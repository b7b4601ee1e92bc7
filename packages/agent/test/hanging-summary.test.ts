import { presets, text } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../src/loop/agent.ts';
import { eventually } from './support/eventually.ts';
import { saidIn, scriptedModel } from './support/scripted-model.ts';
import { page, started } from './support/started.ts';

const asking = presets.default({ summarizeHistory: { modelFrom: 0 } });

/** A model that answers turns, and hangs over every summary without minding the abort. */
function hangingOverSummaries() {
  const summaries: (AbortSignal | undefined)[] = [];
  let tell = (): void => {};
  const asked = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const model = scriptedModel({
    answer: (request, number, signal) => {
      if (!saidIn(request.messages).includes('</summary>')) return [text(page(`p${number}`, 40))];
      summaries.push(signal);
      tell();
      return new Promise(() => {});
    },
  });
  return { model, summaries, asked };
}

/** Talks until a summary is being drafted. Whether it is time for one is found out beside the work, so it is waited for after each turn. */
async function talkUntilDrafted(agent: Agent, summaries: readonly unknown[], asked: Promise<void>): Promise<void> {
  for (let n = 1; n <= 60 && summaries.length === 0; n++) {
    await agent.say(page(`page ${n}`, 12));
    await Promise.race([agent.session.settled(), asked]);
  }
  expect(summaries).toHaveLength(1);
}

describe('a summary that hangs', () => {
  it('does not outlive an agent that is closed while it is drafted', async () => {
    const { model, summaries, asked } = hangingOverSummaries();
    const { agent } = await started({ model, layers: asking });
    await talkUntilDrafted(agent, summaries, asked);
    await agent.close();
    expect(summaries[0]?.aborted).toBe(true);
  });

  it('ends with the interruption: the turn at once, and the next one goes on without it', async () => {
    const { model, summaries, asked } = hangingOverSummaries();
    const { agent } = await started({ model, layers: asking });
    await talkUntilDrafted(agent, summaries, asked);
    const turn = agent.say(page('all of it', 900));
    await new Promise((go) => setTimeout(go, 50));
    await eventually(() => agent.interrupt());
    expect(await turn).toEqual({ outcome: 'interrupted' });
    expect(await agent.say('go on')).toEqual({ outcome: 'done' });
    expect(summaries).toHaveLength(1);
    await agent.close();
  });
});
