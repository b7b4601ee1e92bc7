/** Texts made from a seed: what no one writes by hand, but tools print. */

export interface Dice {
  below(limit: number): number;
  pick<T>(from: readonly T[] | string): T | string;
  bytes(count: number): number[];
}

/** A small linear congruential generator: the same seed gives the same text on every machine. */
export function dice(seed: number): Dice {
  let state = (seed * 2654435761) >>> 0;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 0x100000000) * limit);
  };
  return {
    below,
    pick: (from) => from[below(from.length)]!,
    bytes: (count) => Array.from({ length: count }, () => below(256)),
  };
}

const NOUNS =
  'account buffer cache driver entry filter gateway handler index job kernel ledger matrix node offset packet queue record session token upload vector window'.split(
    ' ',
  );
const VERBS =
  'apply build close decode encode fetch group hash insert join load merge notify open parse query read save trim update verify write'.split(
    ' ',
  );
const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1);
const noun = (d: Dice): string => d.pick(NOUNS) as string;
const verb = (d: Dice): string => d.pick(VERBS) as string;
const hex = (d: Dice, bytes: number): string =>
  d
    .bytes(bytes)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
const base64 = (d: Dice, bytes: number): string => Buffer.from(d.bytes(bytes)).toString('base64');
const two = (d: Dice, limit: number): string => String(d.below(limit)).padStart(2, '0');
const time = (d: Dice): string =>
  `2031-${two(d, 12)}-${two(d, 28)}T${two(d, 24)}:${two(d, 60)}:${two(d, 60)}.${d.below(900) + 100}Z`;
const from = (first: number, last: number) => (d: Dice) => String.fromCodePoint(first + d.below(last - first + 1));
const many = (d: Dice, count: number, make: (d: Dice) => string): string =>
  Array.from({ length: count }, () => make(d)).join('');
const line = (d: Dice): string => `${capital(verb(d))} the ${noun(d)} ${noun(d)}`;
const record = (d: Dice): unknown => ({
  id: d.below(1e6),
  [noun(d)]: verb(d),
  active: d.below(2) === 0,
  tags: [noun(d), noun(d)],
  score: d.below(1e5) / 1e3,
  parent: null,
});

