import type { Chooser } from '../random.ts';

/** What a fact is about, and the value that nobody can guess. */
export interface Subject {
  readonly first: string;
  readonly second: string;
  readonly value: number;
}

/** A form of files: what one is called, its ordinary lines, and the one line with a fact, which stands between << and >>. */
export interface FactForm {
  readonly name: string;
  readonly path: string;
  readonly ordinary: readonly string[];
  readonly line: string;
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
/** Fills a template about a subject: `{first}`, `{First}` or `{FIRST}`, the same with `second`, and `{value}`. */
export const writeAbout = (template: string, { first, second, value }: Subject): string =>
  template.replace(/\{(first|second|value)\}/gi, (_, slot: string) => {
    if (slot === 'value') return String(value);
    const name = slot.toLowerCase() === 'first' ? first : second;
    return slot === slot.toUpperCase() ? name.toUpperCase() : /^[A-Z]/.test(slot) ? capital(name) : name;
  });

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

const ROWS = ['{noun},{verb},eu,{digit}', '{noun},{verb},us,{digit}', '{noun},{noun},eu,{digit}'];
const JSON_LINES = [
  '    "{noun}-{verb}": "^1.{digit}.0",',
  '    "{verb}": "{noun} --{noun}",',
  '  },',
  '  "{noun}": {',
];
const TOML = [
  '[{noun}.{verb}]',
  'enabled = true',
  'owner = "{noun}"',
  '# {verb} the {noun} for the {noun}',
  'order = {digit}',
];

export const FACT_FORMS: readonly FactForm[] = (
  [
    ['constant', 'src/{first}-{second}.ts', TYPESCRIPT, 'export const <<{FIRST}_{SECOND}_ROWS = {value}>>;'],
    ['config value', 'deploy/{first}-{second}.yaml', YAML, '  <<{first}_{second}_interval_ms: {value}>>'],
    [
      'limit in a comment',
      'internal/{first}/{second}.go',
      GO,
      '\t// <<The {first} carrier refuses a {second} of more than {value} kg>>',
    ],
    [
      'SQL default',
      'migrations/{first}_{second}.sql',
      SQL,
      '  <<{first}_{second}_shard int NOT NULL DEFAULT {value}>>,',
    ],
    [
      'error text',
      'app/{first}_{second}.py',
      PYTHON,
      '        raise ValueError("<<E{value}: {first} {second} is sealed>>")',
    ],
    [
      'route',
      'src/routes/{first}-{second}.ts',
      TYPESCRIPT,
      '  router.<<post("/v4/{first}/:id/{second}-{value}">>, handle);',
    ],
    ['environment variable', 'deploy/{first}-{second}.env', ENV, '<<{FIRST}_{SECOND}_TTL={value}s>>'],
    [
      'regular expression',
      'app/validate_{first}_{second}.py',
      PYTHON,
      '    {second} = re.compile(r"<<^{FIRST}{value}-[A-F]+$>>")',
    ],
    [
      'timeout',
      'crates/{first}/src/{second}.rs',
      RUST,
      '    <<{first}_{second}.wait(Duration::from_millis({value}))>>.await?;',
    ],
    ['enum member', 'src/com/app/{First}{Second}.java', JAVA, '    <<{FIRST}_{SECOND}_HELD({value})>>,'],
    [
      'sentence',
      'docs/{first}-{second}.md',
      PROSE,
      '<<The {first} {second} closes after {value} stamps>>, even in a short week.',
    ],
    ['row', 'data/{first}-{second}.csv', ROWS, '<<{first},{second},apac,{value}>>'],
    [
      'pinned version',
      'packages/{first}-{second}/package.json',
      JSON_LINES,
      '    <<"@{first}/{second}": "4.1.{value}">>,',
    ],
    [
      'feature flag',
      'flags/{first}-{second}.toml',
      TOML,
      '<<{first}{Second} = { rollout = 41, salt = "{first}{value}" }>>',
    ],
    [
      'sentence in Chinese',
      'docs/zh/{first}-{second}.md',
      CHINESE_PROSE,
      '<<{first} {second} 每批最多 {value} 件>>，超出会被退回。',
    ],
  ] as const
).map(([name, path, ordinary, line]) => ({ name, path, ordinary, line }));
