import { describe, expect, it } from 'vitest';
import {
  type CacheState,
  capResults,
  createSession,
  type Json,
  type Message,
  type NewMessage,
  stashLargeResults,
  supersedeReads,
  text,
  user,
} from '../../src/index.ts';
import {
  bodies,
  budgetOf,
  decided,
  editsOf,
  entriesOf,
  inChars,
  picture,
  pressedTo,
  roomy,
  round,
  walkWith,
} from '../support/walks.ts';

const file = 'line of code\n'.repeat(400);
const fate = (view: readonly Message[]): string =>
  bodies(view)
    .map((body) => (body.includes('superseded') ? 's' : body.includes('has not changed') ? 'u' : 'x'))
    .join('');

describe('supersede-reads: what newer results made worthless goes', () => {
  const layers = () => [supersedeReads({ batchTokens: 100 })];
  const pressed = { budget: { ...roomy, trigger: 10, target: 5 } };

  it('a file read again without change points at the earlier read; the earlier one stays', () => {
    const history = [
      user('go'),
      ...round('a', 'read', { path: 'a.ts' }, file),
      ...round('b', 'read', { path: 'a.ts' }, file),
    ];
    const [first, second] = bodies(walkWith(history, layers()).view);
    expect(first).toBe(file);
    expect(second).toContain('has not changed');
  });

  it('CC55: a long file read again points at the earlier read too, where both were capped alike', () => {
    const long = 'line of code\n'.repeat(4_000);
    const again = (first: string, second: string) => [
      user('go'),
      ...round('a', 'read', { path: 'a.ts' }, first),
      ...round('b', 'read', { path: 'a.ts' }, second),
    ];
    const capped = [capResults({ overChars: { read: 30_000 }, shows: 'head' }), ...layers()];
    expect(fate(walkWith(again(long, long), capped).view)).toBe('xu');
    // The part that both show is the same; the files are not.
    expect(fate(walkWith(again(long, `${long}new`), capped).view)).toBe('sx');
    // A preview of the earlier read shows less than the new one would.
    const stashed = [stashLargeResults({ overChars: 10_000 }), ...layers()];
    const first = walkWith(again(long, long).slice(0, 3), stashed);
    const later = walkWith(again(long, long), layers(), { ledger: first.ledger });
    expect(fate(later.view)).toBe('xx');
    // What was cut once is stale all the same, once the file is read whole or written.
    const written = [...again(long, long).slice(0, 3), ...round('w', 'write', { path: 'a.ts', content: 'x' }, 'ok')];
    expect(fate(walkWith(written, capped, pressed).view)).toBe('sx');
  });

  it('stale reads and repeated searches go, the newest stays; failed writes supersede nothing', () => {
    const history = [
      user('go'),
      ...round('a', 'read', { path: 'a.ts' }, file),
      ...round('b', 'read', { path: 'b.ts' }, `${file}b`),
      ...round('w', 'write', { path: 'a.ts', content: 'x' }, 'permission denied', true),
      ...round('e', 'edit', { path: 'b.ts', old_string: 'x', new_string: 'y' }, 'ok'),
      ...round('g', 'grep', { pattern: 'foo' }, file),
      ...round('h', 'grep', { pattern: 'foo' }, `${file}h`),
      ...round('p', 'read', { path: 'c.ts', offset: 1, limit: 50 }, file),
      ...round('q', 'read', { path: 'c.ts', offset: 51, limit: 50 }, `${file}q`),
    ];
    const [a, b, , , g, h, p, q] = bodies(walkWith(history, layers(), pressed).view);
    expect(a).toBe(file);
    expect(b).toContain('superseded');
    expect(g).toContain('superseded');
    expect(h).toBe(`${file}h`);
    expect([p, q]).toEqual([file, `${file}q`]);
  });

  it('works in batches: without pressure small gains leave the prefix alone', async () => {
    const session = createSession({ window: 200_000, layers: [supersedeReads()] });
    session.append(user('go'));
    let declared = 0;
    for (let i = 0; i < 120; i++) {
      for (const message of round(`r${i}`, 'read', { path: 'a.ts' }, `${file}${i}`)) session.append(message);
      if ((await session.view()).receipt?.declared) declared++;
    }
    expect(declared).toBeGreaterThan(0);
    expect(declared).toBeLessThan(8);
  });
});

