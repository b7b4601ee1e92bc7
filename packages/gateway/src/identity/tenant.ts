import { createHmac } from 'node:crypto';
import { asFields, asString, parseJson } from '@palimpsest/core/json';
import { findHeader, type RawHeaders } from '../http/raw-headers.ts';
import { readUserId } from './session-id.ts';

/** Who asks: what is known of one tenant is never shown to another. */
export interface Asker {
  readonly headers: RawHeaders;
  /** Several are told apart by each of them: one may be a stand-in that everybody sends. */
  readonly credentials: readonly string[];
  readonly body: unknown;
  /** The name of the gateway's own key, where the gateway has keys. */
  readonly keyName: string | undefined;
}

/**
 * A keyed hash, so that nothing that is stored tells a key. Tokens of a login change every few hours while the account behind
 * them stays: there the account counts.
 */
export function hashTenant(secret: string, asker: Asker): string {
  const { keyName, credentials } = asker;
  const shown = credentials.map((one) => findAccount(asker, one) ?? `credential ${one}`);
  const part = keyName !== undefined ? `key ${keyName}` : [...new Set(shown)].sort().join('\n') || 'nobody';
  return createHmac('sha256', secret).update(part).digest('hex').slice(0, 32);
}

/** The account behind a token of a login; a key is its own account, whatever the body says. */
function findAccount({ headers, body }: Asker, credential: string): string | undefined {
  if (/^sk-ant-oat/.test(credential)) {
    const { account } = readUserId(body);
    return account === undefined ? undefined : `anthropic account ${account}`;
  }
  const claims = readClaims(credential);
  if (claims === undefined) return undefined;
  const openai = asFields(claims['https://api.openai.com/auth']);
  const account = asString(openai.chatgpt_account_id) ?? findHeader(headers, 'chatgpt-account-id');
  const user = asString(claims.sub);
  return account === undefined && user === undefined
    ? undefined
    : `issuer ${asString(claims.iss)} account ${account} user ${user}`;
}

/** What a signed token says about itself. */
function readClaims(token: string): Readonly<Record<string, unknown>> | undefined {
  const [head, payload, signature] = token.split('.');
  if (signature === undefined || payload === undefined || head?.startsWith('ey') !== true) return undefined;
  return asFields(parseJson(Buffer.from(payload, 'base64url').toString('utf8')));
}
