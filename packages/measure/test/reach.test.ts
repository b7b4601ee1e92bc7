import { assistant, user } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { addReaches, listWanted, measureReach } from '../src/reach/reach.ts';
import { callTool, numberMessages } from './conversation.ts';

const after = numberMessages([
  user('the user says MAX_DEPTH first'),
  assistant(`${'far away '.repeat(30)}the deepest nesting is MAX_DEPTH, as the parser has it.`),
  ...callTool('Bash', { command: 'grep -rn parseLine src' }, 'parseLine'),
  assistant('MAX_DEPTH again'),
]);

describe('a name out of view', () => {
  it('is asked for by 150 characters on each side of its first use by the agent, without itself', () => {
    const [depth, line] = listWanted(['MAX_DEPTH', 'parseLine', 'neverUsed'], after);
    expect(depth?.name).toBe('MAX_DEPTH');
    expect(depth?.query).toMatch(/the deepest nesting is {2}, as the parser has it\.$/);
    expect(depth?.query.length).toBeLessThanOrEqual(301);
    expect(line).toEqual({ name: 'parseLine', query: 'grep -rn   src' });
  });

  it('is found where a passage holds it as a word of its own, within 1,500 characters', () => {
    const wanted = [{ name: 'MAX_DEPTH', query: 'deepest' }];
    const search = (...passages: readonly string[]) => measureReach(wanted, () => passages);
    expect(search('MAX_DEPTH = 3')).toEqual({ wanted: 1, first: 1, five: 1, ten: 1 });
    expect(search('MAX_DEPTHS', 'in limits.MAX_DEPTH')).toEqual({ wanted: 1, first: 0, five: 1, ten: 1 });
    expect(search(`${'x '.repeat(750)} MAX_DEPTH`)).toEqual({ wanted: 1, first: 0, five: 0, ten: 0 });
  });

  it('adds up', () => {
    const one = { wanted: 2, first: 1, five: 1, ten: 2 };
    expect(addReaches([one, one])).toEqual({ wanted: 4, first: 2, five: 2, ten: 4 });
  });
});
