import type { ApiName } from '@palimpsest/wire';
import { findHeader, type RawHeaders } from '../http/raw-headers.ts';

/** Whose paths and headers these are. */
export type Provider = 'anthropic' | 'openai' | 'gemini';

/** What a request wants. */
export type Route =
  | { readonly type: 'converse' | 'count' | 'compact'; readonly provider: Provider; readonly api: ApiName }
  | { readonly type: 'models' | 'pass'; readonly provider: Provider; readonly api: ApiName };

interface Row {
  readonly path: RegExp;
  readonly type: 'converse' | 'count' | 'compact';
  readonly provider: Provider;
  readonly api: ApiName;
}

const POSTS: readonly Row[] = [
  // Those of OpenAI's threads are no conversation, and none of Anthropic's.
  { path: /(?<!\/threads\/[^/]*)\/messages$/, type: 'converse', provider: 'anthropic', api: 'anthropic' },
  { path: /\/messages\/count_tokens$/, type: 'count', provider: 'anthropic', api: 'anthropic' },
  { path: /\/chat\/completions$/, type: 'converse', provider: 'openai', api: 'openai-chat' },
  { path: /\/responses$/, type: 'converse', provider: 'openai', api: 'openai-responses' },
  { path: /\/responses\/compact$/, type: 'compact', provider: 'openai', api: 'openai-responses' },
  { path: /:(?:streamG|g)enerateContent$/, type: 'converse', provider: 'gemini', api: 'gemini' },
  { path: /:countTokens$/, type: 'count', provider: 'gemini', api: 'gemini' },
];

const APIS: Readonly<Record<Provider, ApiName>> = {
  anthropic: 'anthropic',
  openai: 'openai-chat',
  gemini: 'gemini',
};

export function findRoute(method: string, pathname: string, headers: RawHeaders): Route {
  const row = method === 'POST' ? POSTS.find(({ path }) => path.test(pathname)) : undefined;
  if (row !== undefined) return row;
  const provider = guessProvider(pathname, headers);
  const type = method === 'GET' && /\/models$/.test(pathname) ? 'models' : 'pass';
  return { type, provider, api: APIS[provider] };
}

/** By what only one vendor's clients send, the tokens of its logins too: a secret of one vendor is nothing for another. */
function guessProvider(pathname: string, headers: RawHeaders): Provider {
  const has = (name: string): boolean => findHeader(headers, name) !== undefined;
  const token = /^bearer\s+(.*)$/i.exec(findHeader(headers, 'authorization') ?? '')?.[1] ?? '';
  if (pathname.startsWith('/v1beta/') || has('x-goog-api-key') || token.startsWith('ya29.')) return 'gemini';
  if (ANTHROPIC.some(has) || token.startsWith('sk-ant-')) return 'anthropic';
  return /^claude/i.test(findHeader(headers, 'user-agent') ?? '') ? 'anthropic' : 'openai';
}

const ANTHROPIC = ['anthropic-version', 'anthropic-beta', 'x-api-key'];

/** Gemini names the model in the path: `models/<model>:generateContent`. */
export const findModelInPath = (pathname: string): string | undefined => /\/models\/([^/:]+):/.exec(pathname)?.[1];

const DOT_SEGMENT = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?=$|[/\\;#]|%2f|%5c)/i;

/** An upstream that resolves them would leave the prefix that was configured for it. */
export const hasDotSegments = (pathname: string): boolean => DOT_SEGMENT.test(pathname);
