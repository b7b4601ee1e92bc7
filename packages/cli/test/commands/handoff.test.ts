import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSession, estimateText, user } from '@palimpsest/core';
import { fileStore } from '@palimpsest/store';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../run-palimpsest.ts';
import { copyOf, FIXTURES, workdayFile } from './fixtures.ts';
import { hear } from './recording-terminal.ts';
import { RULE } from './workday.ts';

describe('handoff', () => {
  it.each(FIXTURES)('%s: the opening message of a fresh session, and nothing is written', async (name) => {
    const file = copyOf(name);
    const { code, out, err } = await hear(['handoff', file], { cwd: dirname(file) });
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^This session takes up the work of an earlier one/);
    expect(out).toContain(`palimpsest recall ${file} WORDS`);
    expect(readdirSync(dirname(file))).toHaveLength(1);
    expect((await hear(['handoff', file], { cwd: dirname(file) })).out).toBe(out);
  });

  it('quotes what the user wrote, and keeps to what the window of the next model leaves it', async () => {
    const file = workdayFile();
    const { out } = await hear(['handoff', file, '--window', '16000'], { cwd: dirname(file) });
    expect(out).toContain(RULE);
    expect(estimateText(out)).toBeLessThanOrEqual(800);
    const data = JSON.parse(
      (await hear(['handoff', file, '--json', '--max-tokens', '300'], { cwd: dirname(file) })).out,
    );
    expect(data).toMatchObject({ messages: 39 });
    expect(data.tokens).toBeLessThanOrEqual(300);
  });

  it('goes into a file of the user’s own, never over another without --force, never over the session', async () => {
    const file = workdayFile();
    const cwd = newFolder();
    const out = join(cwd, 'opening.md');
    const first = await hear(['handoff', file, '--out', out], { cwd });
    expect(first.out).toMatch(/^Written .*opening\.md: 39 messages in about [\d,]+ tokens\./);
    expect(readFileSync(out, 'utf8')).toContain(RULE);
    expect(statSync(out).mode & 0o077).toBe(0);
    expect((await hear(['handoff', file, '--out', out], { cwd })).code).toBe(2);
    expect((await hear(['handoff', file, '--out', out, '--force'], { cwd })).code).toBe(0);
    expect((await hear(['handoff', file, '--out', file, '--force'], { cwd })).code).toBe(2);
  });

  it('of a session of ours is made by its id', async () => {
    const dir = newFolder();
    const { journal } = await fileStore({ dir, fsync: 'never' }).open('20260302-0900-abc');
    const session = createSession({ window: 6_000, journal });
    session.append(user('Grind the corn, and never open the sluice.'));
    await session.saved();
    await journal.close();
    const { out } = await hear(['handoff', '20260302', '--dir', dir]);
    expect(out).toContain('never open the sluice');
    expect((await hear(['handoff', 'nobody', '--dir', dir])).code).toBe(2);
  });
});