describe('supersede-reads: a re-read without change', () => {
  const reads = (...texts: readonly string[]): readonly NewMessage[] => [
    user('go'),
    ...texts.flatMap((body, i) => round(`r${i}`, 'read', { path: 'src/a.ts' }, body)),
  ];
  const made = (history: readonly NewMessage[], told = {}) =>
    walkWith(history, [supersedeReads()], { ...inChars, ...told });

  it('names the file and its own reference, as it arrives and never later', () => {
    const once = made(reads(file, file));
    expect(bodies(once.view)[1]).toBe('[src/a.ts has not changed since it was last read above; recall e1]');
    expect(entriesOf(once)[0]).toMatchObject({ layer: 'supersede-reads', declared: false });
    expect(editsOf(made(reads(file, file), { ledger: decided({ seen: 5 }) }))).toEqual([]);
  });

  it('the nearest earlier read of the same call decides: it must say the same and still be in view', () => {
    expect(fate(made(reads(file, `${file}!`)).view)).toBe('xx');
    expect(fate(made(reads(file, `${file}!`, file)).view)).toBe('xxx');
    // The second points at the first, so the third does not point at the second.
    expect(fate(made(reads(file, file, file)).view)).toBe('xuu');
    const second = made(reads(file, file));
    expect(fate(made(reads(file, file, file), { ledger: second.ledger }).view)).toBe('xux');
    const other = [...reads(file), ...round('b', 'read', { path: 'src/b.ts' }, file)];
    expect(fate(made(other).view)).toBe('xx');
    const ranged = [...reads(file), ...round('b', 'read', { path: 'src/a.ts', offset: 3 }, file)];
    expect(fate(made(ranged).view)).toBe('xx');
    const renamed = [...reads(file), ...round('b', 'view', { path: 'src/a.ts' }, file)];
    expect(fate(made(renamed).view)).toBe('xx');
  });

  it('only reads: the same output of another tool may mean another thing', () => {
    const commands = [
      user('go'),
      ...round('a', 'bash', { command: 'cat a' }, file),
      ...round('b', 'bash', { command: 'cat a' }, file),
    ];
    expect(editsOf(made(commands))).toEqual([]);
  });

  it('failures, pictures and pins stay', () => {
    const failed = [...reads(file), ...round('b', 'read', { path: 'src/a.ts' }, file, true)];
    expect(editsOf(made(failed))).toEqual([]);
    const pictured = [
      user('go'),
      ...['a', 'b'].flatMap((id) => round(id, 'read', { path: 'a.png' }, [text(file), picture('a.png')])),
    ];
    expect(editsOf(made(pictured))).toEqual([]);
    expect(editsOf(made(reads(file, file), { ledger: decided({ pins: ['r-r1'] }) }))).toEqual([]);
    expect(editsOf(made(reads(file, file), { ledger: decided({ pins: ['r-r0'] }) }))).toHaveLength(1);
  });

  it('is looked for 200 messages back, or as many as stated', () => {
    const apart = (between: number, options = {}): string => {
      const talk = Array.from({ length: between }, (_, i) => user(`word ${i}`));
      const history = [...reads(file), ...talk, ...round('b', 'read', { path: 'src/a.ts' }, file)];
      return fate(walkWith(history, [supersedeReads(options)], inChars).view);
    };
    // The earlier result stands `between + 2` messages before the later one.
    expect(apart(198)).toBe('xu');
    expect(apart(199)).toBe('xx');
    expect(apart(3, { lookBack: 5 })).toBe('xu');
    expect(apart(4, { lookBack: 5 })).toBe('xx');
  });
});