/** One piece of each kind of text; a sample is as many pieces as its length asks for. */
export const generated: Readonly<Record<string, (d: Dice) => string>> = {
  'base64 blob': (d) => base64(d, 96),
  'base64 lines': (d) => `${base64(d, 57)}\n`,
  'base64url tokens': (d) => `eyJhbGciOiJFUzI1NiJ9.${base64(d, 90).replace(/[+/=]/g, '-')}\n`,
  'hex run': (d) => hex(d, 64),
  'hex dump': (d) => `${hex(d, 4)}  ${hex(d, 16).replace(/../g, '$& ')} |${many(d, 16, from(46, 122))}|\n`,
  'hex capitals': (d) => `${hex(d, 8).toUpperCase()} `,
  'uuid list': (d) => `${hex(d, 16).replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}\n`,
  'checksum list': (d) => `${hex(d, 32)}  ./dist/${noun(d)}-${hex(d, 4)}.js\n`,
  'csv table': (d) =>
    `${d.below(99999)},${capital(noun(d))},${(d.below(1e6) / 100).toFixed(2)},${time(d).slice(0, 10)},${d.below(2)}\n`,
  'number matrix': (d) => `${Array.from({ length: 8 }, () => (d.below(20000) / 1000 - 10).toFixed(3)).join(' ')}\n`,
  integers: (d) => `${d.below(10 ** (1 + d.below(9)))}, `,
  'log lines': (d) =>
    `${time(d)} INFO  [${noun(d)}-${d.below(64)}] ${line(d)} took=${d.below(900)}ms status=${200 + d.below(300)}\n`,
  'access log': (d) =>
    `10.${d.below(256)}.${d.below(256)}.${d.below(256)} - - [${two(d, 28)}/Apr/2031:${two(d, 24)}:${two(d, 60)}:${two(d, 60)} +0000] "GET /${noun(d)}/${d.below(9999)} HTTP/1.1" 200 ${d.below(99999)}\n`,
  'ansi output': (d) =>
    `\u001b[${31 + d.below(6)}m✔\u001b[39m \u001b[1m${noun(d)}\u001b[22m ${line(d)} \u001b[2m(${d.below(999)} ms)\u001b[0m\n`,
  'progress bar': (d) =>
    `\r[${'#'.repeat(d.below(30))}${'.'.repeat(d.below(30))}] ${d.below(100)}% ${d.below(99)}/${d.below(99)}`,
  urls: (d) =>
    `https://${noun(d)}.example.org/${verb(d)}/${noun(d)}-${d.below(999)}?${noun(d)}=${hex(d, 5)}&page=${d.below(50)}#${verb(d)}\n`,
  paths: (d) => `/home/${noun(d)}/work/${noun(d)}/packages/${noun(d)}/src/${verb(d)}-${noun(d)}.test.ts\n`,
  'directory listing': (d) =>
    `-rw-r--r--  1 build staff ${String(d.below(9e6)).padStart(9)} Apr ${two(d, 28)} ${two(d, 24)}:${two(d, 60)} ${noun(d)}_${verb(d)}.log\n`,
  'search results': (d) =>
    `packages/${noun(d)}/src/${verb(d)}.ts:${d.below(900)}:  const ${noun(d)} = ${verb(d)}${capital(noun(d))}(${noun(d)});\n`,
  'markdown table': (d) =>
    `| ${noun(d)} | \`${verb(d)}${capital(noun(d))}\` | ${d.below(9999)} | ${(d.below(100) / 10).toFixed(1)} % |\n`,
  'aligned table': (d) => `${noun(d).padEnd(24)}${String(d.below(9999)).padStart(10)}${verb(d).padStart(18)}\n`,
  'minified json': (d) => `${JSON.stringify(record(d))},`,
  'pretty json': (d) => `${JSON.stringify({ data: { items: [record(d), record(d)] } }, null, 2)},\n`,
  'json in json': (d) => JSON.stringify(JSON.stringify(record(d))),
  'escaped unicode': (d) => many(d, 12, (c) => `\\u${hex(c, 2)}`),
  'percent encoding': (d) => encodeURIComponent(many(d, 10, from(0x4e00, 0x5fff))),
  camelCase: (d) => `${verb(d)}${capital(noun(d))}${capital(noun(d))}\n`,
  snake_case: (d) => `${verb(d)}_${noun(d)}_${noun(d)} `,
  SCREAMING_CASE: (d) => `${verb(d)}_${noun(d)}_${noun(d)}, `.toUpperCase(),
  'deep indentation': (d) => `${' '.repeat(4 * (4 + d.below(24)))}${verb(d)}(${noun(d)});\n`,
  'tab indentation': (d) => `${'\t'.repeat(1 + d.below(9))}${noun(d)} := ${verb(d)}()\n`,
  'blank lines': (d) => `${' '.repeat(d.below(24))}\n`,
  'trailing blanks': (d) => `${noun(d)}${' '.repeat(d.below(24))}\n`,
  'windows lines': (d) => `${line(d)}\r\n`,
  'separator lines': (d) => `${(d.pick('=-*#_~+.') as string).repeat(20 + d.below(80))}\n`,
  'random ascii': (d) => many(d, 40, from(32, 126)),
  'random letters': (d) => many(d, 40, from(97, 122)),
  'random capitals': (d) => many(d, 40, from(65, 90)),
  'random alphanumerics': (d) => base64(d, 48).replace(/[+/]/g, 'x'),
  'random words': (d) => `${many(d, 2 + d.below(9), from(97, 122))} `,
  punctuation: (d) => many(d, 20, (c) => c.pick('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~') as string),
  'sequence data': (d) => many(d, 60, (c) => c.pick('ACGT') as string),
  'binary digits': (d) => many(d, 32, (c) => c.pick('01') as string),
  'source map': (d) =>
    `${d.pick(['AAAA', 'CAAC', 'IAAI', 'EAAE', 'SAAS', 'aAAa', 'oBAAoB', 'KACb', 'QACzB'])}${d.pick(',,;')}`,
  emoji: from(0x1f600, 0x1f64f),
  'emoji of all kinds': (d) =>
    d.pick([0x1f300, 0x1f400, 0x1f680, 0x1f900] as const) &&
    from(0x1f300 + d.below(9) * 96, 0x1f300 + 95 + d.below(9) * 96)(d),
  'emoji sequences': (d) =>
    d.pick(['👩‍💻', '👨‍👩‍👧‍👦', '🏳️‍🌈', '👍🏽', '🤷🏻‍♂️', '❤️‍🔥', '🧑🏿‍🚀', '☀️', '✈️', '1️⃣']) as string,
  flags: (d) => many(d, 2, from(0x1f1e6, 0x1f1ff)),
  'emoji in text': (d) => `${d.pick(['✅', '❌', '⚠️', '🚀', '🎉', '📦', '🔥', '💡'])} ${line(d)}\n`,
  'box drawing': (d) =>
    `│ ${noun(d).padEnd(12)} │ ${String(d.below(999)).padStart(6)} │\n├${'─'.repeat(14)}┼${'─'.repeat(8)}┤\n`,
  'tree listing': (d) => `${'│   '.repeat(d.below(4))}${d.pick(['├── ', '└── '])}${noun(d)}.ts\n`,
  'bar chart': (d) => `${noun(d).padEnd(10)} ${'█'.repeat(d.below(30))}${'░'.repeat(d.below(30))} ${d.below(100)} %\n`,
  mathematics: (d) =>
    d.pick([
      '∀ε>0 ∃δ>0: ',
      '∑ᵢ xᵢ² ≤ ∫f(x)dx, ',
      'A ⊆ B ∧ B ≠ ∅ ⇒ ',
      'λ ≈ 2π·√α ± ∞ ',
      '∂f/∂x ∈ ℝⁿ → ',
      '∇×E = −∂B/∂t ',
    ]) as string,
  typography: (d) => `“${capital(line(d))}” — ${noun(d)}… ‘${verb(d)}’ • ${d.below(99)} €\n`,
  'rare Han': from(0x4e00, 0x9fa5),
  'rare Hangul': from(0xac00, 0xd7a3),
  'control characters': from(0, 31),
  'lone surrogates': from(0xd800, 0xdbff),
};

