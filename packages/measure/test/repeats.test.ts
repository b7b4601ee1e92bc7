import { estimatePart, type Message, user } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { findRepeats } from '../src/needs/repeats.ts';
import { callTool, numberMessages } from './conversation.ts';

const read = (file: string, output = 'x') => callTool('Read', { file_path: file }, output);
const run = (command: string, output = 'ok') => callTool('Bash', { command }, output);

const before = numberMessages([...read('/a.ts'), ...read('/b.ts'), ...run('make'), ...run('npm test')]);
const left: readonly Message[] = [...numberMessages([user('summary')], 50), ...before.slice(2, 4)];
const after = numberMessages(
  [
    ...read('/a.ts', 'short'),
    ...read('/a.ts', 'much longer than the other one'),
    ...read('/b.ts'),
    ...read('/c.ts'),
    ...run('make', 'made'),
    ...run('ls'),
  ],
  100,
);

const sizeOf = (message: Message | undefined): number =>
  (message?.parts ?? []).reduce((sum, part) => sum + estimatePart(part), 0);

describe('what had to be done again', () => {
  it('is what was read or run before, is out of view, and was read or run after; with the tokens of its results', () => {
    expect(findRepeats(before, left, after, [])).toEqual({
      reads: [{ what: '/a.ts', times: 2, tokens: sizeOf(after[1]) + sizeOf(after[3]) }],
      commands: [{ what: 'make', times: 1, tokens: sizeOf(after[9]) }],
    });
  });

  it('counts a file whose result was blanked as out of view', () => {
    const [part] = before[2]?.parts ?? [];
    const cleared = part?.type === 'call' ? [part.callId] : [];
    expect(findRepeats(before, left, after, cleared).reads.map(({ what }) => what)).toEqual(['/a.ts', '/b.ts']);
  });

  it('leaves out what an agent polls: what it ran again while it could still see it, and a second run since', () => {
    const polled = numberMessages([...run('gh run view'), ...run('gh run view'), ...run('make')]);
    const again = numberMessages([...run('gh run view'), ...run('make'), ...run('make')], 100);
    expect(findRepeats(polled, [], again, []).commands).toMatchObject([{ what: 'make', times: 1 }]);
  });
});
