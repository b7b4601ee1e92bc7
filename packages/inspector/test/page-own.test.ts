import { CHROMIUM, openChromium } from '@palimpsest/testing/chromium';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectOwn, STATES } from '../src/index.ts';
import { findReach } from '../src/model/reckon.ts';
import { openIn, seekWords, serveOwn } from './drive-page.ts';
import { liveSession } from './made-sessions.ts';

const read = (figure: string | null): number => Number((figure ?? '').replace(/[^\d.-]/g, ''));

describe.skipIf(CHROMIUM === undefined)('the page of a session of ours', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  const openPage = (url: string) => openIn(browser, url);

  it('undo takes the newest compaction of a session of ours back, and pin pins', async () => {
    const { session, records } = await liveSession(24);
    const { url } = await serveOwn(session, records);
    const { page, faults } = await openPage(url);
    const standing = session.receipts().length;
    const last = session.receipts().at(-1)!.walk;
    const places = await page.locator('.picker select').first().locator('option').count();
    await page
      .locator('.picker select')
      .first()
      .selectOption(String(places - 1));
    await page.getByRole('button', { name: 'Take it back' }).click();
    await page.getByText('The next view shows all of it again').waitFor();
    expect(session.receipts()).toHaveLength(standing - 1);
    expect(session.receipts().some(({ walk }) => walk === last)).toBe(false);
    await page.locator('.item').first().click();
    await page.getByRole('button', { name: 'pin', exact: true }).first().click();
    await page.getByRole('button', { name: 'unpin', exact: true }).first().waitFor();
    expect(inspectOwn(records, { title: '', window: 12_000 }).inspection.pinned).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('two tabs and a double click take back one compaction: the later one is told, and shown how it stands', async () => {
    const { session, records } = await liveSession(60);
    const { url } = await serveOwn(session, records);
    const standing = session.receipts().length;
    expect(standing).toBeGreaterThan(1);
    const last = session.receipts().at(-1)!.walk;
    const pages = [await openPage(url), await openPage(url)];
    for (const { page } of pages) {
      const picker = page.locator('.picker select').first();
      await picker.selectOption(String((await picker.locator('option').count()) - 1));
      await page.locator('.undo').waitFor();
    }
    await pages[0]!.page.locator('.undo').dblclick();
    await pages[0]!.page.getByText('The next view shows all of it again').waitFor();
    await pages[1]!.page.locator('.undo').click();
    await pages[1]!.page.getByText(`compaction ${last} is not the newest that stands`).waitFor();
    await expect.poll(() => pages[1]!.page.locator('.undo').count()).toBe(0);
    expect(session.receipts()).toHaveLength(standing - 1);
    expect(session.receipts().some(({ walk }) => walk === last)).toBe(false);
    expect(pages[0]!.faults).toEqual([]);
  });

  it('a running session is followed as it goes', async () => {
    const { session, records } = await liveSession(4);
    const { url, tell } = await serveOwn(session, records);
    const { page } = await openPage(url);
    const calls = read(await page.locator('.figures dd').first().textContent());
    session.append({ role: 'user', parts: [{ type: 'text', text: 'Another one?' }] });
    await session.view();
    session.append({ role: 'assistant', parts: [{ type: 'text', text: 'One more.' }] });
    await session.saved();
    tell();
    await expect.poll(async () => read(await page.locator('.figures dd').first().textContent())).toBe(calls + 1);
  });

  it('marks every compaction in the strip: those that come while it is open, and several before one call', async () => {
    const { session, records } = await liveSession(4);
    const { url, tell } = await serveOwn(session, records);
    const { page, faults } = await openPage(url);
    const strip = page.locator('.plot').first();
    await expect.poll(() => strip.locator('.uplot').getAttribute('data-marks')).toBe('');
    const ask = async (rounds: number): Promise<void> => {
      for (let i = 0; i < rounds; i++) {
        session.append({ role: 'user', parts: [{ type: 'text', text: `Another one? ${'More. '.repeat(200)}` }] });
        await session.view();
        session.append({ role: 'assistant', parts: [{ type: 'text', text: `One more. ${'Long. '.repeat(200)}` }] });
      }
    };
    await ask(6);
    await session.compact();
    await session.compact();
    await ask(1);
    await session.saved();
    tell();
    const [course] = inspectOwn(records, { title: '', window: 12_000 }).inspection.courses;
    const calls = course!.cliffs.filter(({ declared }) => declared).map(({ call }) => call + 1);
    expect(calls.length).toBeGreaterThan(1);
    expect(new Set(calls).size).toBeLessThan(calls.length);
    const marks = [...new Set(calls)].map((call) => {
      const count = calls.filter((one) => one === call).length;
      return count > 1 ? `${call}×${count}` : `${call}`;
    });
    await expect.poll(() => strip.locator('.uplot').getAttribute('data-marks')).toBe(marks.join(' '));
    expect(faults).toEqual([]);
  });

  it('says under a lifeline how the agent still gets it, and leads to the item that took it, open and in sight', async () => {
    const { session, records } = await liveSession(60);
    const { url } = await serveOwn(session, records, 'palimpsest recall kept');
    const { page, faults } = await openPage(url);
    const [course] = inspectOwn(records, { title: '' }).inspection.courses;
    const place = course!.lifelines.findIndex((runs) => STATES[runs.at(-1) ?? 0] === 'folded' && runs.length === 4);
    const { ref = '' } = findReach(course!, place);
    expect(ref).toMatch(/^e\d+$/);
    expect(session.recall.read(ref).messages.length).toBeGreaterThan(0);
    await seekWords(page, `#${place + 1}`);
    const id = session.transcript()[place]!.id;
    await expect
      .poll(() => page.locator('.reach code').allTextContents())
      .toEqual([ref, `palimpsest recall kept ${id}`, `palimpsest recall kept ${ref}`]);
    await page.getByRole('button', { name: 'The compaction that took it' }).click();
    await page.locator('.item.open').waitFor();
    await expect.poll(() => page.locator('.original.sought').textContent()).toContain(`#${place + 1}`);
    await page.locator('.original.sought .reader pre').waitFor();
    await expect
      .poll(async () => {
        const [box, item] = [await page.locator('.rows').boundingBox(), await page.locator('.item.open').boundingBox()];
        return box !== null && item !== null && item.y >= box.y - 1 && item.y + item.height <= box.y + box.height + 1;
      })
      .toBe(true);
    await seekWords(page, `#${session.transcript().length}`);
    await expect.poll(() => page.locator('.reach').textContent()).toContain('nothing is needed');
    expect(faults).toEqual([]);
  });

  it('lists what was put in apart from what went, and together they come to what the view lost', async () => {
    const { session, records } = await liveSession(60, { tools: [{ name: 'recall' }] });
    const { cliffs } = inspectOwn(records, { title: '' }).inspection.courses[0]!;
    const place = cliffs.findIndex(({ items }) => items.some(({ tokens }) => tokens < 0));
    expect(place).toBeGreaterThanOrEqual(0);
    const { url } = await serveOwn(session, records);
    const { page } = await openPage(url);
    await page.locator('.picker select').first().selectOption(String(place));
    const { items } = cliffs[place]!;
    const added = items.filter(({ tokens }) => tokens < 0);
    await expect
      .poll(async () => read(((await page.locator('.added').textContent()) ?? '').replace(/ tokens.*/, '')))
      .toBe(-added.reduce((all, { tokens }) => all + tokens, 0));
    await expect.poll(() => page.locator('.item').count()).toBe(items.length - added.length);
    for (const figure of await page.locator('.item .figure').allTextContents())
      expect(read(figure)).toBeGreaterThanOrEqual(0);
  });
});
