import type { Session } from '@palimpsest/core';
import { anthropicMessages } from '@palimpsest/wire';
import { describe, expect, it } from 'vitest';
import { createConversations } from '../src/conversations/conversations.ts';
import { createKeeper, type KeptEvent, type SessionStart } from '../src/keeper.ts';
import { type Body, body, history } from './conversing.ts';

describe('whose a session is', () => {
  it('a host is told with every session, and with every event which session it is of', async () => {
    const begun: { readonly session: Session; readonly start: SessionStart }[] = [];
    const events: KeptEvent[] = [];
    const keeper = createKeeper({
      window: 8_000,
      onSession: (session, start) => begun.push({ session, start }),
      on: (event) => events.push(event),
    });
    for (const name of ['a', 'b'])
      for (let n = 0; n < 20; n++)
        await keeper.keep({ wire: 'anthropic', body: body(history(n, name)), id: name, tenant: 't' });
    expect(begun).toHaveLength(2);
    const [one, two] = begun;
    expect(one!.start).toMatchObject({ request: { id: 'a', tenant: 't', model: 'claude-sonnet-5' } });
    expect(one!.start.id).not.toBe(two!.start.id);
    expect(keeper.find(one!.start.id, 't')).toBe(one!.session);
    for (const { session, start } of begun) {
      const compacted = events.filter((event) => event.session === start.id && event.type === 'view-compacted');
      expect(compacted).toHaveLength(session.receipts().length);
    }
    expect(new Set(events.map(({ session }) => session)).size).toBe(2);
  });

  it('a server says by `key`: what one user said is not another’s to recall, however alike they begin', async () => {
    const all = createConversations({
      window: 100_000,
      key: ({ headers }) => headers['x-user'],
    });
    const keep = async (user: string, messages: Body['messages']) =>
      (await all.keep({
        format: anthropicMessages,
        body: body(messages),
        model: 'claude-sonnet-5',
        requestHeaders: { 'x-user': user },
      }))!;
    const shared = history(3);
    await keep('ann', [...shared, { role: 'user', content: 'My number is 4711.' }]);
    const kept = await keep('bob', [...shared, { role: 'user', content: 'What is her number?' }]);
    expect(
      kept.recall
        .search('4711')
        .map(({ text }) => text)
        .join(),
    ).not.toContain('4711');
    expect(JSON.stringify(kept.body)).not.toContain('4711');
    const again = await keep('ann', [{ role: 'user', content: 'Anew.' }]);
    expect(again.recall.search('4711').length).toBeGreaterThan(0);
  });

  it('without an id and without a name that only the client can know, nothing is taken for what another one cleared', async () => {
    const keeper = createKeeper({ window: 100_000 });
    const told = (result: string) => [
      { role: 'user', content: 'Read x.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'read', input: { path: 'x' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: result }] },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'Thanks.' },
    ];
    await keeper.keep({ wire: 'anthropic', body: body(told('a long text that is the first one’s own')) });
    const kept = (await keeper.keep({ wire: 'anthropic', body: body(told('short')) }))!;
    expect(kept.how).toBe('forked');
    expect(JSON.stringify([kept.body, kept.session.transcript()])).not.toContain('first one');
  });
});
