import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import {
  assistant,
  call,
  createSession,
  type NewMessage,
  reasoning,
  result,
  results,
  text,
  user,
  type View,
} from '@palimpsest/core';
import { fileStore, type Store, type StoredSession } from '@palimpsest/store';
import { describe, expect, it } from 'vitest';
import { newGround } from './new-ground.ts';

/** One turn of an agent that reads large files, with characters that encodings lose. */
const turn = (n: number): readonly NewMessage[] => [
  user(`Question ${n}: what does file ${n % 5} say? \u2028 日本 \ud83d`),
  assistant([
    reasoning('Let me see.', 'c2ln'),
    call(`a${n}`, 'read_file', { path: `/src/${n % 5}.ts` }),
    call(`b${n}`, 'bash', { command: `grep -rn ${n} .` }),
  ]),
  results([
    result(`a${n}`, `const line = ${n};\n`.repeat(50 + (n % 7) * 150)),
    result(`b${n}`, `match ${n} \u0000 \ud800\n`.repeat(20 + (n % 3) * 900)),
  ]),
  assistant([text(`File ${n % 5} says ${n}. `.repeat(10))]),
];

const settings = { window: 20_000 } as const;
const sessionOn = ({ records, journal, stash }: StoredSession) =>
  createSession({ ...settings, records, journal, ports: { stash } });

const stored = async <T>(store: Store, work: (session: ReturnType<typeof sessionOn>) => Promise<T>): Promise<T> => {
  const opened = await store.open('s');
  try {
    return await work(sessionOn(opened));
  } finally {
    await opened.journal.close();
  }
};

describe('a session resumed from disk', () => {
  it('shows the same view, byte for byte, after every turn, as one that never stopped', async () => {
    const [ground, other] = [newGround(), newGround()];
    const store = fileStore({ dir: ground, fsync: 'never' });
    const lasting = fileStore({ dir: other, fsync: 'never' });
    // A preview names the file that holds the rest, and each store has its own.
    const spell = ({ messages }: View): string => JSON.stringify(messages).replaceAll(ground, other);
    const open = await lasting.open('s');
    const unbroken = sessionOn(open);
    let compactions = 0;
    for (let n = 0; n < 40; n++) {
      for (const message of turn(n)) unbroken.append(message);
      const expected = await unbroken.view();
      if (expected.receipt !== undefined) compactions++;
      const shown = await stored(store, async (session) => {
        for (const message of turn(n)) session.append(message);
        return session.view();
      });
      const resumed = await stored(store, (session) => session.view());
      expect(spell(shown)).toBe(spell(expected));
      expect(spell(resumed)).toBe(spell(expected));
    }
    expect(compactions).toBeGreaterThan(3);
    await open.journal.close();
  });

  it('is undone to the exact view that an unstopped one has after undo', async () => {
    const store = fileStore({ dir: newGround(), fsync: 'never' });
    const before = await stored(store, async (session) => {
      for (let n = 0; n < 16; n++) for (const message of turn(n)) session.append(message);
      return session.view();
    });
    await stored(store, async (session) => {
      expect(await session.compact()).toBeDefined();
    });
    await stored(store, async (session) => {
      session.undo();
      await session.saved();
    });
    const after = await stored(store, (session) => session.view());
    expect(JSON.stringify(after.messages)).toBe(JSON.stringify(before.messages));
  });

  it('CC23: the file that a preview names holds the full text, for a model that has no recall', async () => {
    const store = fileStore({ dir: newGround(), fsync: 'never' });
    const whole = 'const line = 1;\n'.repeat(20_000);
    const { messages } = await stored(store, async (session) => {
      session.append(user('go'));
      session.append(assistant([call('c', 'read_file', { path: '/src/large.ts' })]));
      session.append(results([result('c', whole)]));
      return session.view();
    });
    const [, path] = /Full output saved to: (.+)/.exec(
      JSON.parse(JSON.stringify(messages[2]!.parts[0])).content[0].text,
    )!;
    expect(isAbsolute(path!)).toBe(true);
    expect(readFileSync(path!, 'utf8')).toBe(whole);
    const resumed = await stored(store, (session) => session.view());
    expect(resumed.messages).toEqual(messages);
  });

  it('finds every text that its view points to in the stash', async () => {
    const store = fileStore({ dir: newGround(), fsync: 'never' });
    await stored(store, async (session) => {
      for (let n = 0; n < 20; n++) {
        for (const message of turn(n)) session.append(message);
        await session.view();
      }
    });
    const { records, stash } = await store.read('s');
    const refs = records.flatMap((record) =>
      record.type === 'entry' && record.entry.type === 'edits'
        ? record.entry.edits.flatMap((edit) => (edit.type === 'replace' && edit.stash ? [edit.stash] : []))
        : [],
    );
    expect(refs.length).toBeGreaterThan(0);
    for (const ref of refs) expect(await stash.get(ref)).toMatch(/^(const line|match)/);
  });
});
