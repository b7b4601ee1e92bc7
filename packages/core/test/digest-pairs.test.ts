import { describe, expect, it } from 'vitest';
import { readBeside } from '../src/digest/choose/beside.ts';
import { newStatementChooser } from '../src/digest/choose/choose-statements.ts';
import { newIndex } from '../src/digest/choose/identifier-index.ts';
import {
  type Evidence,
  type IdentifierEvidence,
  noEvidence,
  type StatementEvidence,
} from '../src/digest/evidence/evidence.ts';
import { runSteps } from '../src/steps.ts';

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
    const chooser = runSteps(newStatementChooser(evidence, readBeside('')));
    runSteps(chooser.choose('', ({ text }) => order.push(text) > 0));
    expect(order[0]).toContain('openName, pathName');
    expect(order[1]).toBe('join(someName, rareName)');
  });

  it('stand in the index where they last stood, not where they first did', () => {
    const evidence = linesOf('firstName', 'otherName', 'lastName and firstName');
    const entries = [...runSteps(newIndex(evidence, readBeside('')))('')].sort((one, other) => one.order - other.order);
    expect(entries.map(({ text }) => text)).toEqual(['otherName', 'lastName', 'firstName']);
  });
});

describe('what stands beside a digest', () => {
  const chooseBeside = (evidence: Evidence, text: string): readonly string[] => {
    const order: string[] = [];
    const chooser = runSteps(newStatementChooser(evidence, readBeside(text)));
    runSteps(chooser.choose('', (one) => order.push(one.text) > 0));
    return order;
  };

  it('is not told again: neither a name, nor two names together, nor a line', () => {
    const evidence = linesOf('join(openName, pathName)', 'rareName = 1');
    expect(chooseBeside(evidence, 'openName reads pathName, and rareName = 1.')).toEqual([]);
    expect(chooseBeside(linesOf('join(openName, pathName)'), 'It is pathName.')).toEqual(['join(openName, pathName)']);
    const entries = [...runSteps(newIndex(evidence, readBeside('It is openName.')))('')];
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
});
