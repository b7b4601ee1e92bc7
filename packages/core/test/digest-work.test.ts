import { describe, expect, it } from 'vitest';
import { conclusionItems, errorItems, progressItems } from '../src/digest/choose/work-items.ts';
import { noEvidence } from '../src/digest/evidence/evidence.ts';
import { isNoise } from '../src/digest/read/is-noise.ts';
import { fillSection } from '../src/digest/write/fill-section.ts';

const error = (text: string, at: number, gone = false) => ({ text, source: 'npm test', gone, at });
const words = (text: string, at: number) => ({ text, message: `m${at}`, at });

describe('what a digest says of the work', () => {
  it('of one call the error stands before how many failed, and the newest call before older ones', () => {
    const errors = [
      error('Older', 1),
      error('2 failed, 14 passed', 2),
      error('TypeError: no id', 2),
      error('Gone', 3, true),
    ];
    expect(errorItems({ ...noEvidence, errors }).map(({ text }) => text.split(' ←')[0])).toEqual([
      '- TypeError: no id',
      '- 2 failed, 14 passed',
      '- Older',
      '- Gone',
    ]);
  });

  it('a conclusion is told once, as the longer of two that say it', () => {
    const conclusions = [
      words('Two faults.', 1),
      words('The pool leaks.', 2),
      words('The pool leaks. It is closed now.', 2),
    ];
    expect(conclusionItems({ ...noEvidence, conclusions }).map(({ text }) => text)).toEqual([
      '- The pool leaks. It is closed now.',
      '- Two faults.',
    ]);
  });

  it('a folder with one file is the path of that file; one with more is told before them', () => {
    const items = ['a.ts*', 'b.ts'].map((text) => ({ text, group: 'src/one/' }));
    const write = (all: Parameters<typeof fillSection>[1]): string =>
      fillSection('## Files', all, 1_000, (text) => text.length, { between: ' ' });
    expect(write([...items, { text: 'c.ts+', group: 'src/two/' }])).toBe(
      '## Files\nsrc/one/: a.ts* b.ts\nsrc/two/c.ts+\n',
    );
    expect(write([{ text: '`a b.ts`*', group: 'src/' }])).toBe('## Files\nsrc/: `a b.ts`*\n');
    expect(write([{ text: 'a.ts', group: 'edited' }])).toBe('## Files\nedited: a.ts\n');
  });

  it('what was said last stands there whole, or with enough of it to say something', () => {
    const said = 'I looked at the pool first, since it leaks; now the tests of it come, one by one. '.repeat(4);
    const lastCall = { tool: 'Bash', what: 'npm test', outcome: 'ok' } as const;
    const items = progressItems({ ...noEvidence, lastCall, lastSaid: words(said, 1) });
    const write = (allowance: number): string =>
      fillSection('## State', items, allowance, (text) => text.length, { between: '\n' });
    expect(write(120)).toBe('## State\nLast call: Bash npm test (ok)\n');
    expect(write(260)).toMatch(/^Last said: I looked at .{80,}…$/m);
    const brief = progressItems({ ...noEvidence, lastSaid: words('It leaks.', 1) });
    expect(fillSection('## State', brief, 60, (text) => text.length, { between: '\n' })).toContain('It leaks.');
  });

  it('the heads of a patch are no statement', () => {
    expect(isNoise('*** Update File: src/a.ts')).toBe(true);
    expect(isNoise('*** it matters')).toBe(false);
  });

  it.each([
    '<output>',
    '</stdout-1>',
    '✓ works',
    '✔ works',
    '√ works',
    'diff --git a/x b/x',
    'index 0123abc..def4567',
    '@@ -1,2 +3,4 @@',
    '--- a/x.ts',
    '+++ b/x.ts',
    '<system-reminder and more',
    'The file a.ts has been updated',
    'Created a.ts',
    'created a.ts, 12 lines',
    'Deleted a.ts.',
    'deleted a.ts',
    'Edited a.ts',
    'edited a.ts',
    'Updated a.ts',
    'updated a.ts',
    'Wrote a.ts',
    'wrote a.ts',
    'Found 12 files',
    'total 48',
    'import { a, b } from "c"',
    'Co-Authored-By: x',
    'Chunk ID: 5f3a',
    '*** End Patch',
    'Original token count: 1200',
  ])('what tools say around what they have to say is no statement: %s', (line) => {
    expect(isNoise(line)).toBe(true);
    expect(isNoise(`x${line}`)).toBe(false);
  });

  it('a line of one letter, or of other scripts, is one', () => {
    expect(['d', '', '中文', 'é_1', 'd\u4e00', '-'].map(isNoise)).toEqual([false, false, false, false, false, false]);
  });
});
