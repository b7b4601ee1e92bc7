import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assistant, call, createSession, result, results, user } from '@palimpsest/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bashTool } from '../src/tools/bash.ts';
import { editFileTool } from '../src/tools/edit-file.ts';
import { globTool } from '../src/tools/glob.ts';
import { globPattern } from '../src/tools/glob-pattern.ts';
import { grepTool } from '../src/tools/grep.ts';
import { loadSkillTool } from '../src/tools/load-skill.ts';
import { readFileTool } from '../src/tools/read-file.ts';
import { newReadMemory } from '../src/tools/read-memory.ts';
import { recallTool } from '../src/tools/recall.ts';
import { todoWriteTool } from '../src/tools/todo-write.ts';
import { writeFileTool } from '../src/tools/write-file.ts';
import { folderAt } from '../src/world/folder.ts';
import { allowAll, askingPermission, type Permission, refuseAll } from '../src/world/permission.ts';
import { readSkills } from '../src/world/skills.ts';
import { eventually } from './support/eventually.ts';
import { newFolder } from './support/launch.ts';

const { signal } = new AbortController();

function ground(permission: Permission = refuseAll) {
  const root = newFolder();
  const folder = folderAt(root);
  const memory = newReadMemory();
  const put = (name: string, content: string): void => {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), content);
  };
  return {
    root,
    folder,
    memory,
    put,
    read: (name: string) => readFileSync(join(root, name), 'utf8'),
    writing: { folder, memory, permission },
  };
}

describe('read_file', () => {
  it('names the file and its lines, and reads a part where one is asked for', async () => {
    const { folder, memory, put } = ground();
    put('a.txt', 'one\ntwo\nthree\n');
    const tool = readFileTool(folder, memory);
    expect((await tool.run({ path: 'a.txt' }, { signal })).text).toBe('a.txt (lines 1 to 3 of 3)\none\ntwo\nthree');
    expect((await tool.run({ path: './a.txt', offset: 2, limit: 1 }, { signal })).text).toBe(
      'a.txt (lines 2 to 2 of 3; read on with offset 3)\ntwo',
    );
  });

  it('shows an unchanged file once, a changed one again, and all again when told to forget', async () => {
    const { folder, memory, put } = ground();
    put('a.txt', 'one\n');
    const tool = readFileTool(folder, memory);
    const text = async (): Promise<string> => (await tool.run({ path: 'a.txt' }, { signal })).text;
    expect(await text()).toContain('one');
    expect(await text()).toBe('a.txt has not changed since you read it above.');
    put('a.txt', 'two\n');
    expect(await text()).toContain('two');
    expect(await text()).toContain('not changed');
    memory.forget();
    expect(await text()).toContain('two');
  });

  it.each([
    ['nowhere.txt', /no file/],
    ['dir', /is a folder/],
    ['binary', /no text file/],
  ])('says why %s cannot be read', async (path, why) => {
    const { folder, memory, put } = ground();
    put('dir/x', '');
    put('binary', 'a\0b');
    expect(await readFileTool(folder, memory).run({ path }, { signal })).toMatchObject({
      isError: true,
      text: expect.stringMatching(why),
    });
  });

  it('tells the model what is wrong with its input', async () => {
    const { folder, memory } = ground();
    const answer = await readFileTool(folder, memory).run({ offset: 'x' }, { signal });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('path') });
  });
});

