import { describe, expect, it } from 'vitest';
import { readCredentials } from '../src/identity/credential.ts';
import { readSessionId } from '../src/identity/session-id.ts';
import { hashTenant } from '../src/identity/tenant.ts';

const tenant = (headers: readonly string[], body: unknown = {}, keyName?: string, search = ''): string =>
  hashTenant('secret', { headers, credentials: readCredentials(headers, search), body, keyName });
const jwt = (claims: object, signature = 's1'): string =>
  `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
const claude = (account: string, session: string) => ({
  metadata: { user_id: `user_0a1b_account_${account}_session_${session}` },
});

describe('rule 2: identity', () => {
  it('the tenant is a keyed hash: it tells nothing of the key, and another secret gives another one', () => {
    const asker = { headers: ['x-api-key', 'sk-1'], credentials: ['sk-1'], body: {}, keyName: undefined };
    expect(hashTenant('secret', asker)).toMatch(/^[0-9a-f]{32}$/);
    expect(hashTenant('other', asker)).not.toBe(hashTenant('secret', asker));
  });

  it('two keys are two tenants, whatever account the body claims', () => {
    const body = claude('aaaa', 'bbbb');
    expect(tenant(['x-api-key', 'sk-1'], body)).not.toBe(tenant(['x-api-key', 'sk-2'], body));
    expect(tenant(['authorization', 'Bearer t1'], body)).not.toBe(tenant(['authorization', 'Bearer t2'], body));
  });

  it('whoever shows several keys is told apart by each of them: one may be the same for all', () => {
    const dummy = ['authorization', 'Bearer dummy'];
    const shown = [
      tenant(dummy),
      tenant([...dummy, 'x-api-key', 'sk-1']),
      tenant([...dummy, 'x-api-key', 'sk-2']),
      tenant(['x-goog-api-key', 'dummy'], {}, undefined, '?key=q1'),
      tenant(['x-goog-api-key', 'dummy'], {}, undefined, '?key=q2'),
      tenant(['x-api-key', 'dummy', 'X-Api-Key', 'sk-3']),
      tenant(['authorization', 'Bearer sk-ant-oat01-one', 'x-api-key', 'sk-1'], claude('aaaa', 'x')),
      tenant(['authorization', 'Bearer sk-ant-oat01-one', 'x-api-key', 'sk-2'], claude('aaaa', 'x')),
    ];
    expect(new Set(shown).size).toBe(shown.length);
    expect(tenant(['x-api-key', 'sk-1', 'authorization', 'Bearer sk-1'])).toBe(tenant(['x-api-key', 'sk-1']));
  });

  it('keys stand under the names that providers and those in front of them gave them, in any case and with any spaces', () => {
    const names = ['x-portkey-api-key', 'cf-aig-authorization', 'Ocp-Apim-Subscription-Key', 'Helicone-Auth'];
    const shown = names.flatMap((name) => [tenant([name, 'one']), tenant([name, 'two'])]);
    expect(new Set([...shown, tenant([])]).size).toBe(3);
    for (const value of ['Bearer sk-1', 'bearer   sk-1 ', 'BEARER\tsk-1'])
      expect(tenant(['AUTHORIZATION', value])).toBe(tenant(['x-api-key', 'sk-1']));
    // What is new with every request is no key of anybody's.
    expect(tenant(['x-api-key', 'sk-1', 'idempotency-key', 'i1'])).toBe(tenant(['x-api-key', 'sk-1']));
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
