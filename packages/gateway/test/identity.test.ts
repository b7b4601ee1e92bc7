import { describe, expect, it } from 'vitest';
import { readCredential } from '../src/identity/credential.ts';
import { readSessionId } from '../src/identity/session-id.ts';
import { hashTenant } from '../src/identity/tenant.ts';

const tenant = (headers: readonly string[], body: unknown = {}, keyName?: string): string =>
  hashTenant('secret', { headers, credential: readCredential(headers, ''), body, keyName });
const jwt = (claims: object, signature = 's1'): string =>
  `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
const claude = (account: string, session: string) => ({
  metadata: { user_id: `user_0a1b_account_${account}_session_${session}` },
});

describe('rule 2: identity', () => {
  it('the tenant is a keyed hash: it tells nothing of the key, and another secret gives another one', () => {
    const asker = { headers: ['x-api-key', 'sk-1'], credential: 'sk-1', body: {}, keyName: undefined };
    expect(hashTenant('secret', asker)).toMatch(/^[0-9a-f]{32}$/);
    expect(hashTenant('other', asker)).not.toBe(hashTenant('secret', asker));
  });

  it('two keys are two tenants, whatever account the body claims', () => {
    const body = claude('aaaa', 'bbbb');
    expect(tenant(['x-api-key', 'sk-1'], body)).not.toBe(tenant(['x-api-key', 'sk-2'], body));
    expect(tenant(['authorization', 'Bearer t1'], body)).not.toBe(tenant(['authorization', 'Bearer t2'], body));
  });

  it('a login’s token changes and its account stays: one tenant', () => {
    const login = (token: string, account: string) =>
      tenant(['authorization', `Bearer ${token}`], claude(account, 'x'));
    expect(login('sk-ant-oat01-one', 'aaaa')).toBe(login('sk-ant-oat01-two', 'aaaa'));
    expect(login('sk-ant-oat01-one', 'aaaa')).not.toBe(login('sk-ant-oat01-one', 'cccc'));
    const auth = { 'https://api.openai.com/auth': { chatgpt_account_id: 'acc' }, sub: 'u1', iss: 'i' };
    const codex = (claims: object, signature: string) => tenant(['Authorization', `Bearer ${jwt(claims, signature)}`]);
    expect(codex({ ...auth, exp: 1 }, 's1')).toBe(codex({ ...auth, exp: 2 }, 's2'));
    expect(codex(auth, 's1')).not.toBe(codex({ ...auth, sub: 'u2' }, 's1'));
  });

  it('the gateway’s own key is the tenant where there are keys', () => {
    expect(tenant(['x-api-key', 'sk-1'], {}, 'alice')).toBe(tenant(['x-api-key', 'sk-2'], {}, 'alice'));
    expect(tenant(['x-api-key', 'sk-1'], {}, 'alice')).not.toBe(tenant(['x-api-key', 'sk-1'], {}, 'bob'));
  });

  it('the id is the first that a client states, in this order', () => {
    const all: [string, string][] = [
      ['x-palimpsest-session', 'p'],
      ['x-claude-code-session-id', 'c'],
    ];
    const body = { ...claude('aa', 'dd'), prompt_cache_key: 'k', conversation: { id: 'conv' } };
    const later: [string, string][] = [
      ['session-id', 's'],
      ['thread-id', 't'],
      ['x-session-id', 'x'],
      ['x-session-affinity', 'a'],
    ];
    const read = (pairs: [string, string][], given: object) => readSessionId(pairs.flat(), given);
    expect(read([...later, ...all], body)).toBe('p');
    expect(read([...later, ...all.slice(1)], body)).toBe('c');
    expect(read(later, body)).toBe('dd');
    for (const [i, [, id]] of later.entries()) expect(read(later.slice(i), { prompt_cache_key: 'k' })).toBe(id);
    expect(read([], { prompt_cache_key: 'k', conversation: 'conv' })).toBe('k');
    expect(read([], { conversation: { id: 'conv' } })).toBe('conv');
    expect(read([], { metadata: { user_id: '{"account_uuid":"a","session_id":"js"}' } })).toBe('js');
    expect(read([], {})).toBeUndefined();
  });
});
