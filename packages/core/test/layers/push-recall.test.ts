import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  createSession,
  estimateMessage,
  type Layer,
  presets,
  pushRecall,
  result,
  results,
  type Session,
  user,
} from '../../src/index.ts';

/** Everything but the newest message gives way to a mark, once. */
const hideAll: Layer = {
  name: 'hide-all',
  decide(look) {
    const [first, last] = [look.slots[0], look.slots.at(-2)];
    if (look.slots.length < 7 || first === undefined || last === undefined) return { edits: [] };
    const ref = look.ref(0);
    return {
      edits: [
        {
          type: 'fold',
          ref,
          from: first.message.id,
          to: last.message.id,
          hides: { messages: look.slots.length - 1, bytes: 1 },
          messages: [
            { id: `palimpsest/${ref}`, role: 'user', origin: 'palimpsest', parts: [{ type: 'text', text: '-' }] },
          ],
        },
      ],
    };
  },
};

function converse(layers: readonly Layer[], ask: string): Session {
  const session = createSession({ window: 100_000, layers });
  for (const message of [
    user('Look at the ledger, please.', 'u1'),
    assistant([call('c1', 'read_file', { path: 'src/ledger.ts' })], 'a1'),
    results([result('c1', 'export const reconcileLedger = (day) => day * 7;\nexport const other = 1;')], 'r1'),
    assistant('The ledger reconciles by week.', 'a2'),
    user('Go on with the screen.', 'u2'),
    assistant('The screen is done.', 'a3'),
    user(ask, 'u3'),
  ])
    session.append(message);
  return session;
}
const textOf = ({ parts }: { parts: readonly unknown[] }): string => JSON.stringify(parts);

describe('what the newest message mentions and the view no longer holds', () => {
  it.each([
    ['a name', 'What did reconcileLedger do?'],
    ['a file, by its last name', 'What was in ledger.ts?'],
    ['several words', 'How does it reconcile by the week?'],
  ])('comes back behind it: %s', async (_, ask) => {
    const session = converse([hideAll, pushRecall()], ask);
    const { messages, receipt } = await session.view();
    expect(messages.map(({ id }) => id)).toEqual(['palimpsest/e1', 'u3', 'palimpsest/e2']);
    expect(textOf(messages[2]!)).toMatch(/reconcile/i);
    expect(receipt!.reason).toMatch(/mentions what the view no longer holds: \w+/);
    expect(session.recall.read('e2').text).toMatch(/reconcile/i);
  });

  it.each([
    ['what it mentions is in view', [pushRecall()], 'What did reconcileLedger do?'],
    ['it mentions nothing hidden', [hideAll, pushRecall()], 'Thanks.'],
    ['the layer is not there', [hideAll], 'What did reconcileLedger do?'],
    ['the preset has it off', [hideAll, ...presets.default()], 'What did reconcileLedger do?'],
  ])('nothing comes back where %s', async (_, layers, ask) => {
    const { messages } = await converse(layers, ask).view();
    expect(messages.at(-1)!.id).toBe('u3');
  });

  it('a preset has it where it is asked for', async () => {
    const { messages } = await converse(
      [hideAll, ...presets.default({ pushRecall: true })],
      'And reconcileLedger?',
    ).view();
    expect(textOf(messages.at(-1)!)).toContain('reconcileLedger');
  });

  it('what a model was shown stays as it is, byte for byte, and what came back stays with it', async () => {
    const session = converse([hideAll, pushRecall()], 'What did reconcileLedger do?');
    const before = (await session.view()).messages;
    session.append(assistant('It multiplies.', 'a4'));
    session.append(user('And the reconcileLedger export?', 'u4'));
    const after = (await session.view()).messages;
    expect(JSON.stringify(after.slice(0, before.length))).toBe(JSON.stringify(before));
    expect(after.at(-1)!.id).toBe('u4');
  });

  it('the same session brings back the same, and a stored one shows it again', async () => {
    const [one, other] = [1, 2].map(() => converse([hideAll, pushRecall()], 'What did reconcileLedger do?'));
    const [seen, again] = [await one!.view(), await other!.view()];
    expect(again.messages).toEqual(seen.messages);
  });

  it('it can be taken back, and does not come again by itself', async () => {
    const session = converse([hideAll, pushRecall()], 'What did reconcileLedger do?');
    await session.view();
    session.undo();
    const { messages } = await session.view();
    expect(messages.map(({ id }) => id)).not.toContain('palimpsest/e2');
  });
});

describe('how much comes back', () => {
  const long = Array.from({ length: 4_000 }, (_, i) => `reconcileLedger step ${i} of many`).join('\n');
  const ask = async (layers: readonly Layer[], window = 100_000): Promise<number> => {
    const session = createSession({ window, layers });
    session.append(user('read'));
    session.append(assistant([call('c1', 'read_file', { path: 'log.txt' })]));
    session.append(results([result('c1', long)]));
    for (const said of ['done', 'more', 'done', 'more']) session.append(said === 'more' ? user(said) : assistant(said));
    session.append(assistant('done'));
    session.append(user('What were the steps of reconcileLedger?', 'question'));
    const { messages } = await session.view();
    const at = messages.findIndex(({ id }) => id === 'question');
    return messages.slice(at + 1).reduce((sum, message) => sum + estimateMessage(message), 0);
  };

  it('is a thousand tokens at most, or less where less is asked for', async () => {
    const usual = await ask([hideAll, pushRecall()]);
    expect(usual).toBeGreaterThan(300);
    expect(usual).toBeLessThanOrEqual(1_000);
    const less = await ask([hideAll, pushRecall({ maxTokens: 200 })]);
    expect(less).toBeGreaterThan(50);
    expect(less).toBeLessThanOrEqual(200);
    expect(await ask([hideAll, pushRecall({ maxTokens: 50_000 })])).toBeLessThanOrEqual(1_000);
  });

  it('options that make no sense are refused', () => {
    expect(() => pushRecall({ maxTokens: -1 })).toThrow(/maxTokens/);
  });
});

describe('a layer that brings something back', () => {
  const bringing = (after: string, brings?: number): Layer => ({
    name: 'mine',
    decide: (look) => ({
      edits: [
        {
          type: 'insert',
          ref: look.ref(0),
          after,
          messages: [{ id: 'n', role: 'user', origin: 'palimpsest', parts: [{ type: 'text', text: 'more words' }] }],
        },
      ],
      ...(brings === undefined ? {} : { brings }),
    }),
  });

  it('may not make a view larger than it says, nor change what was shown', async () => {
    await expect(converse([bringing('u3')], 'hi').view()).rejects.toThrow(/tokens never grow/);
    expect((await converse([bringing('u3', 50)], 'hi').view()).messages).toHaveLength(8);
    const session = converse(
      [
        {
          ...bringing('u1', 50),
          decide: (look) => (look.fresh === 0 ? { edits: [] } : bringing('u1', 50).decide(look)),
        },
      ],
      'hi',
    );
    await session.view();
    session.append(assistant('hello'));
    session.append(user('again'));
    await expect(session.view()).rejects.toThrow(/behind what was shown/);
  });
});