describe('writing', () => {
  it('inside the folder needs no permission and makes the folders on the way', async () => {
    const { writing, read } = ground();
    const answer = await writeFileTool(writing).run({ path: 'deep/er/a.txt', content: 'x\n' }, { signal });
    expect(answer).toEqual({ text: 'Wrote deep/er/a.txt (1 line).' });
    expect(read('deep/er/a.txt')).toBe('x\n');
  });

  it.each(['../outside.txt', 'link/outside.txt'])(
    'outside it (%s) is refused without permission, and writes nothing',
    async (path) => {
      const { writing, root } = ground();
      const elsewhere = newFolder();
      symlinkSync(elsewhere, join(root, 'link'));
      const answer = await writeFileTool(writing).run({ path, content: 'x' }, { signal });
      expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('--allow') });
      expect(existsSync(join(root, path))).toBe(false);
    },
  );

  it('outside it is done when it is allowed', async () => {
    const elsewhere = newFolder();
    const { writing } = ground(allowAll);
    await writeFileTool(writing).run({ path: join(elsewhere, 'a.txt'), content: 'x' }, { signal });
    expect(readFileSync(join(elsewhere, 'a.txt'), 'utf8')).toBe('x');
  });

  it('makes a file worth reading again', async () => {
    const { writing, folder, memory, put } = ground();
    put('a.txt', 'one\n');
    const reader = readFileTool(folder, memory);
    await reader.run({ path: 'a.txt' }, { signal });
    await writeFileTool(writing).run({ path: 'a.txt', content: 'one\n' }, { signal });
    expect((await reader.run({ path: 'a.txt' }, { signal })).text).toContain('one');
  });

  it('by edit replaces a text that stands there once, and only then', async () => {
    const { writing, put, read } = ground();
    put('a.txt', 'one two two');
    const tool = editFileTool(writing);
    expect(await tool.run({ path: 'a.txt', old_text: 'two', new_text: '2' }, { signal })).toMatchObject({
      isError: true,
      text: expect.stringContaining('2 times'),
    });
    expect(await tool.run({ path: 'a.txt', old_text: 'three', new_text: '3' }, { signal })).toMatchObject({
      isError: true,
    });
    expect(read('a.txt')).toBe('one two two');
    await tool.run({ path: 'a.txt', old_text: 'one', new_text: '$&1' }, { signal });
    await tool.run({ path: 'a.txt', old_text: 'two', new_text: '2', all: true }, { signal });
    expect(read('a.txt')).toBe('$&1 2 2');
  });
});

describe('glob and grep', () => {
  it('leave out what a .gitignore leaves out, the nearest one counting; a path that is named is looked into', async () => {
    const { folder, put } = ground();
    put('.gitignore', 'dist/\n*.log\n!kept.log\n/secret.txt\n');
    put('web/.gitignore', '!app.log\ncache\n');
    const files = ['dist/a.js', 'x.log', 'kept.log', 'secret.txt', 'web/secret.txt', 'web/app.log', 'web/cache/b.js'];
    for (const name of files) put(name, 'the mill\n');
    const { text } = await globTool(folder).run({ pattern: '**/*' }, { signal });
    expect(text.split('\n').slice(1).sort()).toEqual(
      ['.gitignore', 'kept.log', 'web/.gitignore', 'web/app.log', 'web/secret.txt'].sort(),
    );
    expect((await grepTool(folder).run({ pattern: 'mill' }, { signal })).text).not.toContain('dist/');
    expect((await grepTool(folder).run({ pattern: 'mill', path: 'dist' }, { signal })).text).toContain('dist/a.js');
  });

  it('list in parts, the next part behind the last name', async () => {
    const { folder, put } = ground();
    for (const name of ['src/a.ts', 'src/a/b.ts', 'src/c.ts', 'node_modules/x.ts', '.git/y.ts']) put(name, 'x');
    const tool = globTool(folder);
    expect((await tool.run({ pattern: '*.ts', limit: 2 }, { signal })).text).toBe(
      '3 files match *.ts (1 to 2 shown):\nsrc/a.ts\nsrc/a/b.ts\n… 1 more: pass after: "src/a/b.ts"',
    );
    expect((await tool.run({ pattern: '*.ts', limit: 2, after: 'src/a/b.ts' }, { signal })).text).toBe(
      '3 files match *.ts (3 to 3 shown):\nsrc/c.ts',
    );
  });

  it('all parts together are the whole list, whatever the names', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.stringMatching(/^[a-c.]{1,3}(\/[a-c.]{1,3})?$/), { maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        async (names, limit) => {
          const { folder, root } = ground();
          for (const name of names.filter((one) => !/(^|\/)\.+(\/|$)/.test(one)))
            try {
              mkdirSync(join(root, name, '..'), { recursive: true });
              writeFileSync(join(root, name), '');
            } catch {
              // A folder of that name is there already.
            }
          const list = async (input: { limit: number; after?: string }): Promise<readonly string[]> =>
            (await globTool(folder).run({ pattern: '**/*', ...input }, { signal })).text.split('\n').slice(1);
          const whole = await list({ limit: 1_000 });
          const parts: string[] = [];
          for (let more = true; more; ) {
            const after = parts.at(-1);
            const part = await list(after === undefined ? { limit } : { limit, after });
            parts.push(...part.filter((name) => !name.startsWith('… ')));
            more = part.some((name) => name.startsWith('… '));
          }
          expect(parts).toEqual(whole);
        },
      ),
      { numRuns: 30 },
    );
  });

  it.each([
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/x/y/a.ts', true],
    ['src/*.ts', 'src/x/a.ts', false],
    ['*.{ts,js}', 'a.js', true],
    ['a?.[ab]', 'ax.b', true],
    ['a+(b).c', 'a+(b).c', true],
    ['**', 'x/y', true],
  ])('%s and %s: %s', (pattern, name, is) => {
    expect(globPattern(pattern).test(name)).toBe(is);
  });

  it('find lines, and say it where there are none or the pattern is wrong', async () => {
    const { folder, put } = ground();
    put('a.ts', 'const x = 1;\n  const y = x;\n');
    put('b.bin', 'const\0');
    const tool = grepTool(folder);
    expect((await tool.run({ pattern: 'const' }, { signal })).text).toBe(
      '2 matches in 1 file:\na.ts:1: const x = 1;\na.ts:2: const y = x;',
    );
    expect((await tool.run({ pattern: 'CONST', path: 'a.ts', ignore_case: true }, { signal })).text).toContain(
      '2 matches',
    );
    expect((await tool.run({ pattern: 'nowhere' }, { signal })).text).toBe('No line matches nowhere.');
    expect(await tool.run({ pattern: '(' }, { signal })).toMatchObject({ isError: true });
  });
});

