import { anthropicMessages } from '@palimpsest/wire';
import { describe, expect, it } from 'vitest';
import { createKeeper } from '../src/keeper.ts';
import { body, history } from './conversing.ts';

describe('a keeper', () => {
  it('hands back the body that came where nothing had to go, and one that the provider takes where something had', async () => {
    const keeper = createKeeper({ window: 8_000 });
    const small = {
      ...body(history(1)),
      system: [{ type: 'text', text: 'Work.', cache_control: { type: 'ephemeral' } }],
    };
    const kept = (await keeper.keep({ wire: 'anthropic', body: small }))!;
    expect(kept.changed).toBe(false);
    expect(kept.body).toBe(small);
    const large = (await keeper.keep({ wire: 'anthropic', body: body(history(30)) }))!;
    expect(large.changed).toBe(true);
    expect(anthropicMessages.validate(large.body)).toEqual([]);
    large.hear({ usage: { input_tokens: 3_000, output_tokens: 5 } });
    expect(large.session.ledger().entries.some(({ type }) => type === 'usage')).toBe(true);
  });

  it('says what is wrong with its options when it is made, and not to every request', () => {
    const make = (options: object) => () => createKeeper({ window: () => 8_000, ...options });
    expect(make({ presett: 's08' })).toThrow('"presett"');
    expect(make({ layers: 'all' })).toThrow('layers');
    expect(make({ live: { conversations: Number.NaN } })).toThrow('`live`');
    expect(make({ live: { conversation: 3 } })).toThrow('`live`');
    expect(make({ live: 3 })).toThrow('`live`');
    expect(make({ live: { bytes: 1 }, prices: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 } })).not.toThrow();
  });

  it('answers a refusal for size by a smaller body, and leaves every other to the client', async () => {
    const keeper = createKeeper({ window: 100_000 });
    const kept = (await keeper.keep({ wire: 'anthropic', body: body(history(20)) }))!;
    expect(
      await kept.fail({ status: 529, body: { type: 'error', error: { type: 'overloaded_error' } } }),
    ).toBeUndefined();
    const smaller = await kept.fail({ type: 'overflow', maximum: 8_000, message: 'too long' });
    expect(JSON.stringify(smaller?.body).length).toBeLessThan(JSON.stringify(kept.body).length / 2);
  });
});
