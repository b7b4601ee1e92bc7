import { fastOrDeep } from '@palimpsest/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSecretName, isSuspicious, redact, suspicion } from '../src/message/redact.ts';

/** Put together here so that no scanner takes this file for a leak. */
const made = {
  openai: `sk-${'proj'}-${'a1B2'.repeat(8)}`,
  anthropic: `sk-${'ant'}-api03-${'x9Y8'.repeat(8)}`,
  github: `gh${'p'}_${'A1b2'.repeat(9)}`,
  aws: `AK${'IA'}${'ABCD1234'.repeat(2)}`,
  slack: `xox${'b'}-1234567890-abcdef`,
  google: `AI${'za'}${'Sy0_'.repeat(9)}`,
  jwt: `ey${'J'}hbGciOiJIUzI1NiJ9.ey${'J'}zdWIiOiIxMjM0In0.c2lnbmF0dXJl`,
};

describe('a secret leaves no trace', () => {
  for (const [vendor, secret] of Object.entries(made))
    it(`${vendor}, wherever it stands`, () => {
      for (const text of [secret, `use ${secret} now`, `"${secret}"`, `--header "x: ${secret}"`])
        expect(redact(text)).not.toContain(secret);
    });

  it.each([
    ['postgres://app:hunter2pass@db.local/app', 'postgres://app:[redacted]@db.local/app'],
    ['curl -H "Authorization: Bearer abc123def456ghi"', 'curl -H "Authorization: Bearer [redacted]"'],
    ['export API_TOKEN=abc123def', 'export API_TOKEN=[redacted]'],
    ['{"client_secret": "correct horse"}', '{"client_secret": "[redacted]"}'],
    ['mysql --password s3cretvalue', 'mysql --password [redacted]'],
    ['DB_PASS="tr0ub4dor"', 'DB_PASS="[redacted]"'],
    ['the password is hunter2000', 'the password is [redacted]'],
  ])('%s', (text, clean) => {
    expect(redact(text)).toBe(clean);
  });

  it('a private key goes whole, also when it is cut off', () => {
    const begin = `-----BEGIN RSA ${'PRIVATE'} KEY-----`;
    expect(redact(`a\n${begin}\nMIIE\n-----END RSA ${'PRIVATE'} KEY-----\nb`)).toBe('a\n[redacted]\nb');
    expect(redact(`a\n${begin}\nMIIE`)).toBe('a\n[redacted]');
  });

  it('what is clean already stays as it is', () => {
    const once = redact(`export API_TOKEN=abc123def ${made.github}`);
    expect(redact(once)).toBe(once);
  });
});

describe('what only looks like a secret stays', () => {
  it.each([
    'const token = readToken();',
    'token: string;',
    'the token is missing',
    'password = self.password',
    'API_KEY=$API_KEY',
    'a top-secret operation',
    `api_key: $${'{{ secrets.API_KEY }}'}`,
    'commit 8c1d1f0a9be3a7d5b2c4e6f8091a2b3c4d5e6f70',
    'https://example.com:8080/path',
    'git@github.com:acme/app.git',
    '--- PASS: TestTokenRefresh (0.00s)',
    'count the tokens: 12000',
    'verify basic manual-commit behaviour',
  ])('%s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

it('a field is secret by its name', () => {
  for (const name of ['password', 'apiKey', 'access_token', 'clientSecret', 'DB_PASSWORD'])
    expect(isSecretName(name)).toBe(true);
  for (const name of ['path', 'command', 'tokens', 'passed', 'keyboard']) expect(isSecretName(name)).toBe(false);
});

describe('the look at a text before its secrets are looked for', () => {
  const source = new RegExp(suspicion.source, 'i');

  it('is as suspicious as the pattern, wherever a secret begins', () => {
    const pieces = fc.constantFrom(
      ...'password PassWd passphrase _pass -pass secret TOKEN api_key apikey access-key private_key auth_token credential'.split(
        ' ',
      ),
      ...'PRIVATE KEY sk- SK_ pk_ rk_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat glpat npm_ hf_ AKIA asia AIza ya29 xox lin_api eyJ'.split(
        ' ',
      ),
      ...'https:// :// me: you@ Bearer basic authorization Cookie line create print git base ſk- K_ é 中 / : @ _ - x'.split(
        ' ',
      ),
      ...[' ', '\n', ''],
    );
    const cut = fc.tuple(pieces, fc.nat({ max: 14 })).map(([piece, chars]) => piece.slice(0, chars));
    const texts = fc.array(fc.oneof(pieces, cut), { maxLength: 6 }).map((some) => some.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        expect([text, isSuspicious(text)]).toEqual([text, source.test(text)]);
      }),
      { numRuns: fastOrDeep(5_000, 100_000) },
    );
  });
});
