import { asFields, asList, asString, type Fields, isFields } from '@palimpsest/core/json';
import type { PassedReason } from '../conversations/keep-options.ts';

/** A POST that is not kept. */
interface UnkeptRequest {
  readonly url: string;
  /** Whether a wire reads bodies at this URL. */
  readonly isKnown: boolean;
  /** Undefined where the body is no text, or no JSON. */
  readonly fields: Fields | undefined;
  readonly isUnreadable: boolean;
}

interface Passed {
  readonly reason: PassedReason;
  readonly message: string;
}

const BATCH = /\/batches$|:batchGenerateContent$/;
const ASSISTANT_RUN = /\/threads(?:\/[^/]+)?\/runs$/;

/** These measure or compact a conversation and do not continue it. */
const NO_TURN = /count[-_]?tokens|input_tokens$|\/compact$/i;

const MIDDLEWARE = 'with `middleware: [palimpsest({ window })]` of @palimpsest/sdk/anthropic';

/** What works instead, by the path of the request. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/\/model\/[^/]+\/(?:invoke|converse)/, `Use AnthropicBedrock of @anthropic-ai/bedrock-sdk ${MIDDLEWARE}.`],
  [/:(?:rawPredict|streamRawPredict)$/, `Use AnthropicVertex of @anthropic-ai/vertex-sdk ${MIDDLEWARE}.`],
  [/\/api\/chat$/, "Use the server's OpenAI-compatible endpoint, /v1/chat/completions."],
];
const ANY_OTHER =
  'Use /v1/messages, /chat/completions, /responses or :generateContent, or call compactMessages() before each request.';

/** Why a request that is not kept could have been; undefined where it carries no conversation. */
export function findPassed({ url, isKnown, fields, isUnreadable }: UnkeptRequest): Passed | undefined {
  const { pathname } = new URL(url, 'http://localhost');
  if (isKnown) {
    if (!isUnreadable) return undefined;
    const message = `The body of POST ${pathname} is compressed or a stream, so Palimpsest cannot read it. Send it as JSON text.`;
    return { reason: 'unreadable-body', message };
  }
  if (NO_TURN.test(pathname)) return undefined;
  if (BATCH.test(pathname)) {
    const message = `POST ${pathname} is a batch, which Palimpsest does not read. Call compactMessages() on each conversation of it.`;
    return { reason: 'batch', message };
  }
  if (ASSISTANT_RUN.test(pathname)) {
    const message = `The provider holds the thread of POST ${pathname}. Send the whole history to /responses or /chat/completions.`;
    return { reason: 'server-history', message };
  }
  if (fields === undefined || !hasConversation(fields)) return undefined;
  const instead = INSTEAD.find(([path]) => path.test(pathname))?.[1] ?? ANY_OTHER;
  const message = `POST ${pathname} is no endpoint that Palimpsest reads, so nothing keeps this conversation within the window. ${instead}`;
  return { reason: 'unknown-endpoint', message };
}

const hasConversation = ({ messages, contents, input }: Fields): boolean =>
  [messages, contents, input].some((list) => asList(list).some(isMessage));

const isMessage = (value: unknown): boolean => isFields(value) && asString(asFields(value).role) !== undefined;
