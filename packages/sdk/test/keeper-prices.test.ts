import { memoryStore } from '@palimpsest/store';
import type { ApiName } from '@palimpsest/wire';
import { describe, expect, it } from 'vitest';
import { createKeeper, type KeeperOptions } from '../src/keeper.ts';
import { body, history } from './conversing.ts';

const SAID = [{ role: 'user', content: 'Go.' }];
const DEAR = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 };

/** Where a conversation with these models, one for each request, is compacted in the end. */
async function findTrigger(
  models: readonly string[],
  options: Partial<KeeperOptions> = {},
  wire: ApiName = 'anthropic',
): Promise<number> {
  const keeper = createKeeper({ window: 200_000, ...options });
  let trigger = 0;
  for (const [n, model] of models.entries()) {
    const kept = (await keeper.keep({ wire, body: body(wire === 'anthropic' ? history(n + 1) : SAID, model) }))!;
    expect(kept.how).not.toBe('forked');
    trigger = kept.session.status().budget.trigger;
  }
  await keeper.close();
  return trigger;
}

describe('what a conversation is compacted by, where money decides', () => {
  it('is what its model costs, as far as that is known', async () => {
    const [halved, tenth, unknown] = await Promise.all(
      ['gpt-4o', 'gpt-5', 'nobody-knows-it'].map((model) => findTrigger([model])),
    );
    // The dearer it is to read what is cached, the sooner a compaction pays.
    expect(halved).toBeLessThan(tenth!);
    expect(tenth).toBeLessThan(unknown!);
    expect(await findTrigger(['claude-sonnet-4-5'])).toBe(unknown);
  });

  it('is how the vendor’s cache is paid for, where the model is not known', async () => {
    const ofChat = (model: string) => findTrigger([model], {}, 'openai-chat');
    expect(await ofChat('nobody-knows-it')).toBe(await ofChat('gpt-5'));
    expect(await ofChat('nobody-knows-it')).toBeLessThan(await ofChat('claude-sonnet-4-5'));
  });

  it('is what the host states, before all else', async () => {
    const stated = await findTrigger(['gpt-4o'], { prices: DEAR });
    expect(stated).toBeLessThan(await findTrigger(['gpt-4o']));
    expect(stated).toBe(await findTrigger(['gpt-5'], { prices: DEAR }));
  });

  it('changes with the model, and stays where the next one has no price that is known', async () => {
    expect(await findTrigger(['gpt-5', 'gpt-4o'])).toBe(await findTrigger(['gpt-4o', 'gpt-4o']));
    expect(await findTrigger(['gpt-4o', 'nobody-knows-it'])).toBe(await findTrigger(['gpt-4o', 'gpt-4o']));
  });

  it('is the same after a restart', async () => {
    const store = memoryStore();
    const before = await findTrigger(['gpt-4o', 'gpt-4o'], { store });
    const keeper = createKeeper({ window: 200_000, store });
    const kept = (await keeper.keep({ wire: 'anthropic', body: body(history(2), 'gpt-4o') }))!;
    expect(kept.how).toBe('restored');
    expect(kept.session.status().budget.trigger).toBe(before);
    await keeper.close();
  });
});
