import { describe, expect, it } from 'vitest';
import { digest } from '../src/digest/digest.ts';
import { identifierKind, scanIdentifiers } from '../src/digest/evidence/scan-identifiers.ts';
import { weighName } from '../src/digest/evidence/weigh-name.ts';
import { gatherEvidence } from '../src/digest/read/gather-evidence.ts';
import { assistant, call, type Message, type NewMessage, result, results, user } from '../src/message/message.ts';

const numbered = (messages: readonly NewMessage[]): readonly Message[] =>
  messages.map((message, i) => ({ ...message, id: `m${i}`, origin: message.origin! }));

const found = (text: string): readonly string[] => {
  const list: string[] = [];
  scanIdentifiers(text, (identifier) => list.push(identifier));
  return list;
};

describe('an identifier is told from a word', () => {
  it.each([
    ['src/app/main.ts', 'path'],
    ['./run.sh', 'path'],
    ['~/.config/app', 'path'],
    ['@scope/package', 'path'],
    ['readFile', 'name'],
    ['HttpServer', 'name'],
    ['snake_case', 'name'],
    ['os.MkdirAll', 'name'],
    ['std::vector', 'name'],
    ['index.test.ts', 'name'],
    ['--dry-run', 'flag'],
    ['NODE_ENV', 'variable'],
    ['3000', 'number'],
    ['1.2.3', 'number'],
    ['2.0.0-beta.1', 'number'],
    ['8c1d1f0', 'hash'],
    ['0b7d5c3e-2a61-4c55-9a35-1f2e3d4c5b6a', 'hash'],
    ['https://example.com/a?b=c', 'url'],
  ] as const)('%s is a %s', (text, kind) => {
    expect(found(`see ${text}, please`)).toContain(text);
    expect(identifierKind(text)).toBe(kind);
  });

  it('prose holds none', () => {
    expect(found('The quick brown fox jumps over it, and so on. A b c 12!')).toEqual([]);
  });

  it('the end of a sentence is not part of it', () => {
    expect(found('Look at src/a.ts. Then call readFile: now.')).toEqual(['src/a.ts', 'readFile']);
  });

  it('an escape before it is not part of it', () => {
    expect(
      found(String.raw`"notes":"Started.\nAdded readFile\n\nsnake_case)\n/etc/hosts\u003eparseAll \x1b[1mboldName"`),
    ).toEqual(['readFile', 'snake_case', '/etc/hosts', 'parseAll', 'boldName']);
    expect(found(String.raw`rg "\bTRACE_LEVEL\b|\btoWire.first\b"`)).toEqual(['TRACE_LEVEL', 'toWire.first']);
  });

  it('a path that is parted by backslashes has none', () => {
    expect(found(String.raw`C:\newTools\binRoot and src\treeView.ts, .\node_modules`)).toEqual([
      'newTools',
      'binRoot',
      'treeView.ts',
      'node_modules',
    ]);
  });

  it('the number of a line in a listing is none, nor is it with an L before it', () => {
    expect(found('L1204- readFile\n  L1205: writeFile\nL1206-\n1207: openFile')).toEqual([
      'readFile',
      'writeFile',
      'openFile',
    ]);
    expect(found('see L1204, and L1205: it is wrong')).toEqual(['L1204', 'L1205']);
  });

  it('what is too long to type again is data', () => {
    expect(found(`const x = "${'QUJDREVG'.repeat(100)}"`)).toEqual([]);
  });
});

const after = (...messages: readonly NewMessage[]) => {
  const evidence = gatherEvidence(numbered(messages));
  return (identifier: string): number => {
    const one = evidence.identifiers.find((other) => other.identifier === identifier);
    return one === undefined ? 0 : weighName(one, evidence.chars);
  };
};

const noise = (words: string): NewMessage => results([result('none', words)]);

describe('an identifier is likelier needed again', () => {
  it('when the model put it into a call than when only a tool printed it', () => {
    const odds = after(
      assistant([call('a', 'Grep', { pattern: 'calledName' })]),
      results([result('a', 'printedName')]),
    );
    expect(odds('calledName')).toBeGreaterThan(odds('printedName'));
  });

  it('when the user said it than when only a tool printed it', () => {
    const odds = after(user('look at saidName'), noise('printedName'));
    expect(odds('saidName')).toBeGreaterThan(odds('printedName'));
  });

  it('when it stood there lately', () => {
    const odds = after(noise('oldName'), noise('x '.repeat(100_000)), noise('newName'));
    expect(odds('newName')).toBeGreaterThan(odds('oldName'));
  });

  it('when it stood there often', () => {
    const odds = after(noise('oftenName '.repeat(20)), noise('onceName'));
    expect(odds('oftenName')).toBeGreaterThan(odds('onceName'));
  });

  it('when it is a number someone used, not one that was printed', () => {
    const odds = after(assistant([call('a', 'Bash', { command: 'serve 8431' })]), results([result('a', 'pid 77123')]));
    expect(odds('8431')).toBeGreaterThan(odds('77123'));
  });
});

describe('the index', () => {
  it('says nothing twice: neither what stands above it nor what a longer one says', () => {
    const messages = numbered([
      user('Please look at the parser in here.'),
      assistant([call('a', 'Grep', { pattern: 'tokenizeLine', path: 'lib' })]),
      results([result('a', 'lib/deep/parser.ts:3: tokenizeLine(lib.deep)\nlib/deep/parser.ts')]),
    ]);
    const read = (maxTokens: number) => digest(messages, { maxTokens }).sections;
    // With room for statements, all of it stands in them.
    expect(read(2_000).map(({ name }) => name)).not.toContain('identifiers');
    const index = read(200).find((one) => one.name === 'identifiers')!.text;
    const words = index.split(/\s+/);
    expect(words).toContain('lib/deep/parser.ts');
    expect(words).not.toContain('lib/deep');
    expect(new Set(words).size).toBe(words.length);
  });

  it('tells no number that a host gave an output, and still how the command went', () => {
    const output =
      'Chunk ID: 5e7edf\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nno dfb397 in parseLine';
    const messages = numbered([
      user('Please look.'),
      assistant([call('a', 'shell', { command: 'make all' })]),
      results([result('a', output)]),
    ]);
    const { commands, identifiers } = gatherEvidence(messages);
    expect(commands).toMatchObject([{ command: 'make all', outcome: 'failed' }]);
    const names = identifiers.map(({ identifier }) => identifier);
    expect(names).toContain('dfb397');
    expect(names).not.toContain('5e7edf');
    expect(digest(messages, { maxTokens: 2_000 }).text).not.toContain('5e7edf');
  });

  it('forgets the least needed of very many, the same however the reading was cut', () => {
    const names = (from: number): string => Array.from({ length: 200 }, (_, i) => `printedName${from + i}`).join(' ');
    const messages = numbered(Array.from({ length: 200 }, (_, i) => noise(`${names(i * 200)} keptName`)));
    const whole = gatherEvidence(messages);
    expect(whole.identifiers.length).toBeLessThan(25_000);
    expect(whole.identifiers.map((one) => one.identifier)).toContain('keptName');
    expect(gatherEvidence(messages.slice(77), gatherEvidence(messages.slice(0, 77)))).toEqual(whole);
  });
});
