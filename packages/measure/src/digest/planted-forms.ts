import type { Chooser } from '../random.ts';

/** What a fact is about, and the value that nobody can guess. */
export interface Subject {
  readonly first: string;
  readonly second: string;
  readonly value: number;
}

/** A form of files: how one is named, its ordinary lines, and the one line with a fact. */
export interface FactForm {
  readonly name: string;
  readonly path: (subject: Subject) => string;
  /** Made of `{noun}`, `{verb}`, `{name}` and `{digit}`. */
  readonly ordinary: readonly string[];
  /** The line, and the part of it that a text must hold to the letter. */
  readonly line: (subject: Subject) => { readonly before?: string; readonly fact: string; readonly after?: string };
}

const FIRST =
  'amber birch cobalt delta ember fjord garnet harbor indigo juniper kestrel larch marble nickel onyx'.split(' ');
const SECOND = 'ledger parcel shipment catalog invoice payroll voucher refund customs fleet warrant berth'.split(' ');
const NOUNS =
  'order account item entry batch request worker cursor buffer event session record page line report message client server token user state group index value window'.split(
    ' ',
  );
const VERBS =
  'load store merge check send parse format fetch apply read write close open reset find update build list'.split(' ');
const CHINESE = '订单 账户 条目 批次 请求 队列 缓存 事件 会话 记录 页面 报表'.split(' ');

const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
const upper = ({ first, second }: Subject): string => `${first}_${second}`.toUpperCase();
const camel = ({ first, second }: Subject): string => `${first}${capital(second)}`;
const snake = ({ first, second }: Subject): string => `${first}_${second}`;
const dashed = ({ first, second }: Subject): string => `${first}-${second}`;

/** 180 different subjects in random order. */
export const listSubjects = (chooser: Chooser): readonly Subject[] =>
  chooser.shuffle(
    FIRST.flatMap((first) => SECOND.map((second) => ({ first, second, value: chooser.between(1_300, 9_900) }))),
  );

export function writeOrdinaryLine(template: string, { pick, between }: Chooser): string {
  return template.replace(/\{(noun|verb|name|digit|zh)\}/g, (_, kind: string) => {
    if (kind === 'noun') return pick(NOUNS);
    if (kind === 'verb') return pick(VERBS);
    if (kind === 'zh') return pick(CHINESE);
    return kind === 'digit' ? String(between(0, 10)) : `${pick(VERBS)}${capital(pick(NOUNS))}`;
  });
}

const TYPESCRIPT = [
  "import { {name} } from './{noun}.ts';",
  'export function {name}({noun}: {noun}[]): void {',
  '  const {noun} = {name}({noun}, {digit});',
  '  if ({noun} === undefined) return {name}({noun});',
  '  for (const {noun} of {name}()) {verb}({noun});',
  '  // {verb} every {noun} of the {noun} before the {noun}',
  '}',
];
const PYTHON = [
  'from app.{noun} import {verb}_{noun}',
  'def {verb}_{noun}(self, {noun}, {noun}=None):',
  '    {noun} = self.{verb}_{noun}({noun})[{digit}]',
  '    if not {noun}.{verb}({noun}):',
  '        return {noun}',
  '    """{verb} the {noun} of a {noun}."""',
];
const GO = [
  'func (s *{noun}Store) {name}(ctx context.Context, {noun} string) error {',
  '\t{noun}, err := s.{name}(ctx, {noun})',
  '\tif err != nil { return fmt.Errorf("{verb} {noun}: %w", err) }',
  '\t// {name} does {verb} the {noun}, then the {noun}.',
  '\treturn {name}({noun})',
  '}',
];
const RUST = [
  'use crate::{noun}::{verb}_{noun};',
  'pub async fn {verb}_{noun}(&self, {noun}: &str) -> Result<()> {',
  '    let {noun} = self.{verb}_{noun}({noun}).await?;',
  '    match {noun} { Some({noun}) => {verb}({noun}), None => {} }',
  '}',
];
const JAVA = [
  'import com.app.{noun}.{verb};',
  '    private final {noun} {name};',
  '    public void {name}({noun} {noun}) {',
  '        this.{noun} = {name}({noun}, {digit});',
  '    }',
];
const SQL = [
  'CREATE INDEX {noun}_{verb} ON {noun} ({noun});',
  '  {noun}_id bigint NOT NULL,',
  '  {noun} text,',
  '-- {verb} one {noun} a {noun}',
  ');',
];
const YAML = [
  '{noun}:',
  '  {noun}: true',
  '  {verb}: {noun}',
  '  - {noun}',
  '  # {verb} the {noun} first',
  '  {noun}_{verb}: {digit}',
];
const ENV = ['# {noun}: {verb} at start', 'LOG_LEVEL=info', 'CACHE=on', 'REGION=eu', 'RETRY={digit}'];
const PROSE = [
  'We {verb} the {noun} before each {noun}, as the {noun} asks for it.',
  'A {noun} that nobody can {verb} goes back to the {noun}.',
  '## How to {verb} a {noun}',
  '- {verb} the {noun}, then {verb} its {noun}.',
  'See the page about the {noun} when the {noun} does not {verb}.',
];
const CHINESE_PROSE = [
  '先检查{zh}，再更新{zh}。',
  '如果{zh}失败，请重新打开{zh}。',
  '## {zh}的说明',
  '{zh}与{zh}分开保存。',
];

