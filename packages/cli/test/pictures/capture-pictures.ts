// Takes the pictures of docs/inspector.md from the sample session, in the Chromium of this machine:
//   npm run docs:inspector
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHROMIUM, openChromium, WITHOUT } from '@palimpsest/testing/chromium';
import pc from 'picocolors';
import type { Browser, Page } from 'playwright-core';
import { runProgram } from '../../src/program.ts';

const PICTURES = fileURLToPath(new URL('../../../../docs/pictures/', import.meta.url));
const RECORDING = fileURLToPath(new URL('../fixtures/workday.jsonl', import.meta.url));

interface Picture {
  readonly name: string;
  readonly width?: number;
  readonly height: number;
  readonly isDark?: true;
  /** Of the recording of a workday, not of the sample. */
  readonly isForeign?: true;
  /** What is pressed and clicked before it is taken. */
  readonly act: (page: Page) => Promise<void>;
}

const pickCompaction = async (page: Page): Promise<void> => {
  await page.getByText(/^the largest: /).click();
  await page.locator('.item').first().click();
  await page.waitForSelector('.opened .reader pre');
  // What was opened has come into sight; the picture is to show the strip, too.
  await page.waitForTimeout(200);
  await page.evaluate('scrollTo(0, 0)');
};

const PICTURED: readonly Picture[] = [
  { name: 'inspector-light', height: 1_180, act: pickCompaction },
  { name: 'inspector-dark', height: 1_180, isDark: true, act: pickCompaction },
  {
    name: 'lifelines-light',
    height: 1_000,
    async act(page) {
      await page.keyboard.press('/');
      await page.keyboard.type('never touch the migrations folder');
      await page.locator('.picker select').last().selectOption('user');
      await page.waitForTimeout(500);
      await page.locator('.life').first().click();
    },
  },
  {
    name: 'what-if-dark',
    height: 1_060,
    isDark: true,
    act: (page) => page.keyboard.press('5'),
  },
  { name: 'audit-light', height: 1_240, isForeign: true, act: (page) => page.keyboard.press('6') },
  { name: 'phone-light', width: 390, height: 1_240, act: async () => {} },
];

/** A command inside this process; what it prints is not wanted. */
async function command(cwd: string, ...words: readonly string[]): Promise<void> {
  const told: string[] = [];
  const code = await runProgram(words, {
    print: () => {},
    complain: (line) => void told.push(line),
    paint: pc.createColors(false),
    columns: 80,
    signal: new AbortController().signal,
    environment: {},
    cwd,
  });
  if (code !== 0) throw new Error(`palimpsest ${words.join(' ')} ended with ${code}: ${told.join('\n')}`);
}

async function take(
  browser: Browser,
  url: string,
  { name, width = 1_280, height, isDark, act }: Picture,
): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: isDark ? 'dark' : 'light' });
  await page.goto(url);
  await page.waitForSelector('.tabs');
  await act(page);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  await page.close();
}

// The name stands in what the model sees of a stashed result: another one gives other tokens, and other pictures.
const folder = join(tmpdir(), 'palimpsest-pictures');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
mkdirSync(PICTURES, { recursive: true });
try {
  if (CHROMIUM === undefined) throw new Error(WITHOUT);
  const out = join(folder, 'page.html');
  await command(folder, 'sample', '--keep', folder);
  const presets = ['--preset', 'default,claude-code,open-code,s08'];
  await command(folder, 'inspect', 'sample', '--dir', folder, '--window', '16000', ...presets, '--html', out);
  const browser = await openChromium();
  const foreign = join(folder, 'foreign.html');
  await command(folder, 'inspect', RECORDING, '--audit', '--html', foreign);
  for (const picture of PICTURED) await take(browser, `file://${picture.isForeign ? foreign : out}`, picture);
  await browser.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
