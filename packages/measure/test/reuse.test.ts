import { assistant, type Message, user } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { cutSession, findSessionBoilerplate, selectSessions } from '../src/digest/cut-recordings.ts';
import { readMessage } from '../src/digest/message-text.ts';
import { listNames, listPairs } from '../src/digest/names.ts';
import { listPhrases } from '../src/digest/phrases.ts';
import { findReuse, scoreReuse } from '../src/digest/reuse.ts';
import { newScoreSheet } from '../src/digest/score-sheet.ts';
import { type DigestFunction, newDigestText, newNewestText, newRarestLines } from '../src/digest/text-makers.ts';
import { callTool, numberMessages } from './conversation.ts';

const facts = Array.from({ length: 8 }, (_, n) => `the workerPool${n} keeps queue_${n} below limit ${n}00 rows`);
const past = numberMessages([user('Look around.'), ...callTool('Read', { path: 'src/pool.ts' }, facts.join('\n'))]);
const tail = numberMessages([assistant(`I saw that ${facts[7]}.`)], 50);
const future = numberMessages(
  facts.map((fact) => assistant(`Mind: ${fact}. And brandNewName.`)),
  100,
);
const never = (): boolean => false;
const reuse = findReuse({ past, tail, future }, never);

describe('reuse after a cut', () => {
  it('counts what the agent used again and had not been shown since the cut', () => {
    expect(reuse.phrases).toHaveLength(7);
    expect(reuse.phrases[0]).toContain('keeps queue_0 below limit');
    expect(reuse.phrases.flat().join('\n')).not.toContain('queue_7');
    expect([...reuse.names]).toContain('workerPool0');
    expect(reuse.names).not.toContain('brandNewName');
    expect(reuse.pairs).toContain(['queue_3', 'workerPool3'].join('\0'));
  });

  it('scores an empty text 0, the whole past 1, and a list of names without phrases', () => {
    expect(scoreReuse(reuse, '')).toEqual({ phrases: 0, relations: 0, names: 0 });
    expect(scoreReuse(reuse, past.map(readMessage).join('\n'))).toEqual({ phrases: 1, relations: 1, names: 1 });
    const bare = scoreReuse(reuse, reuse.names.join(', '.repeat(60)));
    expect(bare).toEqual({ phrases: 0, relations: 0, names: 1 });
  });

  it('does not count phrases of three projects', () => {
    const messages = numberMessages([assistant('keeps queue_0 below limit')]);
    const isBoilerplate = findSessionBoilerplate(['a', 'b', 'c'].map((project) => ({ project, messages })));
    expect(isBoilerplate('keeps queue_0 below limit')).toBe(true);
    const two = findSessionBoilerplate(['a', 'a', 'b'].map((project) => ({ project, messages })));
    expect(two('keeps queue_0 below limit')).toBe(false);
    expect(findReuse({ past, tail, future }, isBoilerplate).phrases[0]).not.toContain('keeps queue_0 below limit');
  });

  it('reads words, names by their last step, and pairs within 100 characters', () => {
    expect([...listPhrases('const a = b + 中文')]).toEqual(['const a b 中', 'a b 中 文']);
    expect([...listPhrases('- - x x x x')]).toEqual([]);
    expect([...listNames('src/deep/pool.ts maxRows abc1234 --dry-run word')]).toEqual([
      'pool.ts',
      'maxRows',
      'abc1234',
      '--dry-run',
    ]);
    const wanted = new Set(['oneName', 'twoName']);
    expect(listPairs(`oneName ${' '.repeat(80)} twoName`, wanted).size).toBe(1);
    expect(listPairs(`oneName ${' '.repeat(110)} twoName`, wanted).size).toBe(0);
  });
});

describe('cuts of a session', () => {
  const pad = (n: number): string => `${n} ${'filler '.repeat(1_000)}`;
  const messages: readonly Message[] = numberMessages(
    Array.from({ length: 60 }, (_, n) =>
      n === 0 ? user(`${pad(n)} ${facts.join('\n')}`) : assistant(`${pad(n)} ${n > 40 ? facts[n % 8] : ''}`),
    ),
  );

  it('leave 40,000 characters to the tail and need enough past', () => {
    const cuts = [...cutSession({ project: 'a', messages }, never)];
    expect(cuts.length).toBeGreaterThan(0);
    for (const cut of cuts) {
      const size = cut.tail.reduce((sum, message) => sum + readMessage(message).length, 0);
      expect(size).toBeGreaterThanOrEqual(40_000);
      expect(size).toBeLessThan(48_000);
      expect([...cut.past, ...cut.tail, ...cut.future]).toEqual(messages);
    }
    expect([...cutSession({ project: 'a', messages: messages.slice(0, 8) }, never)]).toEqual([]);
  });

  it('take at most five long sessions of a project', () => {
    const long = Array.from({ length: 7 }, () => ({ project: 'a', messages }));
    expect(selectSessions([...long, { project: 'b', messages: past }])).toHaveLength(5);
  });
});

describe('texts that stand for the past', () => {
  const full = 'x'.repeat(5_000);
  const write: DigestFunction = (_, { maxChars, beside = '' }) => ({
    sections: [
      { name: 'user', text: full.slice(0, maxChars / 2) },
      { name: 'files', text: `${beside}${'y'.repeat(5_000)}`.slice(0, maxChars / 2) },
    ],
  });

  it('ask a digest for more until what is not the user’s fills the size', () => {
    const text = newDigestText(write)(past, tail, 1_000);
    expect(text.length).toBeGreaterThan(980);
    expect(text.length).toBeLessThanOrEqual(1_000);
    expect(text).not.toContain('x');
    expect(newDigestText(write, { withUser: true })(past, tail, 1_000)).toContain('x');
    expect(newDigestText(write, { takesBeside: true })(past, tail, 1_000)).toContain('I saw that');
  });

  it('never are larger than asked and hold nothing of the user', () => {
    for (const write of [newNewestText(), newRarestLines()]) {
      expect(write(past, tail, 100).length).toBeLessThanOrEqual(100);
      expect(write(past, tail, 100)).not.toBe('');
      expect(write(past, tail, 10_000)).not.toContain('Look around');
    }
  });

  it('hold the rarest line of every source first', () => {
    const filler = Array.from({ length: 20 }, (_, n) => `import the next module number ${n}`);
    const rare = ['retry budget equals seventeen', 'shard zürich is read only'];
    const read = numberMessages(
      rare.flatMap((line) => callTool('Read', { path: 'a' }, [...filler, line, ...filler].join('\n'))),
    );
    const text = newRarestLines()(read, [], 90);
    for (const line of rare) expect(text).toContain(line);
  });
});

describe('scores', () => {
  it('are means over projects of means over cuts, with an interval that is the same in every run', () => {
    const sheet = newScoreSheet();
    for (const value of [0, 1, 1, 1]) sheet.add('row', 'a', value);
    sheet.add('row', 'b', 0.25);
    expect(sheet.read('row')).toEqual({ mean: 0.5, interval: { low: 0.25, high: 0.75 } });
    expect(sheet.count('row')).toEqual({ projects: 2, values: 5 });
    expect(sheet.read('none').mean).toBeNaN();
  });
});
