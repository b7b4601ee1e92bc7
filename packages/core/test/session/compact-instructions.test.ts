import { describe, expect, it } from 'vitest';
import {
  assistant,
  createSession,
  dropOldestRounds,
  findCompactInstructions,
  type SessionOptions,
  summarizeHistory,
  user,
} from '../../src/index.ts';
import { good } from '../summarizers.ts';
import { long, textOf } from '../texts.ts';

const FILE = `# Project

Use tabs.

## Compact Instructions

Keep every test name.
### Also
Mind the schema.

## Style
Short lines.`;

describe('compact instructions of a project', () => {
  it('are what stands under their heading, with what is below it, up to the next heading', () => {
    expect(findCompactInstructions(FILE)).toBe('Keep every test name.\n### Also\nMind the schema.');
    expect(findCompactInstructions('# Summary instructions\nshort')).toBe('short');
    expect(findCompactInstructions('## compact instructions ##\n\n')).toBeUndefined();
    expect(findCompactInstructions('Compact Instructions\nno heading')).toBeUndefined();
    expect(findCompactInstructions('')).toBeUndefined();
  });

  const requestOf = async (options: Partial<SessionOptions>): Promise<string> => {
    const summarizer = good();
    const layers = [summarizeHistory(), dropOldestRounds()];
    const session = createSession({ window: 8_000, layers, drafts: false, ports: { summarizer }, ...options });
    for (let i = 0; i < 60; i++) {
      session.append(user(`Do ${i} ${long('this and that', 20)}`));
      session.append(assistant(`Done ${i} ${long('so and so', 20)}`));
    }
    await session.view();
    return textOf(summarizer.requests[0]!.messages);
  };

  it('reach the summary out of the system prompt, and nothing else of it does', async () => {
    const asked = await requestOf({ system: FILE });
    expect(asked).toContain('Mind this in particular: Keep every test name.');
    expect(asked).not.toContain('Use tabs.');
    expect(await requestOf({ system: 'Be terse.' })).not.toContain('Mind this in particular');
  });

  it('may be stated: the words themselves, or a file that has the section', async () => {
    expect(await requestOf({ compactInstructions: 'Keep the numbers.' })).toContain(
      'Mind this in particular: Keep the numbers.',
    );
    const asked = await requestOf({ compactInstructions: FILE, system: '# Compact instructions\nothers' });
    expect(asked).toContain('Mind the schema.');
    expect(asked).not.toContain('Use tabs.');
    expect(asked).not.toContain('others');
  });
});
