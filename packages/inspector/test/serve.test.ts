import { describe, expect, it } from 'vitest';
import {
  answerRequest,
  embedInspection,
  inspectForeign,
  inspectOwn,
  readPage,
  renderPage,
  type Served,
  serveInspection,
} from '../src/index.ts';
import { liveSession, makeMessages, makeRecording, SECRET } from './made-sessions.ts';

const KEY = 'k'.repeat(24);
const inspector = inspectForeign(makeRecording(), 'made');
const served: Served = { inspector: async () => inspector };
const ask = (path: string, { host = '127.0.0.1:4711', key = KEY, method = 'GET' } = {}): Promise<Response> =>
  answerRequest(
    new Request(`http://127.0.0.1:4711${path}`, { method, headers: { host, 'x-palimpsest-key': key } }),
    served,
    { key: KEY },
  );

describe('who may ask', () => {
  it('without the key nothing is answered', async () => {
    for (const path of ['/', '/inspection', '/text?course=recording&name=%231', '/export', '/events'])
      expect((await ask(path, { key: 'wrong' })).status).toBe(403);
  });

  it('a page of another site that has this machine under its own name is refused', async () => {
    expect((await ask('/inspection', { host: 'evil.example' })).status).toBe(421);
    expect((await ask('/inspection', { host: 'localhost:4711' })).status).toBe(200);
  });

  it('a change needs the key in a header: no link and no form of another site has it', async () => {
    const link = new Request(`http://127.0.0.1/undo?key=${KEY}`, { method: 'POST', headers: { host: '127.0.0.1' } });
    expect((await answerRequest(link, served, { key: KEY })).status).toBe(403);
    expect((await ask('/undo', { method: 'POST' })).status).toBe(400);
    expect((await ask('/undo')).status).toBe(404);
  });
});

describe('what is asked for', () => {
  it('is the inspection, a text, a summary, a search, a course', async () => {
    expect(await (await ask('/inspection')).json()).toEqual(JSON.parse(JSON.stringify(inspector.inspection)));
    expect(await (await ask('/text?course=recording&name=%231')).json()).toEqual(inspector.readText('recording', '#1'));
    expect(await (await ask('/summary?course=recording&cliff=0')).json()).toEqual(
      inspector.readSummary('recording', 0),
    );
    const found = (await (await ask('/search?query=migrations+folder')).json()) as { hits: { at: number }[] };
    const [hit] = found.hits;
    expect(hit!.at).toBe(0);
    const course = (await (await ask('/imagine?preset=default&window=16000')).json()) as { name: string };
    expect(course.name).toBe('default 16000');
  });

  it('that is not there is named as such, whatever was asked', async () => {
    for (const path of ['/nothing', '/text?name=%239999', '/text?name=__proto__', '/summary?cliff=99', '/toString'])
      expect((await ask(path)).status).toBe(404);
    for (const path of ['/imagine?preset=toString&window=9000', '/imagine?preset=default&window=-1'])
      expect((await ask(path)).status).toBe(400);
  });

  it('over a socket is the same, with the key of its address', async () => {
    const serving = await serveInspection(served);
    try {
      const page = await fetch(serving.url);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await page.text()).toContain('<div id="app">');
      const url = new URL(serving.url);
      expect(url.hostname).toBe('127.0.0.1');
      const key = url.searchParams.get('key') ?? '';
      const told = await fetch(new URL('/inspection', url), { headers: { 'x-palimpsest-key': key } });
      expect(((await told.json()) as { title: string }).title).toBe('made');
      expect((await fetch(new URL('/inspection', url))).status).toBe(403);
    } finally {
      await serving.close();
    }
  });
});

