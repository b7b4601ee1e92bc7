import { fastOrDeep } from '@palimpsest/testing';
import { describe, expect, it } from 'vitest';
import { isSecretName, redact } from '../src/message/redact.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BASE62 = `${DIGITS}${LOWER}${LOWER.toUpperCase()}`;
const BASE64 = `${BASE62}+/`;
const BASE64_URL = `${BASE62}-_`;
const PASSWORD = `${BASE62}!#%*+?`;

/** Gives random text of an alphabet, the same for the same seed (mulberry32). */
function makeGenerator(seed: number): (alphabet: string, length: number) => string {
  let state = seed;
  const next = (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  return (alphabet, length) => Array.from({ length }, () => alphabet[next(alphabet.length)]).join('');
}

type Random = ReturnType<typeof makeGenerator>;

/** The beginnings are cut in two, so that no scanner takes this file for a leak. */
const vendorKeys: Record<string, (random: Random) => string> = {
  'Anthropic, API key': (random) => `sk-${'ant'}-api03-${random(BASE64_URL, 93)}AA`,
  'Anthropic, OAuth token': (random) => `sk-${'ant'}-oat01-${random(BASE64_URL, 93)}AA`,
  'OpenAI, user key': (random) => `sk-${random(BASE62, 20)}${'T3Blbk'}FJ${random(BASE62, 20)}`,
  'OpenAI, project key': (random) => `sk-${'proj'}-${random(BASE64_URL, 74)}${'T3Blbk'}FJ${random(BASE64_URL, 74)}`,
  'OpenAI, service account': (random) => `sk-${'svcacct'}-${random(BASE64_URL, 74)}`,
  DeepSeek: (random) => `sk-${random(HEX, 32)}`,
  OpenRouter: (random) => `sk-${'or'}-v1-${random(HEX, 64)}`,
  'Stripe, secret key': (random) => `sk_${'live'}_${random(BASE62, 24)}`,
  'Stripe, restricted key': (random) => `rk_${'live'}_${random(BASE62, 99)}`,
  'Stripe, webhook secret': (random) => `whs${'ec'}_${random(BASE62, 32)}`,
  'GitHub, personal token': (random) => `gh${'p'}_${random(BASE62, 36)}`,
  'GitHub, server token': (random) => `gh${'s'}_${random(BASE62, 36)}`,
  'GitHub, fine-grained token': (random) => `github_${'pat'}_${random(BASE62, 22)}_${random(BASE62, 59)}`,
  GitLab: (random) => `gl${'pat'}-${random(BASE64_URL, 20)}`,
  npm: (random) => `np${'m'}_${random(BASE62, 36)}`,
  PyPI: (random) => `py${'pi'}-AgEIcHlwaS5vcmc${random(BASE64_URL, 120)}`,
  'Hugging Face': (random) => `h${'f'}_${random(LOWER + LOWER.toUpperCase(), 34)}`,
  Groq: (random) => `gs${'k'}_${random(BASE62, 52)}`,
  xAI: (random) => `xa${'i'}-${random(BASE62, 80)}`,
  'AWS, access key id': (random) => `AK${'IA'}${random(BASE32, 16)}`,
  'Google, API key': (random) => `AI${'za'}Sy${random(BASE64_URL, 33)}`,
  'Google, OAuth token': (random) => `ya${'29'}.a0${random(BASE64_URL, 180)}`,
  'Slack, bot token': (random) => `xox${'b'}-${random(DIGITS, 12)}-${random(DIGITS, 13)}-${random(BASE62, 24)}`,
  'Slack, app token': (random) => `xa${'pp'}-1-A${random(BASE32, 10)}-${random(DIGITS, 13)}-${random(HEX, 64)}`,
  Linear: (random) => `lin_${'api'}_${random(BASE62, 40)}`,
  DigitalOcean: (random) => `do${'p'}_v1_${random(HEX, 64)}`,
  Shopify: (random) => `shp${'at'}_${random(HEX, 32)}`,
  SendGrid: (random) => `S${'G'}.${random(BASE64_URL, 22)}.${random(BASE64_URL, 43)}`,
  'JSON web token': (random) =>
    `ey${'J'}hbGciOiJIUzI1NiJ9.ey${'J'}zdWIiOiI${random(BASE64_URL, 60)}.${random(BASE64_URL, 43)}`,
};

const privateKey = (random: Random, newline = '\n'): string =>
  [
    `-----BEGIN RSA ${'PRIVATE'} KEY-----`,
    ...Array.from({ length: 12 }, () => random(BASE64, 64)),
    `-----END RSA ${'PRIVATE'} KEY-----`,
  ].join(newline);

/** Each returns the secret and a text that holds it. */
const secretsInText: Record<string, (random: Random) => readonly [string, string]> = {
  'a private key': (random) => wrap(privateKey(random), (key) => `before\n${key}\nbehind`),
  'a private key in JSON': (random) => wrap(privateKey(random, '\\n'), (key) => `{"private_key": "${key}\\n"}`),
  'a private key that is cut off': (random) => wrap(privateKey(random).slice(0, 500), (key) => `a\n${key}`),
  'an environment variable': (random) => wrap(random(BASE62, 24), (value) => `export APP_TOKEN=${value}`),
  'a line of a .env file': (random) => wrap(random(HEX, 32), (value) => `DEBUG=1\nSECRET_KEY_BASE=${value}\n`),
  'an AWS secret key': (random) => wrap(random(BASE64, 40), (value) => `aws_secret_access_key = ${value}`),
  'a generated password': (random) => wrap(random(PASSWORD, 16), (value) => `DB_PASS="${value}"`),
  JSON: (random) => wrap(random(BASE64_URL, 32), (value) => `{"client_secret": "${value}"}`),
  'JSON in JSON': (random) => wrap(random(BASE62, 32), (value) => `"{\\"api_key\\": \\"${value}\\"}"`),
  YAML: (random) => wrap(random(BASE62, 20), (value) => `db:\n  password: ${value}\n`),
  code: (random) => wrap(random(BASE62, 32), (value) => `const apiKey = '${value}';`),
  'a UUID': (random) =>
    wrap([8, 4, 4, 4, 12].map((length) => random(HEX, length)).join('-'), (value) => `api_key: ${value}`),
  'an argument': (random) => wrap(random(BASE62, 20), (value) => `deploy --auth-token ${value} --now`),
  prose: (random) => wrap(random(BASE62, 16), (value) => `My password is ${value}, keep it.`),
  'a bearer token': (random) => wrap(random(BASE62, 32), (value) => `curl -H "Authorization: Bearer ${value}"`),
  'basic authorization': (random) =>
    wrap(btoa(`app:${random(BASE62, 16)}`), (value) => `Authorization: Basic ${value}`),
  'a header': (random) => wrap(random(HEX, 32), (value) => `x-api-key: ${value}`),
  'a cookie': (random) => wrap(random(BASE62, 32), (value) => `Cookie: sid=${value}; theme=dark`),
  'a password in an address': (random) =>
    wrap(random(LOWER, 12), (value) => `postgres://app:${value}@db.acme.io:5432/app`),
  'a generated password for a local database': (random) =>
    wrap(random(BASE62, 20), (value) => `postgres://app:${value}@localhost/app`),
};

const wrap = (secret: string, put: (secret: string) => string): readonly [string, string] => [secret, put(secret)];

const harmless = [
  // Sentences that people typed.
  'The release passphrase is heron-58-velvet-Q.',
  'The test password: hunter2024 must be typed twice.',
  'The token is T-4471, print it in the footer.',
  'Rename the field token: string1 to token: string2 in the schema.',
  'The secret is that wave-7 ships on Friday.',
  'Use credentials: guest01 for the demo, it is public.',
  'Set api_key=test_key_0001 in the fixture, never a real one.',
  'Always run deploy --token demo-4711-abc with the mock.',
  'Never raise MAX_TOKEN=4096x above that.',
  'Connect to postgres://app:localdev@localhost:5432/app for tests.',
  'Use the basic authentication2fallback path for old clients.',
  'Set cookie: session_id_v2 only over https.',
  'Never rename the css class sk-loading-spinner-large-2.',
  'Do not drop the index pk_customer_order_line_2024.',
  'The access key is B42 at the desk.',
  'The cancellation token is called ct2024 everywhere.',
  'Do not go past commit 9fceb02d0ae598e95dc970b74767f19372d61af8.',
  '密码是 heron58velvet，不要改。',
  'Send the header x-api-key: demo-header-1 in the tests.',
  `Decode ey${'J'}hbGciOiJub25lIn0.ey${'J'}zdWIiOiJkZW1vMSJ9. in the docs example.`,
  'Basic authentication2fallback is the name of the switch.',
  'My password is secret123, as in the tutorial.',
  'A file that begins with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY----- is refused.',
  'The secret: never deploy on Friday.',
  'count the tokens: 12000',
  'verify basic manual-commit behaviour',
  'The bearer of-this-letter-2024 may enter.',
  'the token is missing',
  'a top-secret operation',
  // Names.
  'token is T-4471',
  'pk_customer_order_line',
  'sk-loading-spinner',
  'sk-fading-circle12-before-large',
  'rk_index_of_all_rows_2024',
  'sk_test_helpers_for_the_parser',
  'hf_transformers_cache_directory_v2',
  'npm_config_registry_mirror_url_2024',
  'glpat-is-the-beginning-of-gitlab-tokens',
  `gh${'p'}_${'x'.repeat(36)}`,
  `AK${'IA'}IOSFODNN7EXAMPLE`,
  'ASIAPACIFICREGIONALS',
  'xoxb-is-how-slack-tokens-begin',
  'commit 8c1d1f0a9be3a7d5b2c4e6f8091a2b3c4d5e6f70',
  '550e8400-e29b-41d4-a716-446655440000',
  'sha512-Y8mJ2kQ0pV5nX7cL1dR9wT4bZ6hG3fS8aE2uK0iO5jM7xN1qC4vB9yP6rD3tW8zA==',
  // Code.
  'create table t (id int constraint pk_customer_order_line_by_date PRIMARY KEY);',
  'const token = readToken();',
  'token: string;',
  'secret: string9;',
  'password = self.password',
  'API_KEY=$API_KEY',
  `api_key: $${'{{ secrets.API_KEY }}'}`,
  'const apiKey = process.env.OPENAI_API_KEY_V2;',
  'const secret = values[0] + values[1] + values[2];',
  'const token = getIdByIpOfVmInAz;',
  'authorization: z4.string().optional(),',
  'headers.set("x-api-key", readKey(config.v2))',
  'password: Uint8Array',
  '"id_token": "HEADER.PAYLOAD.SIGNATURE"',
  'GRANT_TYPE = { refreshToken: "urn:ietf:params:oauth:token-type:refresh_token" }',
  'export GH_TOKEN="github_pat_xxxx"',
  'rtoken_v2alpha1 = user_id_v4_to_v6_map',
  'if (token === Base64Url) return;',
  '--- PASS: TestTokenRefresh (0.00s)',
  // Addresses.
  'https://example.com:8080/path',
  'git@github.com:acme/app.git',
  'postgres://postgres:postgres@db:5432/postgres',
  'postgres://app:$DB_PASSWORD@db.acme.io/app',
  'https://user:password@example.com/',
  'redis://:<password>@cache.acme.io',
];

const runs = fastOrDeep(100, 2_000);

/** How many of the texts no longer hold their secret. */
function countHidden(make: (random: Random) => readonly [string, string]): number {
  let hidden = 0;
  for (let seed = 0; seed < runs; seed++) {
    const [secret, text] = make(makeGenerator(seed));
    if (!redact(text).includes(secret)) hidden++;
  }
  return hidden;
}

describe('redact hides generated secrets', () => {
  it.each(Object.entries(vendorKeys))('%s: at least 95 of 100 keys', (_vendor, make) => {
    for (const put of [(key: string) => key, (key: string) => `use "${key}" now`, (key: string) => `KEY=${key}\n`])
      expect(countHidden((random) => wrap(make(random), put))).toBeGreaterThanOrEqual(runs * 0.95);
  });

  it.each(Object.entries(secretsInText))('%s: at least 95 of 100 secrets', (_place, make) => {
    expect(countHidden(make)).toBeGreaterThanOrEqual(runs * 0.95);
  });
});

describe('redact replaces only the secret', () => {
  it.each([
    ['postgres://app:hunter2pass@db.acme.io/app', 'postgres://app:[redacted]@db.acme.io/app'],
    ['curl -H "Authorization: Bearer a1B2c3D4e5F6"', 'curl -H "Authorization: Bearer [redacted]"'],
    ['export API_TOKEN=x7Kq2mW9', 'export API_TOKEN=[redacted]'],
    ['{"client_secret": "x7Kq2mW9"}', '{"client_secret": "[redacted]"}'],
    ['DB_PASSWORD=Winter2024', 'DB_PASSWORD=[redacted]'],
    ['{"user":"app","password":"correcthorse1"}', '{"user":"app","password":"[redacted]"}'],
    ['mysql --password tr0ub4dor3', 'mysql --password [redacted]'],
    ['postgres://app:hunter2pass@db/app', 'postgres://app:[redacted]@db/app'],
    [`a\n${privateKey(makeGenerator(1))}\nb`, 'a\n[redacted]\nb'],
  ])('%s', (text, clean) => {
    expect(redact(text)).toBe(clean);
    expect(redact(clean)).toBe(clean);
  });
});

describe('redact leaves harmless text as it is', () => {
  it.each(harmless)('%s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

it('a text of a megabyte with a secret at its end is redacted', () => {
  const random = makeGenerator(7);
  const key = random(HEX, 32);
  const line = 'const value = read(path, 12); // a line of code without any of the words\n';
  expect(redact(`${line.repeat(14_000)}api_key=${key}`)).toBe(`${line.repeat(14_000)}api_key=[redacted]`);
});

it.each(['eyJ-', `-----BEGIN ${'PRIVATE'} KEY-----`, 'sk-', 'http://', 'password="', '://a:'])(
  'a megabyte of %s is read in linear time',
  (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    expect(redact(text)).toBe(text);
  },
);

it('a field is secret by its name', () => {
  for (const name of ['password', 'apiKey', 'access_token', 'clientSecret', 'DB_PASSWORD'])
    expect(isSecretName(name)).toBe(true);
  for (const name of ['path', 'command', 'tokens', 'passed', 'keyboard']) expect(isSecretName(name)).toBe(false);
});