describe('bash', () => {
  const tool = (permission: Permission, root = newFolder()) => bashTool(folderAt(root), permission);

  it('answers with output and exit code', async () => {
    expect(await tool(allowAll).run({ command: 'echo a; echo b >&2' }, { signal })).toEqual({
      text: 'a\nb\n[exit code 0]',
    });
    expect(await tool(allowAll).run({ command: 'exit 3' }, { signal })).toEqual({
      text: '[exit code 3]',
      isError: true,
    });
  });

  it('is refused where nobody can be asked, and does not run', async () => {
    const root = newFolder();
    const answer = await tool(refuseAll, root).run({ command: 'touch made' }, { signal });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('--allow') });
    expect(existsSync(join(root, 'made'))).toBe(false);
  });

  it('asks once for a command where "always" was the answer, and again for every other one', async () => {
    const asked: string[] = [];
    const permission = askingPermission(async ({ what }) => {
      asked.push(what);
      return asked.length === 1 ? 'no' : 'always';
    });
    const bash = tool(permission);
    expect(await bash.run({ command: 'echo 1' }, { signal })).toMatchObject({ isError: true });
    await bash.run({ command: 'echo 2' }, { signal });
    expect(await bash.run({ command: 'echo 2' }, { signal })).toMatchObject({ text: '2\n[exit code 0]' });
    await bash.run({ command: 'echo 2; echo 3' }, { signal });
    expect(asked).toEqual(['echo 1', 'echo 2', 'echo 2; echo 3']);
  });

  it('ends with all it started when the time is over', async () => {
    const root = newFolder();
    const answer = await tool(allowAll, root).run(
      { command: 'sh -c "echo $$ > pid; sleep 30" & echo begun; wait', timeout_seconds: 0.5 },
      { signal },
    );
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(/begun\n\[ended after 0.5 s]$/) });
    await gone(Number(readFileSync(join(root, 'pid'), 'utf8')));
  });

  it('ends with all it started when it is aborted, and keeps what it had said', async () => {
    const root = newFolder();
    const stop = new AbortController();
    const running = tool(allowAll, root).run(
      { command: 'echo begun; sleep 30 & echo $! > pid; wait' },
      { signal: stop.signal },
    );
    await eventually(() => existsSync(join(root, 'pid')) && readFileSync(join(root, 'pid'), 'utf8') !== '');
    stop.abort();
    expect(await running).toMatchObject({ isError: true, text: 'begun\n[stopped by the user]' });
    await gone(Number(readFileSync(join(root, 'pid'), 'utf8')));
  });

  it('does not wait for what was left in the background', async () => {
    const root = newFolder();
    const answer = await tool(allowAll, root).run({ command: 'sleep 30 & echo $! > pid; echo done' }, { signal });
    expect(answer.text).toBe('done\n[exit code 0]');
    process.kill(Number(readFileSync(join(root, 'pid'), 'utf8')), 'SIGKILL');
  });

  it('keeps head and tail of an output without end, in bounded memory', async () => {
    const { text } = await tool(allowAll).run(
      { command: 'echo first; yes 0123456789 | head -c 3000000; echo last' },
      { signal },
    );
    expect(text.length).toBeLessThan(450_000);
    expect(text).toMatch(/^first\n/);
    expect(text).toMatch(/last\n\[exit code 0]$/);
    expect(text).toMatch(/characters not kept/);
  });
});

