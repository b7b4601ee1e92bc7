import { describe, expect, it } from 'vitest';
import { conclusionItems, errorItems } from '../src/digest/choose/work-items.ts';
import { noEvidence } from '../src/digest/evidence/evidence.ts';
import { isNoise } from '../src/digest/read/find-statement.ts';

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

  it('the heads of a patch are no statement', () => {
    expect(isNoise('*** Update File: src/a.ts')).toBe(true);
    expect(isNoise('*** it matters')).toBe(false);
  });
});
