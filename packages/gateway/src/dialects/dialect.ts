import { type ApiName, apis, type Wire } from '@palimpsest/wire';

/** A failure of the gateway's own or of the way to the provider, before it is put into a vendor's words. */
export interface Trouble {
  readonly status: number;
  readonly message: string;
}

/** How one API's clients are spoken to. */
export interface Dialect {
  readonly api: ApiName;
  readonly wire: Wire<never>;
  /** An error as the body of a response. */
  readonly errorBody: (trouble: Trouble) => object;
  /** An error in the middle of a stream, framed. */
  readonly errorEvent: (trouble: Trouble) => string;
  /** What keeps proxies from cutting a silent stream, framed. Undefined: clients of this API take nothing of the kind. */
  readonly ping: string | undefined;
}

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const anthropicError = ({ status, message }: Trouble): object => ({
  type: 'error',
  error: { type: ANTHROPIC_TYPES[status] ?? 'api_error', message },
});

const openaiType = (status: number): string =>
  status === 401 ? 'authentication_error' : status < 500 ? 'invalid_request_error' : 'server_error';

const openaiCode = (status: number): string | null =>
  ({ 401: 'invalid_api_key', 413: 'context_length_exceeded', 502: 'upstream_unreachable' })[status] ?? null;

const openaiError = ({ status, message }: Trouble): object => ({
  error: { message, type: openaiType(status), param: null, code: openaiCode(status) },
});

const GOOGLE_STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

const googleError = ({ status, message }: Trouble): object => ({
  error: { code: status, message, status: GOOGLE_STATUS[status] ?? 'INTERNAL' },
});

const frame = (data: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

/** A line that every reader of events skips. */
const COMMENT = ': ping\n\n';

/** The four. */
export const DIALECTS: Readonly<Record<ApiName, Dialect>> = {
  anthropic: {
    api: 'anthropic',
    wire: apis.anthropic.wire,
    errorBody: anthropicError,
    errorEvent: (trouble) => frame(anthropicError(trouble), 'error'),
    ping: frame({ type: 'ping' }, 'ping'),
  },
  'openai-chat': {
    api: 'openai-chat',
    wire: apis['openai-chat'].wire,
    errorBody: openaiError,
    errorEvent: (trouble) => frame(openaiError(trouble)),
    ping: COMMENT,
  },
  'openai-responses': {
    api: 'openai-responses',
    wire: apis['openai-responses'].wire,
    errorBody: openaiError,
    errorEvent: ({ status, message }) =>
      frame({ type: 'error', code: openaiCode(status) ?? openaiType(status), message, param: null }, 'error'),
    ping: COMMENT,
  },
  gemini: {
    api: 'gemini',
    wire: apis.gemini.wire,
    errorBody: googleError,
    errorEvent: (trouble) => frame(googleError(trouble)),
    // Its SDK takes every event for a part of the answer.
    ping: undefined,
  },
};
