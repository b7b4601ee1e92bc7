import { expect, it } from 'vitest';
import { readBlock, replaceBlock } from '../replace-block.mjs';
import { identify } from './accepted.mjs';
import { openEntries, reportLines, score } from './report.mjs';
import { parseRoom } from './rooms.mjs';

const mutant = (status, more = {}) => ({
  file: 'packages/core/src/layers/a.ts',
  line: 3,
  code: 'if (a || b) continue;',
  original: 'a || b',
  mutator: 'LogicalOperator',
  replacement: 'a && b',
  status,
  ...more,
});

it('a room, a file of it, a room of another package', () => {
  expect(parseRoom('layers')).toEqual({ name: 'core', room: 'layers', file: undefined });
  expect(parseRoom('layers/summarize-history/span.ts')).toEqual({
    name: 'core',
    room: 'layers',
    file: 'summarize-history/span',
  });
  expect(parseRoom('wire:gemini')).toEqual({ name: 'wire', room: 'gemini', file: undefined });
  expect(() => parseRoom(undefined)).toThrow('is no room');
});

it('a reason stays with its mutant when lines move and spaces change, not when the code does', () => {
  const moved = mutant('Survived', { line: 90, code: '  if (a || b)  continue;' });
  expect(identify(moved)).toBe(identify(mutant('Survived')));
  expect(identify(mutant('Survived', { original: 'a' }))).not.toBe(identify(mutant('Survived')));
});

it('counts what was killed, what is reasoned and what is open; a timeout is a kill', () => {
  const odd = mutant('Survived', { original: 'a', replacement: 'false' });
  const mutants = [mutant('Killed'), mutant('Timeout'), mutant('NoCoverage', { original: 'b' }), odd];
  const accepted = new Map([[identify(odd), 'the loop below sees it too']]);
  expect(score(mutants, accepted)).toEqual({ total: 4, killed: 2, reasoned: 1, open: 1 });
  expect(openEntries(mutants, accepted).map(({ original }) => original)).toEqual(['b']);
  const lines = reportLines('layers', mutants, accepted).join('\n');
  expect(lines).toContain('50.0 %     2 of 4        1 reasoned    1 open  layers');
  expect(lines).toContain('packages/core/src/layers/a.ts:3 LogicalOperator (no test comes here)');
});

it('says which reasons are no longer needed', () => {
  const accepted = new Map([[identify(mutant('Survived')), 'old']]);
  expect(reportLines('layers', [mutant('Killed')], accepted).join('\n')).toContain('no longer survives');
});

it('a block of a page is replaced, and the rest of the page is not', () => {
  const page = 'before\n<!-- x: generated -->\nold $&\n<!-- x: end -->\nafter\n';
  const next = replaceBlock(page, 'x', 'new $& one');
  expect(readBlock(next, 'x')).toBe('new $& one');
  expect(next.startsWith('before\n') && next.endsWith('after\n')).toBe(true);
  expect(() => replaceBlock(page, 'y', 'lines')).toThrow('no block');
});