describe('supersede-reads: stale results', () => {
  const tight = { ...inChars, budget: pressedTo(1) };
  const made = (history: readonly NewMessage[], told = {}) =>
    walkWith([user('go'), ...history], [supersedeReads()], { ...tight, ...told });
  const read = (id: string, input: Json = { path: 'a.ts' }, body = `${file}${id}`) => round(id, 'read', input, body);

  it('an older read goes when the file is read again whole, written or edited', () => {
    expect(fate(made([...read('1'), ...read('2')]).view)).toBe('sx');
    expect(fate(made([...read('1'), ...round('w', 'write', { path: 'a.ts', content: 'x' }, 'ok')]).view)).toBe('sx');
    const edit = round('e', 'edit', { path: 'a.ts', old_string: 'x', new_string: 'y' }, 'ok');
    expect(fate(made([...read('1'), ...edit]).view)).toBe('sx');
    expect(fate(made([...edit, ...read('1')]).view)).toBe('xx');
    expect(fate(made([...read('1'), ...read('2', { path: 'b.ts' })]).view)).toBe('xx');
    expect(bodies(made([...read('1'), ...read('2')]).view)[0]).toBe(
      '[older result for a.ts, superseded below; recall e1]',
    );
  });

  it('a read of a part goes when the same part or the whole is read again, not for another part', () => {
    const part = (offset: number): Json => ({ path: 'a.ts', offset, limit: 50 });
    expect(fate(made([...read('1', part(1)), ...read('2', part(1))]).view)).toBe('sx');
    expect(fate(made([...read('1', part(1)), ...read('2', part(51))]).view)).toBe('xx');
    expect(fate(made([...read('1', part(1)), ...read('2')]).view)).toBe('sx');
    expect(fate(made([...read('1'), ...read('2', part(1))]).view)).toBe('xx');
    expect(fate(made([...read('1', { path: 'a.ts', range: [1, 9] }), ...read('2')]).view)).toBe('sx');
    expect(fate(made([...read('1'), ...read('2', { path: 'a.ts', range: [1, 9] })]).view)).toBe('xx');
    // What is no bound of lines asks for the whole file.
    expect(fate(made([...read('1'), ...read('2', { path: 'a.ts', depth: 3 })]).view)).toBe('sx');
    expect(fate(made([...read('1'), ...read('2', { path: 'a.ts', line: 'all' })]).view)).toBe('sx');
  });

  it('the older of two identical searches goes; another pattern, another tool or a command does not', () => {
    const twice = (tool: string, one: Json, two: Json = one): string =>
      fate(made([...round('1', tool, one, `${file}1`), ...round('2', tool, two, `${file}2`)]).view);
    expect(twice('grep', { pattern: 'foo' })).toBe('sx');
    expect(twice('glob', { pattern: '*.ts' })).toBe('sx');
    expect(twice('web_search', { query: 'foo' })).toBe('sx');
    expect(twice('grep', { pattern: 'foo' }, { pattern: 'bar' })).toBe('xx');
    expect(twice('bash', { command: 'ls' })).toBe('xx');
    expect(twice('web_fetch', { url: 'http://a.test' })).toBe('xx');
    const search = made([
      ...round('1', 'grep', { pattern: 'foo' }, `${file}1`),
      ...round('2', 'grep', { pattern: 'foo' }, `${file}2`),
    ]);
    expect(bodies(search.view)[0]).toBe('[older result for an identical grep, superseded below; recall e1]');
  });

  it('a failed call supersedes nothing and is not superseded; neither does what was itself replaced', () => {
    const failing = round('2', 'read', { path: 'a.ts' }, `${file}2`, true);
    expect(fate(made([...read('1'), ...failing]).view)).toBe('xx');
    expect(fate(made([...failing, ...read('1')]).view)).toBe('xx');
    // The later read only points at the earlier: the earlier must stay.
    expect(fate(made([...read('1', undefined, file), ...read('2', undefined, file)]).view)).toBe('xu');
    const pointed = walkWith(
      [user('go'), ...read('1', undefined, file), ...read('2', undefined, file)],
      [supersedeReads()],
      inChars,
    );
    expect(
      fate(made([...read('1', undefined, file), ...read('2', undefined, file)], { ledger: pointed.ledger }).view),
    ).toBe('xu');
  });

  it('a write that was cleared still makes the reads before it stale', () => {
    const write = round('w', 'write', { path: 'a.ts', content: 'x' }, file);
    const history = [user('go'), ...read('1'), ...write];
    const clearing = {
      name: 'mine',
      decide: () => ({ edits: [{ type: 'replace', ref: 'e1', message: 'r-w', part: 0, excerpt: ['-'] } as const] }),
    };
    const { view } = walkWith(history, [clearing, supersedeReads()], tight);
    expect(bodies(view)[0]).toContain('superseded');
  });

  it('a read of several files goes only when all of them are renewed', () => {
    const both = round('1', 'read_many_files', { paths: ['a.ts', 'b.ts'] }, `${file}1`);
    expect(fate(made([...both, ...read('2')]).view)).toBe('xx');
    expect(fate(made([...both, ...read('2'), ...read('3', { path: 'b.ts' })]).view)).toBe('sxx');
  });

  it('pins and pictures stay', () => {
    expect(fate(made([...read('1'), ...read('2')], { ledger: decided({ pins: ['r-1'] }) }).view)).toBe('xx');
    const pictured = round('1', 'read', { path: 'a.ts' }, [text(file), picture('a.png')]);
    expect(editsOf(made([...pictured, ...read('2')]))).toEqual([]);
  });

  const cache = (state: CacheState['state'], cacheRead = 0.3): { cache: CacheState } => ({
    cache: { state, prices: { input: 3, output: 15, cacheRead, cacheWrite: 3.75 }, remainingCalls: 20 },
  });
  const stale = [...read('1'), ...read('2')];
  const quiet = (told: object, options = {}) =>
    walkWith([user('go'), ...stale], [supersedeReads(options)], { ...inChars, ...told });

  it('under pressure of tokens or bytes, on a cold cache, or when a batch is full and pays', () => {
    expect(fate(quiet({}).view)).toBe('xx');
    expect(fate(quiet({ budget: pressedTo(1) }).view)).toBe('sx');
    expect(fate(quiet({ budget: budgetOf({ limits: { bytes: 5_000 } }) }).view)).toBe('sx');
    expect(fate(quiet({ budget: budgetOf({ triggerMessages: 2, targetMessages: 1 }) }).view)).toBe('xx');
    expect(fate(quiet(cache('cold')).view)).toBe('sx');
    expect(fate(quiet(cache('warm'), { batchTokens: 5_000 }).view)).toBe('sx');
    // It is looked at only when the fresh messages carry the view over a multiple of the batch.
    expect(fate(quiet({ ...cache('warm'), ledger: decided({ seen: 5 }) }, { batchTokens: 5_000 }).view)).toBe('xx');
    // 5,149 tokens would go: a batch of more waits.
    expect(fate(quiet(cache('warm'), { batchTokens: 5_149 }).view)).toBe('sx');
    expect(fate(quiet(cache('warm'), { batchTokens: 5_150 }).view)).toBe('xx');
    expect(fate(quiet({ ...cache('warm'), budget: budgetOf({ effective: 50_000 }) }).view)).toBe('sx');
    expect(
      fate(quiet({ ...cache('warm'), budget: budgetOf({ effective: 50_000 }) }, { batchFraction: 0.2 }).view),
    ).toBe('xx');
    // What costs more than it will ever save waits too.
    expect(fate(quiet(cache('warm', 0.01), { batchTokens: 5_000 }).view)).toBe('xx');
  });

  it('says why the cached prefix was broken, and gives no reason for what arrives', () => {
    expect(entriesOf(quiet(cache('cold')))[0]!.reason).toBe('cold cache: 5149 tokens less to write');
    const repeat = walkWith(
      [user('go'), ...read('1', undefined, file), ...read('2', undefined, file)],
      [supersedeReads()],
      {
        ...inChars,
        ...cache('cold'),
      },
    );
    expect(entriesOf(repeat)[0]).not.toHaveProperty('reason');
  });
});
