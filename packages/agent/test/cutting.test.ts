import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSession, user } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { grepTool } from '../src/tools/grep.ts';
import { loadSkillTool } from '../src/tools/load-skill.ts';
import { runCommand } from '../src/tools/process-group.ts';
import { readFileTool } from '../src/tools/read-file.ts';
import { newReadMemory } from '../src/tools/read-memory.ts';
import { recallTool } from '../src/tools/recall.ts';
import { folderAt } from '../src/world/folder.ts';
import { readInstructions } from '../src/world/instructions.ts';
import { newFolder } from './support/launch.ts';

const { signal } = new AbortController();
const HALF = /\p{Surrogate}/u;
/** Cut after an even and after an odd number of characters, one of the two goes through a pair. */
const shifts = ['', 'x'];

describe.each(shifts)('no cut of a tool leaves half a pair (%j before them)', (before) => {
  const faces = (count: number): string => before + '😀'.repeat(count);

  it('of a command that prints without end', async () => {
    const command = `node -e "process.stdout.write('${before}' + '😀'.repeat(500000))"`;
    const { output, cutChars } = await runCommand(command, { cwd: newFolder(), timeoutMs: 30_000, signal });
    expect(cutChars).toBeGreaterThan(0);
    expect(output).not.toMatch(HALF);
    expect(output.replace(/\n\[.*\]\n/, '').length + cutChars).toBe(faces(500_000).length);
  });

  it('of a file that is too long for one answer, of a line that matches, of a skill, of instructions', async () => {
    const root = newFolder();
    writeFileSync(join(root, 'faces.txt'), faces(200_000));
    writeFileSync(join(root, 'AGENTS.md'), faces(2_000));
    mkdirSync(join(root, 'skills'));
    const folder = folderAt(root);
    const read = await readFileTool(folder, newReadMemory()).run({ path: 'faces.txt' }, { signal });
    const found = await grepTool(folder).run({ pattern: '.', files: 'faces.txt' }, { signal });
    const skill = { name: 'one', description: faces(300), file: 'x' };
    const said = [
      read.text,
      found.text,
      loadSkillTool([skill], () => {}).description,
      JSON.stringify((await readInstructions(root, 1_001))?.message),
      JSON.stringify((await readInstructions(root, 1_000))?.message),
    ];
    for (const text of said) {
      expect(text).toContain('😀');
      expect(text).not.toMatch(HALF);
      expect(text).not.toMatch(/\\ud[89a-f]/i);
    }
  });

  it('of a page that is recalled, and of a line that is found', async () => {
    const session = createSession({ window: 60_000 });
    session.append(user(`needle ${faces(2_000)}`));
    const recall = recallTool(() => session, 1_001);
    for (const input of [{ reference: 'm1' }, { reference: 'm1', page: 2 }, { query: 'needle' }]) {
      const { text } = await recall.run(input, { signal });
      expect(text).toContain('😀');
      expect(text).not.toMatch(HALF);
    }
  });
});
