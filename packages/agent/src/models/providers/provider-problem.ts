import { keepHead } from '@palimpsest/terminal';
import type { ProviderError } from '@palimpsest/wire';
import { type AgentCode, AgentError } from '../../agent-error.ts';

/** Who failed, as the user knows it. */
export interface ProviderNames {
  readonly name: string;
  readonly baseUrl: string;
  readonly keyName: string;
}

const CODES: Readonly<Record<ProviderError['code'], AgentCode>> = {
  'too-long': 'overflow',
  'rate-limited': 'rate-limited',
  overloaded: 'overloaded',
  server: 'server',
  auth: 'auth',
  quota: 'quota',
  invalid: 'refused',
  unreachable: 'unreachable',
  'broken-stream': 'broken-stream',
};

/** What a provider failed by, in a line that says what to do about it. */
export function tellProblem(error: ProviderError, { name, baseUrl, keyName }: ProviderNames): AgentError {
  const said = keepHead(error.message.split('\n', 1).join(''), 300);
  const advice: Partial<Record<AgentCode, string>> = {
    auth: `${name} does not accept the key: check ${keyName} (${said})`,
    quota: `${name}: the account has no credit left (${said})`,
    'rate-limited': `${name} asks to wait (${said})`,
    overloaded: `${name} is overloaded (${said})`,
    unreachable: `${baseUrl} cannot be reached (${said}): check the network and --base-url, then say it again.`,
    'broken-stream': `${name} broke off in the middle of its answer; nothing of it was kept.`,
  };
  const code = CODES[error.code];
  const { retryable, retryAfterMs, maximum, actual } = error;
  return new AgentError(code, advice[code] ?? `${name} refused the request: ${said}`, {
    retryable,
    cause: error,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(actual === undefined ? {} : { actual }),
  });
}
