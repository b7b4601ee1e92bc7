import type { JournalRecord, Session } from '@palimpsest/core';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { inspectOwn, type Served, serveInspection } from '../src/index.ts';

/** Nothing may fail in a page, and nothing may be asked of another host. */
const watchPage = (page: Page): readonly string[] => {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
  page.on('response', (answer) => void (answer.status() >= 400 && faults.push(`${answer.status()} ${answer.url()}`)));
  page.on('request', (request) => {
    if (!/^(?:file:|data:|blob:|http:\/\/127\.0\.0\.1:)/.test(request.url())) faults.push(`asked ${request.url()}`);
  });
  return faults;
};

/** A page that is closed with the test, once its panels are there. */
export const openIn = async (
  browser: Browser,
  url: string,
  width = 1_280,
): Promise<{ readonly page: Page; readonly faults: readonly string[] }> => {
  const page = await browser.newPage({ viewport: { width, height: 900 }, acceptDownloads: true });
  onTestFinished(() => page.close());
  const faults = watchPage(page);
  await page.goto(url);
  await page.waitForSelector('.tabs');
  return { page, faults };
};

/** The address of a page that is served until the test ends. */
export const servePage = async (served: Served): Promise<string> => {
  const serving = await serveInspection(served);
  onTestFinished(() => serving.close());
  return serving.url;
};

/** A session of ours as it is served while it runs, and how its page learns of a change. */
export const serveOwn = async (
  session: Session,
  records: readonly JournalRecord[],
  recallBy = '',
): Promise<{ readonly url: string; readonly tell: () => void }> => {
  let tell = (): void => {};
  const url = await servePage({
    inspector: async () => inspectOwn([...records], { title: 'live', window: 12_000, ...(recallBy && { recallBy }) }),
    async undo(walk) {
      session.undo(walk);
      await session.saved();
    },
    async pin(id, isPinned) {
      if (isPinned) session.pin(id);
      else session.unpin(id);
      await session.saved();
    },
    watch(onChange) {
      tell = onChange;
    },
  });
  return { url, tell: () => tell() };
};

/** Clicks a call in the strip, nearer to the next one. */
export const clickCall = async (page: Page, call: number, calls: number): Promise<void> => {
  const over = page.locator('.plot').first().locator('.u-over');
  const { width = 0, height = 0 } = (await over.boundingBox()) ?? {};
  await over.click({ position: { x: ((call + 0.8) / calls) * width, y: height / 2 } });
};

/** Types into the search field as soon as the key has brought it. */
export const seekWords = async (page: Page, words: string): Promise<void> => {
  await page.keyboard.press('/');
  await page.waitForSelector('#search:focus');
  await page.keyboard.type(words);
};