describe('the page', () => {
  const hostile = '</script><script>globalThis.hacked = 1</script><!-- <img src=x onerror=alert(1)>';

  it('has what is hostile as text only: no tag of a recording is a tag of the page', async () => {
    const messages = makeMessages(2).map((message, i) =>
      i === 0 ? { ...message, parts: [{ type: 'text' as const, text: `${hostile} ${SECRET}` }] } : message,
    );
    const evil = inspectForeign({ ...makeRecording(2, []), messages }, hostile);
    const code = await readPage();
    const page = renderPage(code, { title: hostile, embedded: embedInspection(evil, []) });
    expect(page.match(/<script/g)).toHaveLength(2 + (code.script.match(/<script/g)?.length ?? 0));
    expect(page).not.toContain('<img src=x');
    expect(page).not.toContain(SECRET);
    const [, data] = /<script type="application\/json" id="embedded">(.*?)<\/script>/s.exec(page) ?? [];
    expect((JSON.parse(data!) as { texts: Record<string, string> }).texts[0]).toContain(hostile);
  });

  it('runs nothing but its own script and asks nobody: the policy names hashes, and no host', async () => {
    const page = renderPage(await readPage(), { title: 'made', embedded: {} });
    const [, policy] = /Content-Security-Policy" content="([^"]+)"/.exec(page) ?? [];
    expect(policy).toMatch(/script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; connect-src 'none'/);
    expect(policy).not.toMatch(/https?:|unsafe|\*/);
    expect(page).not.toMatch(/(?:src|href)="https?:/);
  });

  it('as one file is bounded: what had no room is named, not lost without a word', () => {
    const room = { maxChars: 20_000, maxTextChars: 500 };
    const { texts } = embedInspection(inspector, [], room);
    const told = Object.values(texts);
    expect(told.reduce((sum, text) => sum + text.length, 0)).toBeLessThan(30_000);
    expect(told.some((text) => /more characters are not in this file/.test(text))).toBe(true);
  });
});

describe('a session of ours', () => {
  const serveOwn = async (rounds = 20) => {
    const { session, records } = await liveSession(rounds);
    let atOnce = 0;
    /** As a store does it that gives a session to one at a time. */
    const change = async (act: () => void): Promise<void> => {
      if (++atOnce > 1) throw new Error('the lock is held');
      await new Promise((done) => setTimeout(done, 5));
      act();
      await session.saved();
      atOnce--;
    };
    const own: Served = {
      inspector: async () => inspectOwn(records, { title: 'live', window: 12_000 }),
      undo: (walk) => change(() => void session.undo(walk)).finally(() => (atOnce = 0)),
      pin: (id, isPinned) => change(() => (isPinned ? session.pin(id) : session.unpin(id))),
    };
    const post = (path: string): Promise<Response> =>
      answerRequest(
        new Request(`http://localhost${path}`, {
          method: 'POST',
          headers: { host: 'localhost', 'x-palimpsest-key': KEY },
        }),
        own,
        { key: KEY },
      );
    return { session, post, tell: async () => (await own.inspector()).inspection };
  };

  it('can be changed by the page, one that is not cannot', async () => {
    const { session, post, tell } = await serveOwn();
    const standing = session.receipts().length;
    const { undoable } = await tell();
    expect(undoable).toBe(session.receipts().at(-1)!.walk);
    expect((await post('/undo')).status).toBe(400);
    expect((await post(`/undo?walk=${undoable}`)).status).toBe(200);
    expect(session.receipts()).toHaveLength(standing - 1);
    expect((await post('/pin?place=0')).status).toBe(200);
    expect((await tell()).pinned).toEqual([0]);
    expect((await post('/unpin?place=0')).status).toBe(200);
    expect((await tell()).pinned).toEqual([]);
  });

  it('loses the compaction that was meant and no other: who comes later, or at the very same moment, is told so', async () => {
    const { session, post, tell } = await serveOwn(60);
    const standing = session.receipts().length;
    expect(standing).toBeGreaterThan(1);
    const { undoable } = await tell();
    const answers = await Promise.all([1, 2, 3].map(() => post(`/undo?walk=${undoable}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 409]);
    expect(await answers[1]!.json()).toEqual({
      error: expect.stringMatching(/not the newest that stands.*Nothing was/),
    });
    expect(session.receipts()).toHaveLength(standing - 1);
  });

  it('takes changes of all kinds one after the other', async () => {
    const { post, tell } = await serveOwn();
    const { undoable } = await tell();
    const paths = ['/pin?place=0', '/pin?place=1', `/undo?walk=${undoable}`, '/unpin?place=0'];
    const answers = await Promise.all(paths.map(post));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await tell()).pinned).toEqual([1]);
  });
});
