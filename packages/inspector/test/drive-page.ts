import type { Page } from 'playwright-core';

/** Nothing may fail in a page, and nothing may be asked of another host. */
export const watchPage = (page: Page): readonly string[] => {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
  page.on('response', (answer) => void (answer.status() >= 400 && faults.push(`${answer.status()} ${answer.url()}`)));
  page.on('request', (request) => {
    if (!/^(?:file:|data:|blob:|http:\/\/127\.0\.0\.1:)/.test(request.url())) faults.push(`asked ${request.url()}`);
  });
  return faults;
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
