import { timingSafeEqual } from 'node:crypto';
import { type PresetName, presets } from '@palimpsest/core';
import type { Inspector } from '../inspector.ts';
import type { Course } from '../model/inspection.ts';
import { embedInspection } from './embed-inspection.ts';
import { readPage } from './read-page.ts';
import { describePolicy, renderPage } from './render-page.ts';

/** What a page is served from: the session as it stands, and what may be done to it. */
export interface Served {
  /** Asked for at every request: a running session grows. */
  readonly inspector: () => Promise<Inspector>;
  /** Takes back the compaction of this walk, if it is still the newest that stands. Undefined where the session is not ours. */
  readonly undo?: (walk: number) => Promise<void>;
  readonly pin?: (messageId: string, isPinned: boolean) => Promise<void>;
  /** Tells of changes until the signal is aborted. */
  readonly watch?: (onChange: () => void, signal: AbortSignal) => void;
}

/** Who may ask, and by which names of this machine. */
export interface ServeOptions {
  readonly key: string;
  /** Where courses that were reckoned are kept, for the file that a user saves. */
  readonly courses?: Map<string, Course>;
}

type Route = (
  asked: URLSearchParams,
  served: Served,
  courses: Map<string, Course>,
  signal: AbortSignal,
) => Promise<Response>;

const json = (value: unknown, status = 200): Response =>
  value === undefined
    ? json({ error: 'there is no such thing' }, 404)
    : new Response(JSON.stringify(value), {
        status,
        headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
      });

const READ: Readonly<Record<string, Route>> = {
  '/inspection': async (_, { inspector }) => json((await inspector()).inspection),
  '/text': async (asked, { inspector }) =>
    json((await inspector()).readText(asked.get('course') ?? '', asked.get('name') ?? '', readCount(asked, 'offset'))),
  '/summary': async (asked, { inspector }) =>
    json((await inspector()).readSummary(asked.get('course') ?? '', readCount(asked, 'cliff'))),
  '/search': async (asked, { inspector }) => json((await inspector()).search(asked.get('query') ?? '')),
  async '/imagine'(asked, { inspector }, courses, signal) {
    const preset = asked.get('preset') ?? '';
    const window = readCount(asked, 'window');
    if (!Object.hasOwn(presets, preset)) return json({ error: `there is no preset ${JSON.stringify(preset)}` }, 400);
    if (window < 1) return json({ error: 'a window is a number of tokens' }, 400);
    const course = await (await inspector()).imagine(preset as PresetName, window, signal);
    courses.set(course.name, course);
    return json(course);
  },
  async '/audit'(_, { inspector }, __, signal) {
    const { audit } = await inspector();
    return json(await audit?.(signal));
  },
  async '/export'(_, { inspector }, courses) {
    const now = await inspector();
    const code = await readPage();
    const embedded = embedInspection(now, [...courses.values()]);
    return new Response(renderPage(code, { title: now.inspection.title, embedded }), {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-disposition': 'attachment; filename="inspection.html"',
      },
    });
  },
  '/events': async (_, { watch = () => {} }, __, signal) => streamChanges(watch, signal),
};

const CHANGE: Readonly<Record<string, Route>> = {
  async '/undo'(asked, { undo }) {
    if (undo === undefined) return json({ error: 'this session is not ours to change' }, 400);
    if (!asked.has('walk')) return json({ error: 'say which compaction is meant: /undo?walk=…' }, 400);
    await undo(readCount(asked, 'walk'));
    return json({ done: true });
  },
  '/pin': (asked, served) => changePin(asked, served, true),
  '/unpin': (asked, served) => changePin(asked, served, false),
};

async function changePin(asked: URLSearchParams, { pin, inspector }: Served, isPinned: boolean): Promise<Response> {
  const id = (await inspector()).inspection.messages.ids[readCount(asked, 'place')];
  if (pin === undefined || id === undefined) return json({ error: 'this message cannot be pinned' }, 400);
  await pin(id, isPinned);
  return json({ done: true });
}

/** The change of each session that was begun last: the next one waits for it, however it ends. */
const begun = new WeakMap<Served, Promise<unknown>>();

function takeTurn(served: Served, change: () => Promise<Response>): Promise<Response> {
  const turn = (begun.get(served) ?? Promise.resolve()).then(change, change);
  begun.set(served, turn);
  return turn;
}

/** What the session is in the way of, and what is no fault of the server: it is too late, somebody else has it, it is at work. */
const REFUSALS: ReadonlySet<unknown> = new Set(['nothing-to-undo', 'locked', 'busy']);

function tellFailure(error: unknown): Response {
  if (!(error instanceof Error)) return json({ error: String(error) }, 500);
  return json({ error: error.message }, 'code' in error && REFUSALS.has(error.code) ? 409 : 500);
}

const readCount = (asked: URLSearchParams, name: string): number => {
  const value = Number(asked.get(name) ?? 0);
  return Number.isSafeInteger(value) && value >= 0 ? value : 0;
};

/** Server-sent events: one for every change. */
function streamChanges(watch: NonNullable<Served['watch']>, signal: AbortSignal): Response {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(': watching\n\n'));
      watch(() => {
        if (!signal.aborted) controller.enqueue(encoder.encode('event: changed\ndata: {}\n\n'));
      }, signal);
      signal.addEventListener('abort', () => controller.close(), { once: true });
    },
  });
  return new Response(stream, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } });
}

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * Answers one request for the page or what it shows. Only whoever has the key is answered, and only under a name of this
 * machine: another site's page cannot ask.
 */
export async function answerRequest(
  request: Request,
  served: Served,
  { key, courses = new Map() }: ServeOptions,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  return refuseStranger(request, key) ?? answerPath(request, pathname, served, courses);
}

/** What whoever asks under another machine's name, or without the key, is told; undefined for all others. */
export function refuseStranger(request: Request, key: string): Response | undefined {
  const { searchParams } = new URL(request.url);
  if (!LOOPBACK.test(request.headers.get('host') ?? ''))
    return json({ error: 'ask for this page by a name of this machine' }, 421);
  const given = request.headers.get('x-palimpsest-key') ?? (request.method === 'GET' ? searchParams.get('key') : null);
  return isSame(given ?? '', key) ? undefined : json({ error: 'the key in the address is missing or wrong' }, 403);
}

/** Answers those who may ask. The page stands at `/`, and what it asks for beside it. */
export async function answerPath(
  request: Request,
  path: string,
  served: Served,
  courses: Map<string, Course>,
): Promise<Response> {
  const { searchParams } = new URL(request.url);
  try {
    if (request.method === 'GET' && path === '/') return await sendPage(served);
    const routes = request.method === 'GET' ? READ : request.method === 'POST' ? CHANGE : {};
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (route === undefined) return json(undefined);
    const answer = (): Promise<Response> => route(searchParams, served, courses, request.signal);
    return await (routes === CHANGE ? takeTurn(served, answer) : answer());
  } catch (error) {
    return tellFailure(error);
  }
}

async function sendPage({ inspector }: Served): Promise<Response> {
  const code = await readPage();
  const { title } = (await inspector()).inspection;
  return new Response(renderPage(code, { title }), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${describePolicy(code, 'self')}; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  });
}
