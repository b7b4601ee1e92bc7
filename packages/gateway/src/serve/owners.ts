import type { Exchange } from '../exchange/exchange.ts';
import type { GatewayState } from '../gateway-state.ts';
import { readCredentials } from '../identity/credential.ts';
import { readSessionId } from '../identity/session-id.ts';
import { hashTenant } from '../identity/tenant.ts';

/** Whose a request is. */
export interface Owners {
  readonly tenant: string;
  /** The tenant, and what its credential alone says: a request without a body tells no account. */
  readonly all: readonly string[];
  /** The client's own id for the conversation. */
  readonly id: string | undefined;
}

export function findOwners({ findKey, secret }: GatewayState, { headers, search }: Exchange, body?: unknown): Owners {
  const credentials = readCredentials(headers, search);
  const keyName = findKey?.(headers, search)?.name;
  const hash = (told: unknown): string => hashTenant(secret, { headers, credentials, keyName, body: told });
  const tenant = hash(body);
  return { tenant, all: [...new Set([tenant, hash(undefined)])], id: readSessionId(headers, body) };
}
