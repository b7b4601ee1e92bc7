import { user } from '@palimpsest/core';
import { CHROMIUM, openChromium } from '@palimpsest/testing/chromium';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectOwn, STATES } from '../src/index.ts';
import { findReach } from '../src/model/reckon.ts';
import { openIn, seekWords, serveOwn } from './drive-page.ts';
import { liveSession, makeMessages } from './made-sessions.ts';

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
    await session.compact({ form: 'all' });
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

  it('lists below a compaction what users wrote and the view no longer shows word for word, and leads to each message', async () => {
    const { session, records } = await liveSession(3);
    const log = Array.from({ length: 200 }, (_, i) => `09:00:${i} GET /items 200 ${i}ms req-${i}`).join('\n');
    const id = session.append(user(`The server fell over. This is its log:\n${log}`));
    for (const { id: _, ...said } of makeMessages(24).slice(1)) {
      if (said.role === 'assistant') await session.view();
      session.append(said);
    }
    await session.saved();
    const missing = [{ message: id, part: 0, reason: 'shortened' }];
    expect((await session.view()).missing).toEqual(missing);
    const { url } = await serveOwn(session, records);
    const { page, faults } = await openPage(url);
    await page.getByRole('heading', { name: 'Not word for word' }).waitFor();
    const list = page.locator('h3', { hasText: 'Not word for word' }).locator('xpath=following-sibling::ul[1]');
    await expect.poll(() => list.locator('li').allTextContents()).toHaveLength(1);
    expect(await list.textContent()).toMatch(/The server fell over\..* head and tail are shown$/s);
    await list.getByRole('button').click();
    await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toContain('Lifelines');
    await expect.poll(() => page.locator('.reader pre').first().textContent()).toContain('The server fell over.');
    expect(faults).toEqual([]);
  });

  it('lists nothing as not word for word where the view shows all that users wrote', async () => {
    const { session, records } = await liveSession(24);
    expect((await session.view()).missing ?? []).toEqual([]);
    const { url } = await serveOwn(session, records);
    const { page } = await openPage(url);
    await page.getByRole('heading', { name: 'What stands in its place' }).waitFor();
    expect(await page.getByText('Not word for word').count()).toBe(0);
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