/** One thing over and over. */
export const repeated: readonly string[] = [
  ...'=-_*#~.+:;!/\\|<>()[]{}?@$%^&,\'"`',
  ...'ax0Z9',
  ' ',
  '\n',
  '\t',
  '\r\n',
  '\n\n',
  ' \n',
  '    \n',
  '- ',
  '* ',
  '()',
  '[]',
  '{}',
  '<>',
  'ab',
  '01',
  '0 ',
  '1,',
  '"",',
  '\\n',
  '─',
  '═',
  '│',
  '█',
  '•',
  '→',
  '…',
  '—',
  '。',
  '、',
  '！',
  '　',
  '�',
  'é',

  'я',
  'ñ',
  '中',
  '哈',
  'あ',
  'ア',

  '한',
  'ㅋ',
  'ก',
  'न',
  'ا',
  'ש',
  'α',
  '😀',
  '👍',
  '🚀',
  '❤️',
  '✅',
  '🇫🇷',
  '你好',
  '你好，世界。',
  '测试',
  'こんにちは世界',
  'テスト',
  '안녕하세요 ',
  'Привет, мир! ',
  'مرحبا بالعالم ',
  'שלום עולם ',
  'नमस्ते दुनिया ',
  'สวัสดีชาวโลก',
  'Γειά σου Κόσμε ',
  'Xin chào thế giới. ',
  'word ',
  'the ',
  'hello world ',
  'foo bar baz ',
  'lorem ipsum dolor sit amet ',
  'The quick brown fox jumps over the lazy dog. ',
  'ERROR ',
  'undefined ',
  'TODO: ',
  'A',
  'abc',
  'abc ',
  'deadbeef',
  'AAAA',
  '0x00 ',
  '127.0.0.1 ',
  'a.b.c.',
  'foo_bar_',

  '{"a":1},',
  '<p></p>',
  '// ',
  '\u001b[0m',
  '\u0000',
  '\\',
  '\\\\',
];
