import { describe, expect, it } from 'vitest';
import { readBeside } from '../src/digest/choose/beside.ts';
import { newStatementChooser, type StatementChooser } from '../src/digest/choose/choose-statements.ts';
import { newIndex } from '../src/digest/choose/identifier-index.ts';
import {
  type Evidence,
  type IdentifierEvidence,
  noEvidence,
  type StatementEvidence,
} from '../src/digest/evidence/evidence.ts';
import { fillStatements } from '../src/digest/write/write-statements.ts';

const nameOf = (identifier: string): IdentifierEvidence => ({
  identifier,
  kind: 'name',
  inWords: 0,
  inCalls: 0,
  inWritten: 0,
  inSaid: 0,
  inResults: 1,
  inErrors: 0,
  first: 0,
  last: 0,
  used: -1,
});

/** Lines of one file, and the names in them, each worth the same. */
function linesOf(...texts: readonly string[]): Evidence {
  const names = new Set(texts.flatMap((line) => line.match(/\w+Name\b/g) ?? []));
  const statements = texts.map((line): StatementEvidence => ({ text: line, source: 'shown', about: 'a.ts', at: 0 }));
  return { ...noEvidence, messages: 1, chars: 100, statements, identifiers: [...names].map(nameOf) };
}

describe('names that stand together', () => {
  it('are told before others that stand together less often', () => {
    const evidence = linesOf(
      'join(someName, rareName)',
      'join(openName, pathName)',
      'with(openName, pathName)',
      'keep(openName, pathName)',
    );
    const order: string[] = [];
    const chooser = newStatementChooser(evidence, readBeside(''));
    chooser.choose('', ({ text }) => order.push(text) > 0);
    expect(order[0]).toContain('openName, pathName');
    expect(order[1]).toBe('join(someName, rareName)');
  });

  it('stand in the index where they last stood, not where they first did', () => {
    const evidence = linesOf('firstName', 'otherName', 'lastName and firstName');
    const entries = [...newIndex(evidence, readBeside(''))('', new Map())].sort(
      (one, other) => one.order - other.order,
    );
    expect(entries.map(({ text }) => text)).toEqual(['otherName', 'lastName', 'firstName']);
  });
});

describe('names that stood near a statement', () => {
  const lines = linesOf('joinName', 'openName', 'leftName, heldName', 'x'.repeat(250), 'pathName');
  const findNear = (evidence: Evidence, texts: readonly string[]) => {
    const chooser = newStatementChooser(evidence, readBeside(''));
    const numbers: number[] = [];
    chooser.choose('', ({ text }, number) => !texts.includes(text) || numbers.push(number) > 0);
    return chooser.findNear(numbers.sort());
  };

  it('are known with the one that each stood nearest to', () => {
    expect([...findNear(lines, ['openName'])]).toEqual([
      ['joinName', 1],
      ['leftName', 1],
      ['heldName', 1],
      ['pathName', 1],
    ]);
    expect(findNear(lines, ['joinName', 'leftName, heldName']).get('openName')).toBe(2);
    expect(findNear(lines, ['joinName', 'openName']).get('heldName')).toBe(1);
  });

  it('stood in the same file, and not far away', () => {
    const far = linesOf('openName', `${'x '.repeat(110)}leftName`, 'pathName');
    expect([...findNear(far, ['openName']).keys()]).toEqual(['leftName']);
    const [one, other] = linesOf('openName', 'pathName').statements ?? [];
    const apart = { ...lines, statements: [one, { ...other, about: 'b.ts' }] as readonly StatementEvidence[] };
    expect(findNear(apart, ['openName']).size).toBe(0);
  });

  it('are told behind it; others of its file behind the last line before them', () => {
    const { statements = [] } = linesOf('joinName', 'openName', 'x'.repeat(250), 'leftName', 'pathName', 'heldName');
    const chooser: StatementChooser = {
      orderOf: (number) => number,
      findNear: () => new Map([['pathName', 0]]),
      choose(_, take) {
        for (const number of [3, 0]) take(statements[number] as StatementEvidence, number);
      },
    };
    const entry = (text: string, order: number, file = 'a.ts') => ({ identifier: text, text, order, file });
    const room = { before: '', allowance: 1_000, cost: (text: string) => text.length, root: '', messagesBefore: 0 };
    const chosen = fillStatements('## Lines', chooser, room);
    const names = [entry('heldName', 5), entry('openName', 1), entry('pathName', 4, 'b.ts'), entry('overName', -1)];
    expect(names.map(chosen.hasPlace)).toEqual([true, true, true, true]);
    expect(chosen.hasPlace(entry('elseName', 4, 'b.ts'))).toBe(false);
    expect(chosen.write(names)).toBe(
      '## Lines\na.ts #1\n> joinName\n … overName openName pathName\n> leftName\n … heldName\n',
    );
  });

  it('come before others in the index', () => {
    const walk = newIndex(lines, readBeside(''));
    const namesNear = (near: readonly string[]): readonly string[] =>
      [...walk('', new Map(near.map((name) => [name, 0])))].map(({ text }) => text);
    expect(namesNear([])[0]).toBe('heldName');
    expect(namesNear(['pathName', 'openName']).slice(0, 2)).toEqual(['openName', 'pathName']);
  });

  it('bring those that stood near them into the index: what belongs together is told together', () => {
    const apart = linesOf('joinName, openName', 'x'.repeat(250), 'x'.repeat(250), 'leftyName, heldName, overyName');
    const often = (one: IdentifierEvidence) => (one.identifier === 'heldName' ? { ...one, inResults: 2 } : one);
    const walk = newIndex({ ...apart, identifiers: apart.identifiers.map(often) }, readBeside(''));
    const told = [...walk('', new Map())].map(({ text }) => text);
    // By themselves those of nine letters are worth less than those of eight.
    expect(told[0]).toBe('heldName');
    expect(told.slice(1, 3).sort()).toEqual(['leftyName', 'overyName']);
  });
});

