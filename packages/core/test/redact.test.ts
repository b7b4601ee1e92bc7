import { describe, expect, it } from 'vitest';
import { isSecretName, redact } from '../src/message/redact.ts';

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
