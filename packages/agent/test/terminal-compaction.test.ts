import { describe, expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import { idle, messagesIn, recordsIn, terminalIn, viewOnDisk } from './support/in-terminal.ts';
import { newFolder } from './support/launch.ts';
import { testProvider } from './support/provider.ts';
import { transcriptOf } from './support/transcript.ts';

const SUMMARY =
  '<summary>\n## Goal\n- a story of the mill, part by part\n## Now\n- the next part is to be told\n</summary>';
const WINDOW = 40_000;
/** In the other one no model is asked by itself. */
const LARGER_WINDOW = 60_000;

/** Tells parts of a long story; its summaries hang until they may come. */
async function storyTeller(chars: number, window = WINDOW) {
  let isSlow = true;
  const provider = await testProvider(({ isSummary, source }) => {
    const inputTokens = Math.ceil(source.length / 4);
    if (isSummary) return { text: SUMMARY, inputTokens, ...(isSlow ? { after: new Promise(() => {}) } : {}) };
    const asked = [...source.matchAll(/tell me part (\d+)/g)].at(-1)?.[1];
    return { text: `Part ${asked}.\n${'The mill grinds slowly, it grinds fine.\n'.repeat(chars / 40)}`, inputTokens };
  });
  return {
    provider,
    words: ['--base-url', provider.url, '--model', 'm', '--window', String(window)],
    hurry: () => {
      isSlow = false;
    },
  };
}

describe('Ctrl-C during a compaction by a slow summarizer', () => {
  it('that the user asked for changes nothing, and the next compaction succeeds', async () => {
    const { provider, words, hurry } = await storyTeller(4_000);
    const [root, home] = [newFolder(), newFolder()];
    const terminal = await terminalIn(root, words, { home });
    for (let n = 1; n <= 4; n++) {
      terminal.enter(`tell me part ${n}`);
      await terminal.until(`Part ${n}.`);
      await idle(terminal);
    }
    const before = await viewOnDisk(home, WINDOW);
    terminal.enter('/compact mind the mill');
    await terminal.until('Compacting…');
    await eventually(() =>
      provider.asked.some(({ isSummary, source }) => isSummary && source.includes('mind the mill')),
    );
    terminal.ctrl('c');
    await terminal.until('Compaction: stopped, nothing was changed.');
    await idle(terminal);
    expect(await viewOnDisk(home, WINDOW)).toEqual(before);
    hurry();
    terminal.enter('/compact');
    await terminal.until(/Compacted \(as you asked\): [\d,]+ → [\d,]+ tokens/);
    await idle(terminal);
    terminal.enter('tell me part 5');
    await terminal.until('Part 5.');
    await idle(terminal);
    await expect(transcriptOf(terminal.screen, { [root]: 'FOLDER' })).toMatchFileSnapshot(
      'golden/ctrl-c-compaction.txt',
    );
    expect(messagesIn(await recordsIn(home)).map(({ origin }) => origin)).toEqual(
      Array.from({ length: 5 }, () => ['human', 'model']).flat(),
    );
  });

  it('that began by itself in the middle of a turn stops the turn, and loses nothing', async () => {
    const { words, hurry } = await storyTeller(24_000, LARGER_WINDOW);
    const [root, home] = [newFolder(), newFolder()];
    const terminal = await terminalIn(root, words, { home });
    let asked = 0;
    do {
      terminal.enter(`tell me part ${++asked}`);
      await terminal.until((screen) => screen.all().includes(`Part ${asked}.`) || screen.all().includes('Compacting…'));
      if (!terminal.screen.all().includes('Compacting…')) await idle(terminal);
    } while (!terminal.screen.all().includes('Compacting…') && asked < 20);
    terminal.ctrl('c');
    await terminal.until('Interrupted; everything said and seen so far is kept.');
    await idle(terminal);
    hurry();
    terminal.enter(`tell me part ${asked + 1}`);
    await terminal.until(/Compacted \(automatic\): [\d,]+ → [\d,]+ tokens/);
    await terminal.until(`Part ${asked + 1}.`);
    await idle(terminal);
    const said = messagesIn(await recordsIn(home));
    expect(said.filter(({ origin }) => origin === 'human')).toHaveLength(asked + 1);
    expect(said.filter(({ origin }) => origin === 'model')).toHaveLength(asked);
    expect(said.filter(({ origin }) => origin === 'harness')).toHaveLength(1);
  });
});
