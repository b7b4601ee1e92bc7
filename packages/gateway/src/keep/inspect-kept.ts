import {
  answerPath,
  type Course,
  followLive,
  type ListedSession,
  listSession,
  type Served,
} from '@palimpsest/inspector';
import type { Keeper, LiveSession } from '@palimpsest/sdk/keeper';
import type { PageAnswer, PageRequest } from './body-types.ts';

/** What is known of a session that somebody looks into. */
interface Inspected {
  readonly served: Served;
  /** Courses that were reckoned, for the file that a user saves. */
  readonly courses: Map<string, Course>;
}

const inspected = new WeakMap<LiveSession['session'], Inspected>();

const findSessions = (keeper: Keeper, tenant: string | undefined): readonly LiveSession[] =>
  keeper.list().filter((one) => tenant === undefined || one.tenant === tenant);

export const listKept = (keeper: Keeper, tenant: string | undefined): readonly ListedSession[] =>
  findSessions(keeper, tenant).map(listSession);

/** The inspector's page over a conversation at hand. */
export async function inspectKept(
  keeper: Keeper,
  session: string,
  tenant: string | undefined,
  { url, method, headers, path }: PageRequest,
  signal: AbortSignal,
): Promise<PageAnswer | undefined> {
  const found = findSessions(keeper, tenant).find((one) => one.id === session);
  if (found === undefined) return undefined;
  const { served, courses } = openInspected(found);
  const gone = new AbortController();
  signal.addEventListener('abort', () => gone.abort(), { once: true });
  const pairs = headers.map(([name, value]): [string, string] => [name, value]);
  const request = new Request(url, { method, headers: pairs, signal: gone.signal });
  const { status, headers: answered, body } = await answerPath(request, path, served, courses);
  return { status, headers: [...answered], body: body === null ? null : abortWith(body, gone) };
}

/** Whoever stops reading ends the request: the page's events go on for as long as somebody reads them. */
function abortWith(body: ReadableStream<Uint8Array>, gone: AbortController): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => gone.abort(),
  });
}

function openInspected({ session, id }: LiveSession): Inspected {
  const known = inspected.get(session) ?? { served: followLive(session, id), courses: new Map() };
  inspected.set(session, known);
  return known;
}