it('words that hyphens join are names, and in the index, where they stood in quotes or behind an equals sign', () => {
  const texts = [
    'runHook("post-commit")',
    'mode=read-only',
    'the silent-drop of it',
    'what pre-push is',
    'a "quoted" follow-up',
  ];
  const words = texts.flatMap((line) => line.match(/[a-z]+-[a-z]+/g) ?? []);
  const identifiers = words.map((word) => ({ ...nameOf(word), inCalls: 1, used: 0 }));
  const walk = newIndex({ ...linesOf(...texts), identifiers }, readBeside(''));
  const told = [...walk('', new Map())].map(({ text }) => text);
  expect(told.sort()).toEqual(['post-commit', 'read-only']);
});

describe('what stands beside a digest', () => {
  const chooseBeside = (evidence: Evidence, text: string): readonly string[] => {
    const order: string[] = [];
    const chooser = newStatementChooser(evidence, readBeside(text));
    chooser.choose('', (one) => order.push(one.text) > 0);
    return order;
  };

  it('is not told again: neither a name, nor two names together, nor a line', () => {
    const evidence = linesOf('join(openName, pathName)', 'rareName = 1');
    expect(chooseBeside(evidence, 'openName reads pathName, and rareName = 1.')).toEqual([]);
    expect(chooseBeside(linesOf('join(openName, pathName)'), 'It is pathName.')).toEqual(['join(openName, pathName)']);
    const entries = [...newIndex(evidence, readBeside('It is openName.'))('', new Map())];
    expect(entries.map(({ text }) => text)).not.toContain('openName');
  });

  it('names that stand there far from each other are still told together', () => {
    const evidence = linesOf('join(openName, pathName)');
    expect(chooseBeside(evidence, `openName ${'and so on '.repeat(20)} pathName`)).toEqual([
      'join(openName, pathName)',
    ]);
  });

  it('a file by itself, as a listing shows it, is no statement', () => {
    const evidence = { ...linesOf('openName(pathName)'), files: [] };
    const listed: StatementEvidence = { text: './src/openName.ts', source: 'shown', about: '$ ls', at: 0 };
    const told = chooseBeside({ ...evidence, statements: [listed, ...(evidence.statements ?? [])] }, '');
    expect(told).toEqual(['openName(pathName)']);
  });

  it('nor is a folder by itself', () => {
    const folder = { ...nameOf('src/open/'), kind: 'path' as const, inCalls: 9, used: 99, last: 99 };
    const evidence = linesOf('openName(pathName)', '`src/open/`', 'look in src/open/ first');
    const told = chooseBeside({ ...evidence, identifiers: [...evidence.identifiers, folder] }, '');
    expect(told).toEqual(['look in src/open/ first', 'openName(pathName)']);
  });
});
