import { describe, expect, it } from 'vitest';
import { assistant, call, result, results, summarizeHistory, user } from '../../src/index.ts';
import { folding, summed, tight, turns } from '../support/summaries.ts';
import { type Circumstances, decided, inChars, walkWith } from '../support/walks.ts';
import { textOf } from '../texts.ts';

const draft = (upTo: string, text: string) =>
  ({
    type: 'draft',
    draft: { upTo, fact: { type: 'summary', key: 'k', text, flagged: [], calls: 1, usage: {} } },
  }) as const;

/** Ten turns; one early answer holds values of which the agent uses one again behind the draft. */
const history = [
  user('look at the limits', 'u'),
  assistant([call('r', 'mcp__lab__read', { of: 'limits' })], 'c'),
  results(
    [result('r', `${'filler line of no use\n'.repeat(30)}LIMIT_059 = 766390\nLIMIT_060 = 1\n${'x\n'.repeat(40)}`)],
    'r',
  ),
  ...turns(8),
  assistant('Now LIMIT_059 is to be raised, as in LIMIT_059 above.', 'a-new'),
  user('go on', 'u-new'),
];
const install = (text: string, more: Circumstances = {}) =>
  walkWith(history, [folding(summarizeHistory({ attach: false, evidenceTokens: 236, evidenceLeast: 236 }))], {
    ...inChars,
    budget: tight({ target: 5600 }),
    ledger: decided({ entries: [draft('a6', text)] }),
    ports: ['summary'],
    ...more,
  });

describe('a draft at the moment when it is installed', () => {
  it('gets the line of what the agent has used since, where neither it nor the evidence shows it', () => {
    const made = install('THE DRAFT');
    expect(made.needs).toEqual([]);
    const shown = textOf([made.view[1]!]);
    expect(shown).toContain('THE DRAFT');
    expect(shown).toContain('## Used since (quoted)\n- [r] LIMIT_059 = 766390');
    expect(shown).not.toContain('LIMIT_060 = 1');
  });

  it('gets nothing that it says already', () => {
    expect(textOf([install('LIMIT_059 = 766390 it says').view[1]!])).not.toContain('Used since');
  });

  it('a summary that was asked for just now gets nothing', () => {
    const made = summed({}, { ports: [] });
    expect(textOf([made.view[1]!])).not.toContain('Used since');
  });
});