export const FACT_FORMS: readonly FactForm[] = [
  {
    name: 'constant',
    path: (s) => `src/${dashed(s)}.ts`,
    ordinary: TYPESCRIPT,
    line: (s) => ({ before: 'export const ', fact: `${upper(s)}_ROWS = ${s.value}`, after: ';' }),
  },
  {
    name: 'config value',
    path: (s) => `deploy/${dashed(s)}.yaml`,
    ordinary: YAML,
    line: (s) => ({ before: '  ', fact: `${snake(s)}_interval_ms: ${s.value}` }),
  },
  {
    name: 'limit in a comment',
    path: (s) => `internal/${s.first}/${s.second}.go`,
    ordinary: GO,
    line: (s) => ({ before: '\t// ', fact: `The ${s.first} carrier refuses a ${s.second} of more than ${s.value} kg` }),
  },
  {
    name: 'SQL default',
    path: (s) => `migrations/${s.value % 97}_${snake(s)}.sql`,
    ordinary: SQL,
    line: (s) => ({ before: '  ', fact: `${snake(s)}_shard int NOT NULL DEFAULT ${s.value}`, after: ',' }),
  },
  {
    name: 'error text',
    path: (s) => `app/${snake(s)}.py`,
    ordinary: PYTHON,
    line: (s) => ({
      before: '        raise ValueError("',
      fact: `E${s.value}: ${s.first} ${s.second} is sealed`,
      after: '")',
    }),
  },
  {
    name: 'route',
    path: (s) => `src/routes/${dashed(s)}.ts`,
    ordinary: TYPESCRIPT,
    line: (s) => ({
      before: '  router.',
      fact: `post('/v${s.value % 8}/${s.first}/:id/${s.second}-${s.value}'`,
      after: ', handle);',
    }),
  },
  {
    name: 'environment variable',
    path: (s) => `deploy/${dashed(s)}.env`,
    ordinary: ENV,
    line: (s) => ({ fact: `${upper(s)}_TTL=${s.value}s` }),
  },
  {
    name: 'regular expression',
    path: (s) => `app/validate_${snake(s)}.py`,
    ordinary: PYTHON,
    line: (s) => ({
      before: `    ${s.second} = re.compile(r"`,
      fact: `^${s.first.slice(0, 2).toUpperCase()}${s.value}-[A-F]{${3 + (s.value % 5)}}$`,
      after: '")',
    }),
  },
  {
    name: 'timeout',
    path: (s) => `crates/${s.first}/src/${s.second}.rs`,
    ordinary: RUST,
    line: (s) => ({ before: '    ', fact: `${snake(s)}.wait(Duration::from_millis(${s.value}))`, after: '.await?;' }),
  },
  {
    name: 'enum member',
    path: (s) => `src/main/java/com/app/${capital(s.first)}${capital(s.second)}.java`,
    ordinary: JAVA,
    line: (s) => ({ before: '    ', fact: `${upper(s)}_HELD(${s.value})`, after: ',' }),
  },
  {
    name: 'sentence of a document',
    path: (s) => `docs/${dashed(s)}.md`,
    ordinary: PROSE,
    line: (s) => ({
      fact: `The ${s.first} ${s.second} closes after ${s.value} stamps`,
      after: ', even in a short week.',
    }),
  },
  {
    name: 'row of a table',
    path: (s) => `data/${dashed(s)}.csv`,
    ordinary: ['{noun},{verb},eu,{digit}', '{noun},{verb},us,{digit}', '{noun},{noun},eu,{digit}'],
    line: (s) => ({ fact: `${s.first},${s.second},apac,${s.value}` }),
  },
  {
    name: 'pinned version',
    path: (s) => `packages/${dashed(s)}/package.json`,
    ordinary: ['    "{noun}-{verb}": "^1.{digit}.0",', '    "{verb}": "{noun} --{noun}",', '  },', '  "{noun}": {'],
    line: (s) => ({
      before: '    ',
      fact: `"@${s.first}/${s.second}": "${s.value % 17}.${s.value % 31}.${s.value}"`,
      after: ',',
    }),
  },
  {
    name: 'feature flag',
    path: (s) => `flags/${dashed(s)}.toml`,
    ordinary: [
      '[{noun}.{verb}]',
      'enabled = true',
      'owner = "{noun}"',
      '# {verb} the {noun} for the {noun}',
      'order = {digit}',
    ],
    line: (s) => ({ fact: `${camel(s)} = { rollout = ${s.value % 89}, salt = "${s.first}${s.value}" }` }),
  },
  {
    name: 'sentence in Chinese',
    path: (s) => `docs/zh/${dashed(s)}.md`,
    ordinary: CHINESE_PROSE,
    line: (s) => ({ fact: `${s.first} ${s.second} 每批最多 ${s.value} 件`, after: '，超出会被退回。' }),
  },
];
