import { assistant, call, createSession, type Preview, presets, result, results, user } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { paintFor } from '../src/paint.ts';
import { previewLines } from '../src/preview-lines.ts';
import { textWidth } from '../src/text-width.ts';

const paint = paintFor({}, false);

/** What a compaction of so many rounds of reading would do. */
async function previewOf(rounds: number): Promise<Preview> {
  const session = createSession({ window: 8_000, layers: presets.lean() });
  session.append(user('Find the slow query.'));
  for (let i = 0; i < rounds; i++) {
    session.append(assistant([call(`c${i}`, 'read_file', { path: `src/${i}.ts` })]));
    session.append(results([result(`c${i}`, `line of ${i}: const limit${i} = ${i * 7};\n`.repeat(60))]));
  }
  return session.preview();
}

describe('a preview', () => {
  it('says by layer what would go and what stays, names the largest things, and what it saves', async () => {
    const lines = previewLines(await previewOf(6), { paint, columns: 80 });
    expect(lines[0]).toMatch(/^◇ A compaction now: [\d,]+ → [\d,]+ tokens \(\d+ % less\)$/);
    expect(lines.join('\n')).toMatch(/summarize-history +−[\d,]+ {2}\d+ messages · a summary of them stays/);
    expect(lines.join('\n')).toMatch(/^ {2}e\d+ +[\d,]+ {2}result of read_file src\/\d\.ts \(m\d+\)$/m);
    expect(lines.join('\n')).toMatch(/Saves [\d,]+ tokens a call, \$0\.\d+ while they are cached; costs \$0\.\d+ once/);
  });

  it('fits on a screen, however much would go; all of it is shown where that is asked for', async () => {
    const preview = await previewOf(60);
    const look = { paint, columns: 80 };
    expect(previewLines(preview, look).length).toBeLessThanOrEqual(24);
    expect(previewLines(preview, look).join('\n')).toMatch(/… and \d+ more/);
    for (const line of previewLines(preview, look)) expect(textWidth(line)).toBeLessThanOrEqual(80);
    const all = previewLines(preview, { ...look, all: true }).join('\n');
    for (const { ref, kind } of preview.items) if (kind !== 'attachment') expect(all).toContain(`  ${ref} `);
  });

  it('says who will be asked, and that nothing is to gain where nothing is', async () => {
    const preview = await previewOf(6);
    const asks = ['summary', 'hooks', 'stash'] as const;
    expect(previewLines({ ...preview, asks }, { paint, columns: 120 }).slice(-3)).toEqual([
      'A model will be asked for the summary; its words and size are not known before.',
      'Hooks will be heard; what they say is not known before.',
      'Large outputs will be saved first; what then stays of them is not known before.',
    ]);
    const { receipt: _, ...none } = preview;
    expect(previewLines(none, { paint, columns: 80 })).toHaveLength(1);
  });

  it('costs nothing on a cold cache, and says so where it is never paid back', async () => {
    const preview = await previewOf(6);
    const tell = (money: Partial<Preview['money']>): string =>
      previewLines({ ...preview, money: { ...preview.money, ...money } }, { paint, columns: 200 }).at(-1)!;
    expect(tell({ costNow: 0 })).toContain('costs nothing, since the cache has gone cold.');
    expect(tell({ callsToPayBack: Infinity })).toContain('never paid back');
  });
});
