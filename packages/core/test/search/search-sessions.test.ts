import { describe, expect, it } from 'vitest';
import { assistant, createSession, type Session, searchSessions, user } from '../../src/index.ts';

function open(name: string, ...said: readonly string[]): Session {
  const session = createSession({ window: 1_000_000, layers: [] });
  for (const [n, words] of said.entries()) {
    session.append(user(words, `${name}${n}`));
    session.append(assistant('Noted.', `${name}${n}a`));
  }
  return session;
}

const idsOf = (sessions: readonly Session[], query: string, options?: Parameters<typeof searchSessions>[2]) =>
  searchSessions(sessions, query, options).map(({ message }) => message.id);

const many = (count: number, write: (n: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, n) => write(n));

describe('a search of several sessions', () => {
  it('has one order: what answers best is first, whichever session it stands in', () => {
    const weak = many(50, (n) => `w${n}`).map((name) => open(name, 'the key of the door hangs by the deploy list'));
    const strong = open('strong', 'the deploy key of heron is 58-4471');
    expect(idsOf([...weak, strong], 'deploy key of heron', 3)[0]).toBe('strong0');
  });

  it('weighs words by all of them: one that is rare in its own session alone tells little', () => {
    const birds = open('birds', ...many(20, (n) => `heron ${n} flew by`), 'a ledger lay there');
    const ledgers = open('ledgers', ...many(200, (n) => `the ledger of week ${n} was closed`));
    // By itself it takes its one ledger for something rare.
    expect(idsOf([birds], 'ledger heron')[0]).toBe('birds20');
    expect(idsOf([birds, ledgers], 'ledger heron')[0]).toBe('birds19');
  });

  it('tells once what several of them have, and pages without a gap or a double', () => {
    const said = many(12, (n) => `the port of service ${n} is ${8_000 + n}`);
    const [one, fork] = [open('m', ...said), open('m', ...said.slice(0, 6), 'the port of the fork is 9000')];
    const all = searchSessions([one, fork], 'port of service', 100).map(({ text }) => text);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(12);
    const pages = many(5, String).flatMap((page) =>
      searchSessions([one, fork], 'port of service', { limit: 3, offset: 3 * Number(page) }),
    );
    expect(pages.map(({ text }) => text)).toEqual(all);
  });

  it('of one session is that session’s own', () => {
    const session = open('m', ...many(30, (n) => `the port of service ${n % 7} is ${8_000 + n}`));
    for (const query of ['port of service 3', '8004', 'rvice', ''])
      expect(searchSessions([session], query, 8)).toEqual(session.recall.search(query, 8));
  });

  it('looks for signs and parts of names to the letter only where no words of any of them answer', () => {
    const [one, other] = [open('a', 'getUserName is called'), open('b', 'see UserNa')];
    expect(idsOf([one, other], 'serNam')).toEqual(['a0']);
  });

  it('refuses what is no session of this library', () => {
    const like = { ...open('a', 'x') };
    expect(() => searchSessions([like], 'x')).toThrow(/searchSessions/);
  });
});
