import { CompactionError } from '@palimpsest/core';
import { apis } from '@palimpsest/wire';

/** Where requests go on to, by provider (`anthropic`, `openai`, `gemini`), by a name of one's own, or `*` for all. */
export type UpstreamOptions = Readonly<Record<string, string>>;

/** Where one request goes. */
export interface Upstream {
  readonly name: string;
  readonly origin: string;
  readonly host: string;
  /** What stands before the request's own path. */
  readonly prefix: string;
}

/** All of them, and which one a path is for. */
export interface Upstreams {
  /** A first segment that is the name of an upstream chooses it, and does not go on: `/openrouter/v1/chat/completions`. */
  find(provider: string, pathname: string): { readonly upstream: Upstream; readonly pathname: string };
  readonly all: readonly Upstream[];
}

const DEFAULTS: UpstreamOptions = {
  anthropic: apis.anthropic.baseUrl,
  openai: apis['openai-chat'].baseUrl,
  gemini: apis.gemini.baseUrl,
};

/** The vendors' own where nothing else is stated. */
export function readUpstreams(stated: UpstreamOptions = {}): Upstreams {
  const { '*': forAll, ...named } = stated;
  const defaults =
    forAll === undefined ? DEFAULTS : Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, forAll]));
  const table = new Map(
    Object.entries({ ...defaults, ...named }).map(([name, url]) => [name, readUpstream(name, url)]),
  );
  return {
    all: [...table.values()],
    find(provider, pathname) {
      const [, first = '', rest = ''] = /^\/([^/]+)(\/.*)$/.exec(pathname) ?? [];
      const chosen = table.get(first);
      if (chosen !== undefined) return { upstream: chosen, pathname: rest };
      return { upstream: table.get(provider)!, pathname };
    },
  };
}

function readUpstream(name: string, text: string): Upstream {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '')
    throw new CompactionError(
      'bad-option',
      `the upstream ${name} must be an address such as https://api.example.com/v1, without a key or a query.`,
    );
  return { name, origin: url.origin, host: url.host, prefix: url.pathname.replace(/\/+$/, '') };
}

/** SDKs disagree about whose part the version is: it stands once, whoever brings it. */
export function joinPath(prefix: string, pathname: string): string {
  const last = /\/[^/]+$/.exec(prefix)?.[0];
  const isTwice = last !== undefined && (pathname === last || pathname.startsWith(`${last}/`));
  return isTwice ? prefix.slice(0, -last.length) + pathname : prefix + pathname;
}