async function gone(pid: number): Promise<void> {
  const isOver = (): boolean => {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    // Nobody may have asked for its end yet; then it is dead all the same.
    return existsSync(`/proc/${pid}/stat`) && readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] === 'Z';
  };
  await eventually(isOver);
}

describe('the other tools', () => {
  it('todo_write replaces the list', async () => {
    let kept: readonly unknown[] = [];
    const tool = todoWriteTool((todos) => {
      kept = todos;
    });
    const answer = await tool.run(
      {
        todos: [
          { content: 'a', status: 'completed' },
          { content: 'b', status: 'pending' },
        ],
      },
      { signal },
    );
    expect(answer.text).toBe('[x] a\n[ ] b');
    expect(kept).toHaveLength(2);
    expect(await tool.run({ todos: [{ content: 'a', status: 'maybe' }] }, { signal })).toMatchObject({ isError: true });
    expect(kept).toHaveLength(2);
  });

  it('load_skill lists what there is in its description and loads one by name', async () => {
    const { put, root } = ground();
    put(
      'skills/release/SKILL.md',
      '---\nname: release\ndescription: "How a release is made"\n---\nTag it, then push.\n',
    );
    put('skills/plain/SKILL.md', '# Plain\nWithout front matter.\n');
    put('skills/README.md', 'no skill');
    const skills = await readSkills(join(root, 'skills'));
    const used: string[] = [];
    const tool = loadSkillTool(skills, ({ name }) => used.push(name));
    expect(tool.description).toContain('release: How a release is made');
    expect(tool.description).toContain('plain: Without front matter.');
    expect((await tool.run({ name: 'Release' }, { signal })).text).toBe('Skill release\nTag it, then push.');
    expect(used).toEqual(['release']);
    expect(await tool.run({ name: 'x' }, { signal })).toMatchObject({
      isError: true,
      text: expect.stringContaining('plain, release'),
    });
  });

  it('recall reads by reference in pages that together are the whole, and finds by words', async () => {
    const session = createSession({ window: 4_000 });
    const long = Array.from({ length: 300 }, (_, i) => `line ${i} of the harbour log`).join('\n');
    session.append(user('Look into the log.'));
    session.append(assistant([call('c1', 'read_file', { path: 'log.txt' })]));
    session.append(results([result('c1', long)]));
    const { receipt } = await session.view();
    const [line] = receipt!.lines;
    const tool = recallTool(() => session, 1_000);
    const pages: string[] = [];
    for (let page = 1; ; page++) {
      const { text, isError } = await tool.run({ reference: line!.refs[0]!, page }, { signal });
      if (isError === true) break;
      pages.push(text.slice(text.indexOf('\n') + 1).replace(/\n\[page \d+ of \d+: read on with page \d+\]$/, ''));
    }
    expect(pages.join('')).toBe(long);
    expect(pages.length).toBeGreaterThan(5);
    const found = await tool.run({ query: 'line 250 harbour' }, { signal });
    expect(found.text).toMatch(/^— m3 · result of read_file log\.txt$/m);
    expect((await tool.run({ query: 'unheard of' }, { signal })).text).toMatch(/^Nothing/);
    expect(await tool.run({ reference: 'e999' }, { signal })).toMatchObject({ isError: true });
    expect(await tool.run({}, { signal })).toMatchObject({ isError: true });
  });
});
