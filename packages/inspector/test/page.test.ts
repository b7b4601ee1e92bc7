import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { costOfUsage, estimateMessage, result } from '@palimpsest/core';
import { countPromptTokens, priceBill, replaySession } from '@palimpsest/measure';
import { CHROMIUM, openChromium, WITHOUT } from '@palimpsest/testing/chromium';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  auditRecording,
  EXAMPLE_PRICES,
  embedInspection,
  inspectForeign,
  judgeAudit,
  readPage,
  renderPage,
  writeMarkdown,
} from '../src/index.ts';
import { clickCall, openIn, seekWords, serveOwn, servePage } from './drive-page.ts';
import { liveSession, makeMessages, makeRecording, RULE, SECRET } from './made-sessions.ts';

if (CHROMIUM === undefined) console.warn(WITHOUT);

const { signal } = new AbortController();
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const read = (figure: string | null): number => Number((figure ?? '').replace(/[^\d.-]/g, ''));

describe.skipIf(CHROMIUM === undefined)('the page, in a real browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  const openPage = (url: string, width?: number) => openIn(browser, url, width);

  it('says of the recording what measure says: calls, compactions, money, tokens of a call', async () => {
    const recording = makeRecording(40, [41, 71]);
    const { page, faults } = await openPage(
      await servePage({ inspector: async () => inspectForeign(recording, 'made') }),
    );
    const outcomes = await replaySession(recording, { presets: ['default'], window: 16_000, signal });
    const own = outcomes.at(-1)!;
    const figures = await page.locator('.figures dd').allTextContents();
    expect(read(figures[0]!)).toBe(own.calls);
    expect(read(figures[1]!)).toBe(own.compactions);
    expect(read(figures[5]!)).toBeCloseTo(priceBill(own), 3);
    const at = recording.messages.flatMap(({ role }, place) => (role === 'assistant' ? [place] : []));
    await clickCall(page, 5, own.calls);
    await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toContain('Call');
    await expect.poll(async () => read(await page.locator('input[type=number]').inputValue())).toBe(6);
    const tokens = sum(recording.viewAt(at[5]!).map(estimateMessage));
    await expect.poll(async () => read(await page.locator('.lead b').first().textContent())).toBe(tokens);
    expect(faults).toEqual([]);
  });

  it('a click on a cliff shows what went, and reads it in place', async () => {
    const recording = makeRecording(24, [25]);
    const { page, faults } = await openPage(
      await servePage({ inspector: async () => inspectForeign(recording, 'made') }),
    );
    const calls = recording.messages.filter(({ role }) => role === 'assistant').length;
    const first = recording.messages.slice(0, 25).filter(({ role }) => role === 'assistant').length;
    await clickCall(page, first, calls);
    await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toContain('Compaction');
    const before = sum(recording.viewBefore(0).map(estimateMessage));
    const after = sum(recording.viewAfter(0).map(estimateMessage));
    await expect.poll(async () => (await page.locator('.lead b').allTextContents()).map(read)).toEqual([before, after]);
    await page.locator('.item').first().click();
    await expect.poll(() => page.locator('.reader pre').first().textContent()).toContain('export const rate');
    expect(faults).toEqual([]);
  });

  it('a summary marks what nothing proves, and opens the place that proves the rest', async () => {
    const { page } = await openPage(
      await servePage({ inspector: async () => inspectForeign(makeRecording(24, [25]), 'made') }),
    );
    await page.getByRole('tab', { name: 'Summary' }).click();
    await page.waitForSelector('.statements li');
    await expect.poll(() => page.locator('.panel .lead').textContent()).toContain('rate1_0_never_said');
    await page.locator('.statements li button').first().click();
    await expect.poll(() => page.locator('.beside .reader pre').textContent()).not.toBe('');
  });

  it('what if: a preset is reckoned by the server, beside the recording, as replay reckons it', async () => {
    const recording = makeRecording(40, [41]);
    const { page, faults } = await openPage(
      await servePage({ inspector: async () => inspectForeign(recording, 'made') }),
    );
    await page.getByRole('tab', { name: 'What if' }).click();
    await page.locator('#preset').selectOption('s08');
    await page.getByLabel('Window').fill('16000');
    await page.getByRole('button', { name: 'Reckon' }).click();
    await page.waitForSelector('.outcomes tbody tr:nth-child(2)');
    const [ours, own] = await replaySession(recording, { presets: ['s08'], window: 16_000, signal });
    const rows = await page.locator('.outcomes tbody tr').allInnerTexts();
    for (const [i, outcome] of [own!, ours!].entries()) {
      const [, , money, , tokens] = rows[i]!.split('\t');
      expect(read(money!)).toBeCloseTo(priceBill(outcome), 3);
      expect(tokens).toBe(`${(countPromptTokens(outcome) / 1_000).toFixed(0)}k`);
    }
    expect(faults).toEqual([]);
  });

  it('the audit begins with its verdict, is that of the command line, leads to the compaction, and is saved as Markdown', async () => {
    const recording = makeRecording(40, [41]);
    const { page, faults } = await openPage(
      await servePage({ inspector: async () => inspectForeign(recording, 'made') }),
    );
    await page.getByRole('tab', { name: 'Audit' }).click();
    const report = await auditRecording(recording, { signal });
    const { sentence, because } = judgeAudit(report);
    await expect.poll(() => page.locator('.verdict').allTextContents()).toEqual([sentence]);
    await expect.poll(() => page.locator('.because li').allTextContents()).toEqual(because);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as Markdown' }).click(),
    ]);
    expect(readFileSync((await download.path())!, 'utf8')).toBe(writeMarkdown('made', report));
    await page.locator('.audited').getByRole('button', { name: 'look' }).first().click();
    await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toContain('Compaction');
    expect(faults).toEqual([]);
  });

  it('saved as one file it opens from disk, offline, with the same numbers, and searches', async () => {
    const recording = makeRecording(24, [25]);
    const { page } = await openPage(await servePage({ inspector: async () => inspectForeign(recording, 'made') }));
    const figures = await page.locator('.figures dd').allTextContents();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save as one file' }).click(),
    ]);
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-page-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'page.html');
    writeFileSync(file, readFileSync((await download.path())!));
    const { page: saved, faults } = await openPage(`file://${file}`);
    await expect.poll(() => saved.locator('.figures dd').allTextContents()).toEqual(figures);
    await seekWords(saved, 'migrations folder');
    await expect.poll(() => saved.locator('.life').count()).toBeLessThan(10);
    await saved.locator('.life').first().click();
    await expect.poll(() => saved.locator('.life-story .reader').textContent()).toContain(RULE);
    expect(faults).toEqual([]);
  });

  it('what is hostile is text: nothing runs, and no secret is there', async () => {
    const evil = `</script><script>globalThis.hacked = 1</script><img src=x onerror="globalThis.hacked = 1"> \u202Egnp.exe ${SECRET} ${'x'.repeat(1_000_000)}`;
    const messages = makeMessages(3).map((message, i) =>
      i === 0 ? { ...message, parts: [{ type: 'text' as const, text: evil }] } : message,
    );
    const viewAt = (at: number) => messages.slice(0, at);
    const inspector = inspectForeign({ ...makeRecording(3, []), messages, viewAt }, evil.slice(0, 80));
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-page-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'page.html');
    writeFileSync(
      file,
      renderPage(await readPage(), { title: evil.slice(0, 80), embedded: embedInspection(inspector, []) }),
    );
    const { page, faults } = await openPage(`file://${file}`);
    await page.getByRole('tab', { name: 'Lifelines' }).click();
    await page.locator('.life').first().click();
    await page.waitForSelector('.reader pre');
    await expect
      .poll(() => page.locator('.reader pre').textContent())
      .toContain('<script>globalThis.hacked = 1</script>');
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
    await expect.poll(() => page.locator('img').count()).toBe(0);
    expect(await page.content()).not.toContain(SECRET);
    expect(faults).toEqual([]);
  });

  it('fits a phone: nothing is wider than 390 pixels, and every chart has a table', async () => {
    const { page } = await openPage(
      await servePage({ inspector: async () => inspectForeign(makeRecording(24, [25]), 'made') }),
      390,
    );
    for (const tab of ['1', '2', '3', '4', '5', '6']) {
      await page.keyboard.press(tab);
      expect(
        await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth),
      ).toBeLessThanOrEqual(390);
    }
    const charts = await page
      .locator('[role=img]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    expect(charts.every((label) => (label ?? '').length > 10)).toBe(true);
    await page.getByText('The numbers of every call, as a table').click();
    const calls = read(await page.locator('.figures dd').first().textContent());
    await expect.poll(() => page.locator('.twin tbody tr').count()).toBe(calls);
  });

  it('fits a phone also where a compaction was taken back, and says so in its list', async () => {
    const { session, records } = await liveSession(60);
    const { url } = await serveOwn(session, records);
    session.undo();
    await session.saved();
    const { page } = await openPage(url, 390);
    await page.keyboard.press('2');
    await page.locator('.picker select').first().waitFor();
    await expect
      .poll(() => page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth))
      .toBeLessThanOrEqual(390);
  });

  it('loaded anew shows the panel, the call and the message that it showed', async () => {
    const { page, faults } = await openPage(
      await servePage({ inspector: async () => inspectForeign(makeRecording(40, [25, 41]), 'made') }),
    );
    await page.getByRole('tab', { name: 'Lifelines' }).click();
    await page.locator('.life').nth(3).click();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('3');
    // The address follows what is shown a little later: the call before the last is what it comes to.
    await expect.poll(() => page.url()).toMatch(/#panel=lifelines&call=44&compaction=2&message=4$/);
    await page.reload();
    await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toContain('Lifelines');
    await expect.poll(() => page.locator('.life-story .lead').textContent()).toContain('Message #4:');
    await page.keyboard.press('1');
    await expect.poll(() => page.locator('input[type=number]').inputValue()).toBe('44');
    expect(faults).toEqual([]);
  });

  it('says what a recording does not hold, and what the provider reported beside what is reckoned', async () => {
    const made = makeRecording(24, [25]);
    const usage = made.messages.flatMap(({ role }, after) =>
      role === 'assistant' ? [{ after, usage: { input: 1_000, cacheRead: 40_000, output: 500 } }] : [],
    );
    const compactions = made.compactions.map(({ summary: _, ...one }) => ({ ...one, unread: 'unrecorded' as const }));
    const { page } = await openPage(
      await servePage({ inspector: async () => inspectForeign({ ...made, usage, compactions }, 'made') }),
    );
    await expect.poll(() => page.locator('.lead').first().textContent()).toContain('the recording does not hold it');
    await page.keyboard.press('4');
    await expect.poll(() => page.locator('#panel').textContent()).toContain('a summary was made, and the recording');
    await expect.poll(() => page.locator('.readout').textContent()).toContain('tool definitions not recorded');
    const money = usage.reduce((all, one) => all + costOfUsage(one.usage, EXAMPLE_PRICES), 0);
    await expect.poll(async () => read(await page.locator('.reported b').textContent())).toBeCloseTo(money, 2);
  });

  it('lists what a call saw with what was made, and the rows come to the total', async () => {
    const { session, records } = await liveSession(24);
    const { url } = await serveOwn(session, records);
    const { page, faults } = await openPage(url);
    await page.keyboard.press('1');
    await page.waitForSelector('.item');
    // Only what is in sight is in the document: the list is gone through from its beginning to its end.
    const rows = new Map<string, number>();
    const total = Number(await page.locator('.rows li').first().getAttribute('aria-setsize'));
    await expect
      .poll(async () => {
        for (const row of await page.locator('.rows li').all())
          rows.set(
            (await row.getAttribute('aria-posinset')) ?? '',
            read(await row.locator('.figure').last().textContent()),
          );
        await page.locator('.rows').evaluate((list) => list.scrollBy(0, list.clientHeight));
        return rows.size;
      })
      .toBe(total);
    expect(sum([...rows.values()])).toBe(read(await page.locator('.lead b').first().textContent()));
    await page.locator('.rows').evaluate((list) => list.scrollTo(0, 0));
    await page.locator('.item', { hasText: 'summaries and notices' }).first().click();
    await expect.poll(() => page.locator('.opened .reader pre').textContent()).toContain('earlier messages');
    expect(faults).toEqual([]);
  });

  it('shows of an excerpt what the model saw, and the whole by a click', async () => {
    const log = Array.from({ length: 700 }, (_, i) => `09:00 GET /items/${i} 200`).join('\n');
    const messages = makeMessages(8).map((message, i) =>
      i === 2 ? { ...message, parts: [result('c0', log)] } : message,
    );
    const inspector = inspectForeign({ ...makeRecording(8, []), messages }, 'made');
    const course = await inspector.imagine('default', 16_000, signal);
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-page-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'page.html');
    writeFileSync(
      file,
      renderPage(await readPage(), { title: 'made', embedded: embedInspection(inspector, [course]) }),
    );
    const { page } = await openPage(`file://${file}`);
    await page.locator('#course').selectOption(course.name);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Lifelines' }).click();
    await page.locator('.life').nth(2).click();
    await expect.poll(() => page.locator('.life-story .lead').textContent()).toContain('the rest was never shown');
    await expect.poll(() => page.locator('.reader pre').textContent()).toContain('<stashed-result');
    await expect.poll(() => page.locator('.reader pre').textContent()).not.toContain('/items/350 ');
    await page.getByRole('button', { name: 'the whole of it' }).click();
    await expect.poll(() => page.locator('.reader pre').textContent()).not.toContain('<stashed-result');
  });

  it('at 1280 by 900 the panel begins above the fold, and what is opened comes into sight', async () => {
    const { page } = await openPage(
      await servePage({ inspector: async () => inspectForeign(makeRecording(40, [41]), 'made') }),
    );
    const { y = 900 } = (await page.locator('#panel').boundingBox()) ?? {};
    expect(y).toBeLessThan(640);
    await page.locator('.item').first().click();
    await page.waitForSelector('.opened .reader pre');
    await expect
      .poll(async () => {
        const box = await page.locator('.opened').boundingBox();
        return box !== null && box.y + Math.min(box.height, 880) <= 901;
      })
      .toBe(true);
  });

  it('marks of compactions can be clicked, the largest is named, a summary is the one of the call, and / seeks anew', async () => {
    const recording = makeRecording(60, [31, 61, 91]);
    const { page, faults } = await openPage(
      await servePage({ inspector: async () => inspectForeign(recording, 'made') }),
    );
    const calls = recording.messages.filter(({ role }) => role === 'assistant').length;
    const callAt = (at: number) => recording.messages.slice(0, at).filter(({ role }) => role === 'assistant').length;
    const box = (await page.locator('.plot').first().locator('.u-over').boundingBox())!;
    await page.mouse.click(box.x + (callAt(31) / calls) * box.width - 2, box.y - 5);
    await expect.poll(() => page.locator('.lead').first().textContent()).toContain(`Before call ${callAt(31) + 1} `);
    const freed = [0, 1, 2].map(
      (place) =>
        sum(recording.viewBefore(place).map(estimateMessage)) - sum(recording.viewAfter(place).map(estimateMessage)),
    );
    await page.getByText(/^the largest: /).click();
    const largest = freed.indexOf(Math.max(...freed));
    await expect.poll(() => page.locator('.picker select').first().inputValue()).toBe(String(largest));
    await clickCall(page, callAt(61) - 3, calls);
    await page.keyboard.press('4');
    await expect
      .poll(() => page.locator('.picker select').first().locator('option:checked').textContent())
      .toBe(String(callAt(31) + 1));
    await page.locator('.picker select').first().focus();
    await seekWords(page, 'migrations');
    await page.locator('h1').first().click();
    await seekWords(page, 'rounding');
    await expect.poll(() => page.locator('#search').inputValue()).toBe('rounding');
    expect(faults).toEqual([]);
  });

  it('goes by the keyboard: calls, compactions, panels', async () => {
    const { page } = await openPage(
      await servePage({ inspector: async () => inspectForeign(makeRecording(40, [25, 41]), 'made') }),
    );
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toContain('Call');
    const last = read(await page.locator('.figures dd').first().textContent());
    await expect.poll(async () => read(await page.locator('input[type=number]').inputValue())).toBe(last - 1);
    await page.keyboard.press('[');
    await expect.poll(() => page.locator('.picker select').first().inputValue()).toBe('0');
    await page.keyboard.press(']');
    await expect.poll(() => page.locator('.picker select').first().inputValue()).toBe('1');
    await page.keyboard.press('1');
    await page.getByRole('checkbox').click();
    await page.keyboard.press('2');
    await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toContain('Compaction');
  });
});
