import { describe, expect, it } from 'vitest';
import { capResults, createSession, partText, text, user } from '../../src/index.ts';
import { bodies, budgetOf, decided, editsOf, entriesOf, inChars, picture, round, walkWith } from '../support/walks.ts';

const xs = (n: number): string => 'x'.repeat(n);

describe('cap-results: a single long output is cut to head and tail as it arrives', () => {
  it('cuts shell output over 30,000 characters to head and tail with the total that went, as it arrives and never later', () => {
    const output = `HEAD\n${xs(40_000)}\nTAIL`;
    const history = [
      user('go'),
      ...round('a', 'bash', { command: 'x' }, output),
      ...round('b', 'read', { path: 'x' }, output),
    ];
    const { view, ledger } = walkWith(history, [capResults()]);
    const [shell, read] = bodies(view);
    expect(shell!.length).toBeLessThanOrEqual(30_100);
    expect(shell).toMatch(/^HEAD[\s\S]*characters cut; recall e1[\s\S]*TAIL$/);
    expect(read).toBe(output);
    const seen = walkWith(history, []).ledger;
    expect(bodies(walkWith(history, [capResults()], { ledger: seen }).view)[0]).toBe(output);
    expect(ledger.entries.some((entry) => entry.type === 'edits' && entry.declared)).toBe(false);
  });

  it('30,000 characters stay whole; one more, and 15,000 stay at each end', () => {
    const history = (n: number) => round('a', 'bash', { command: 'x' }, xs(n));
    expect(walkWith(history(30_000), [capResults()]).ledger.entries.some((entry) => entry.type === 'edits')).toBe(
      false,
    );
    const [cut] = bodies(walkWith(history(30_501), [capResults()]).view);
    expect(cut).toBe(`${xs(15_000)}\n[… 501 characters cut; recall e1 …]\n${xs(15_000)}`);
  });

  it('each kind of tool has its own length; kinds that are not named are left alone', () => {
    const history = [
      user('go'),
      ...round('a', 'bash', { command: 'x' }, xs(500)),
      ...round('b', 'read', { path: 'x' }, xs(500)),
      ...round('c', 'grep', { pattern: 'x' }, xs(500)),
    ];
    const lengths = bodies(walkWith(history, [capResults({ overChars: { read: 201, grep: 400 } })], inChars).view).map(
      (body) => ({
        head: /^x*/.exec(body)![0].length,
        tail: /x*$/.exec(body)![0].length,
      }),
    );
    expect(lengths).toEqual([
      { head: 500, tail: 500 },
      { head: 100, tail: 100 },
      { head: 200, tail: 200 },
    ]);
  });

  it('in a small window the share of the effective window counts, at four characters a token; the lesser of the two', () => {
    const history = (n: number) => round('a', 'bash', { command: 'x' }, xs(n));
    const small = { ...inChars, budget: budgetOf({ effective: 1_001 }) };
    const cut = (n: number, options: Parameters<typeof capResults>[0]): string =>
      bodies(walkWith(history(n), [capResults(options)], small).view)[0]!;
    // 1,001 × 0.15 × 4 = 600.6
    expect(cut(600, { fraction: 0.15 })).toBe(xs(600));
    expect(cut(700, { fraction: 0.15 })).toBe(`${xs(300)}\n[… 100 characters cut; recall e1 …]\n${xs(300)}`);
    expect(cut(700, { fraction: 0.15, overChars: { shell: 650 } })).toContain('100 characters cut');
    expect(cut(700, { fraction: 0.5, overChars: { shell: 400 } })).toContain('300 characters cut');
    expect(cut(4_004, {})).toBe(xs(4_004));
    expect(cut(4_105, {})).toContain('101 characters cut');
  });

  it('pictures, pins and what was already replaced are left alone', () => {
    const output = xs(1_000);
    const capped = capResults({ overChars: { shell: 500 } });
    const pinned = [user('go'), ...round('a', 'bash', { command: 'x' }, output)];
    expect(bodies(walkWith(pinned, [capped], { ledger: decided({ pins: ['r-a'] }) }).view)).toEqual([output]);
    const shown = [user('go'), ...round('a', 'bash', { command: 'x' }, [text(output), picture('shot.png')])];
    expect(editsOf(walkWith(shown, [capped]))).toEqual([]);
    const twice = walkWith(pinned, [capped, capResults({ overChars: { shell: 100 } })]);
    expect(editsOf(twice)).toHaveLength(1);
  });

  it('only what no model has seen yet is cut', () => {
    const output = xs(1_000);
    const history = ['a', 'b', 'c'].flatMap((id) => round(id, 'bash', { command: id }, output));
    const made = walkWith([user('go'), ...history], [capResults({ overChars: { shell: 500 } })], {
      ledger: decided({ seen: 3 }),
    });
    expect(bodies(made.view).map((body) => body === output)).toEqual([true, false, false]);
    expect(entriesOf(made)[0]).toMatchObject({ layer: 'cap-results', declared: false });
  });

  it('CC28 CC30: with `shows: head` the beginning stays, and the notice has the total and how much is shown', () => {
    const tools = ['Read', 'Grep', 'Bash', 'WebFetch', 'mcp__x__dump'];
    const history = [user('go'), ...tools.flatMap((tool) => round(tool, tool, { file_path: 'x' }, xs(45_000)))];
    const overChars = { read: 30_000, grep: 30_000, shell: 30_000, 'web-fetch': 30_000 };
    const shown = bodies(walkWith(history, [capResults({ overChars, shows: 'head' })]).view);
    expect(shown[0]).toBe(`${xs(30_000)}\n[truncated: 45000 characters in all, showing first 30000; recall e4]`);
    expect(shown.map((body) => body.includes('showing first 30000'))).toEqual([true, true, true, true, false]);
    // No pair is parted.
    const pairs = [user('go'), ...round('p', 'Bash', { command: 'x' }, '😀'.repeat(200))];
    const [cut] = bodies(walkWith(pairs, [capResults({ overChars: { shell: 11 }, shows: 'head' })], inChars).view);
    expect(cut).toMatch(/^😀{5}\n\[truncated: 400 characters in all, showing first 10;/u);
  });

  it('the receipt counts what went, by tool, and its reference brings it back', async () => {
    const session = createSession({ window: 100_000, layers: [capResults({ overChars: { shell: 500 } })] });
    for (const message of [user('go'), ...round('a', 'bash', { command: 'x' }, xs(1_000))]) session.append(message);
    const { receipt } = await session.view();
    expect(receipt).toMatchObject({
      declared: false,
      lines: [{ layer: 'cap-results', kind: 'result', tool: 'bash', count: 1, bytes: 1_000, refs: ['e1'] }],
    });
    expect(session.recall.read('e1').text).toBe(xs(1_000));
    expect(partText(session.transcript()[2]!.parts[0]!)).toBe(xs(1_000));
  });
});
