import { type Message, result } from '@palimpsest/core';
import { CHROMIUM, openChromium } from '@palimpsest/testing/chromium';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectForeign } from '../src/index.ts';
import { openIn, seekWords, servePage } from './drive-page.ts';
import { makeMessages, makeRecording, RULE } from './made-sessions.ts';

describe.skipIf(CHROMIUM === undefined)('a search in the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it('finds the rule, and its lifeline says when it left and by what', async () => {
    const recording = makeRecording(24, [25]);
    const url = await servePage({ inspector: async () => inspectForeign(recording, 'made') });
    const { page } = await openIn(browser, url);
    await seekWords(page, 'migrations folder');
    await expect.poll(() => page.locator('.life').count()).toBeLessThan(10);
    await page.locator('.life').first().click();
    const first = recording.messages.slice(0, 25).filter(({ role }) => role === 'assistant').length;
    await expect
      .poll(() => page.locator('.life-story .lead').textContent())
      .toContain(`left the view before call ${first + 1}`);
    await expect.poll(() => page.locator('.life-story .reader').textContent()).toContain(RULE);
    await page.getByRole('button', { name: 'The compaction that took it' }).click();
    await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toContain('Compaction');
  });

  it('by the name of a message opens that message', async () => {
    const url = await servePage({ inspector: async () => inspectForeign(makeRecording(24, [25]), 'made') });
    const { page } = await openIn(browser, url);
    await seekWords(page, '#4');
    await expect.poll(() => page.locator('.life-story .lead').textContent()).toContain('Message #4:');
  });

  /** A log of which views show all, or the beginning only. */
  const openLog = async (isWhole: boolean): Promise<{ readonly page: Page; readonly faults: readonly string[] }> => {
    const made = makeRecording(8, []);
    const log = Array.from({ length: 9_000 }, (_, i) => `09:00 GET /items/${i} 200 items`).join('\n');
    const messages = makeMessages(8).map(
      (message, i): Message => (i === 2 ? { ...message, parts: [result('c0', log)] } : message),
    );
    const recording = { ...made, messages, ...(isWhole && { viewAt: (at: number) => messages.slice(0, at) }) };
    return openIn(browser, await servePage({ inspector: async () => inspectForeign(recording, 'made') }));
  };

  it.each([
    ['was shown whole', true],
    ['was never shown', false],
  ])('marks what it found and brings it into sight, however far down it stands in what %s', async (_, isWhole) => {
    const { page, faults } = await openLog(isWhole);
    await seekWords(page, 'items/8765 200');
    await page.locator('.life', { hasText: 'items/8765' }).click();
    await expect.poll(() => page.locator('.reader mark').allTextContents()).toEqual(['items/8765 200']);
    await expect
      .poll(async () => {
        const [box, mark] = [await page.locator('.reader').boundingBox(), await page.locator('mark').boundingBox()];
        return box !== null && mark !== null && mark.y >= box.y && mark.y + mark.height <= box.y + box.height;
      })
      .toBe(true);
    expect(faults).toEqual([]);
  });
});
