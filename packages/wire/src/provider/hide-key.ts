import { ProviderError } from '../failure/provider-error.ts';

/** Anything shorter is a placeholder for servers that want none, and perhaps a word. */
const LEAST_SECRET_CHARS = 8;

/** Some servers repeat the key they refuse, and what failed is written into the journal. */
export function hideKey(error: ProviderError, key: string, name: string): ProviderError {
  if (key.length < LEAST_SECRET_CHARS || !inspectCauses(error).includes(key)) return error;
  const { code, message, retryable, retryAfterMs, maximum, actual } = error;
  return new ProviderError(code, message.replaceAll(key, name), { retryable, retryAfterMs, maximum, actual });
}

const inspectCauses = ({ message, cause }: Error): string =>
  `${message}\n${cause instanceof Error ? inspectCauses(cause) : ''}`;
