import { describe, expect, it } from 'vitest';
import type { Json } from '../src/message/message.ts';
import { type ToolKind, toBareName, toolKind, toolTarget, toolTargets } from '../src/message/tool-kinds.ts';

const vocabulary: readonly (readonly [string, Json, ToolKind, string?])[] = [
  // Claude Code
  ['Read', { file_path: '/repo/a.ts', offset: 3 }, 'read', '/repo/a.ts'],
  ['Write', { file_path: '/repo/a.ts', content: '' }, 'write', '/repo/a.ts'],
  ['MultiEdit', { file_path: '/repo/a.ts', edits: [] }, 'edit', '/repo/a.ts'],
  ['NotebookEdit', { notebook_path: '/repo/n.ipynb' }, 'edit', '/repo/n.ipynb'],
  ['Bash', { command: 'ls' }, 'shell'],
  ['Grep', { pattern: 'x', path: '/repo' }, 'grep'],
  ['Glob', { pattern: '**/*.ts' }, 'glob'],
  ['LS', { path: '/repo' }, 'glob'],
  ['TodoWrite', { todos: [] }, 'todo'],
  ['TaskUpdate', { taskId: '1', status: 'completed' }, 'todo'],
  ['Task', { prompt: 'look', subagent_type: 'explore' }, 'task'],
  ['Agent', { prompt: 'look' }, 'task'],
  ['Skill', { skill: 'pdf' }, 'skill'],
  ['WebSearch', { query: 'x' }, 'web-search'],
  ['WebFetch', { url: 'https://example.com' }, 'web-fetch'],
  ['ExitPlanMode', { plan: '1. do it' }, 'plan'],
  // Codex
  ['shell', { command: ['bash', '-lc', 'make'] }, 'shell'],
  ['exec_command', { cmd: 'make' }, 'shell'],
  ['write_stdin', { session_id: 1, chars: 'y' }, 'shell'],
  ['update_plan', { plan: [{ step: 'a', status: 'pending' }] }, 'plan'],
  ['apply_patch', '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch', 'edit', 'src/a.ts'],
  // Codex with its newest models: a script of calls
  ['exec', 'const r = await tools.exec_command({cmd: "cat a.ts"}); text(r.output);', 'shell'],
  [
    'exec',
    'const p = "*** Begin Patch\\n*** Update File: src/a.ts\\n@@\\n-a\\n+b\\n*** End Patch"; await tools.apply_patch(p);',
    'edit',
    'src/a.ts',
  ],
  ['exec', 'text(await tools.apply_patch(`*** Begin Patch\n*** Add File: b.ts\n+b\n*** End Patch`));', 'edit', 'b.ts'],
  ['exec', 'image(await tools.view_image({path: "./shot.png"}));', 'read', 'shot.png'],
  [
    'apply_patch',
    '*** Begin Patch\n*** Update File: src/a.ts\n@@\n+await tools.read_file({path: "x"})\n*** End Patch',
    'edit',
    'src/a.ts',
  ],
  // opencode, pi, the s08 names
  ['read', { filePath: 'a.ts' }, 'read', 'a.ts'],
  ['todowrite', { todos: [] }, 'todo'],
  ['edit', { path: 'a.ts', oldText: 'a', newText: 'b' }, 'edit', 'a.ts'],
  ['read_file', { path: './a.ts' }, 'read', 'a.ts'],
  ['todo_write', { todos: [] }, 'todo'],
  // Gemini CLI, Copilot, Roo
  ['replace', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }, 'edit', 'a.ts'],
  ['run_shell_command', { command: 'make' }, 'shell'],
  ['search_file_content', { pattern: 'x' }, 'grep'],
  ['view', { path: 'a.ts', view_range: [1, 5] }, 'read', 'a.ts'],
  ['create', { path: 'a.ts', file_text: 'x' }, 'write', 'a.ts'],
  ['execute_command', { command: 'make' }, 'shell'],
  ['update_todo_list', { todos: '[ ] a' }, 'todo'],
  // the text editor tool, by its verb
  ['str_replace_editor', { command: 'view', path: '/a.py' }, 'read', '/a.py'],
  ['str_replace_based_edit_tool', { command: 'str_replace', path: '/a.py' }, 'edit', '/a.py'],
  ['str_replace_based_edit_tool', { command: 'create', path: '/a.py', file_text: '' }, 'write', '/a.py'],
];

describe('a tool is known by the name its host gives it', () => {
  for (const [name, input, kind, target] of vocabulary) {
    it(`${name} ${JSON.stringify(input)} is ${kind}`, () => {
      expect(toolKind(name, input)).toBe(kind);
      expect(toolTarget(name, input)).toBe(target);
    });
  }

  it('spelling and prefix do not matter', () => {
    for (const name of ['readFile', 'read-file', 'ReadFile', 'functions.read_file', 'mcp__files__read_file']) {
      expect(toBareName(name)).toBe('readfile');
      expect(toolKind(name, { path: 'a.ts' })).toBe('read');
    }
  });
});

describe('an unknown tool is known by the shape of its input', () => {
  it.each([
    ['peek_at', { target_file: 'a.ts', view: 1 }, 'other'],
    ['show_source', { target_file: 'a.ts' }, 'read'],
    ['amend', { file: 'a.ts', old_string: 'a', new_string: 'b' }, 'edit'],
    ['emit', { path: 'a.ts', content: 'x' }, 'write'],
    ['go', { cmd: 'make' }, 'shell'],
    ['go', { command: ['make', 'all'] }, 'shell'],
    ['visit', { url: 'https://example.com' }, 'web-fetch'],
    ['board', { items: [{ title: 'a', status: 'in_progress' }] }, 'todo'],
    ['hello', { greeting: 'x' }, 'other'],
    ['hello', null, 'other'],
    ['hello', [1, 2], 'other'],
  ] as const)('%s %j is %s', (name, input, kind) => {
    expect(toolKind(name, input as Json)).toBe(kind);
  });

  it("a server's own search is not a search of files", () => {
    expect(toolKind('mcp__linear__search', { query: 'open bugs' })).toBe('other');
    expect(toolKind('mcp__tracker__create', { title: 'bug' })).toBe('other');
    expect(toolKind('mcp__files__search', { query: 'x', path: 'src' })).toBe('grep');
  });
});

describe('the files of a call', () => {
  it('a patch names all of its files, a moved one under both names', () => {
    const patch =
      '*** Begin Patch\n*** Add File: new.ts\n+x\n*** Update File: old.ts\n*** Move to: lib/old.ts\n@@\n*** Delete File: gone.ts\n*** End Patch';
    expect(toolTargets('apply_patch', { patchText: patch })).toEqual(['new.ts', 'old.ts', 'lib/old.ts', 'gone.ts']);
    expect(toolTargets('apply_patch', { input: patch })).toEqual(['new.ts', 'old.ts', 'lib/old.ts', 'gone.ts']);
  });

  it('a unified diff names its files without the a/ and b/', () => {
    const diff = '--- a/src/x.c\n+++ b/src/x.c\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/y.c\n@@ -0,0 +1 @@\n+y\n';
    expect(toolTargets('patch', { patch: diff })).toEqual(['src/x.c', 'y.c']);
  });

  it('one file has one spelling', () => {
    for (const path of ['/a/b/c.ts', '/a//b/c.ts', '/a/b/./c.ts', '/a/x/../b/c.ts', 'file:///a/b/c.ts']) {
      expect(toolTarget('Read', { file_path: path })).toBe('/a/b/c.ts');
    }
    expect(toolTarget('Read', { file_path: '../x.ts' })).toBe('../x.ts');
    expect(toolTarget('Read', { file_path: 'C:\\repo\\a.ts' })).toBe('C:/repo/a.ts');
  });

  it('several files read at once are several targets', () => {
    expect(toolTargets('read_many_files', { paths: ['a.ts', './b.ts', 'a.ts'] })).toEqual(['a.ts', 'b.ts']);
    expect(toolTargets('read_file', { files: [{ path: 'a.ts' }, { path: 'b.ts' }] })).toEqual(['a.ts', 'b.ts']);
  });

  it('a shell command, a search and a listing have no target', () => {
    expect(toolTarget('Bash', { command: 'cat a.ts' })).toBeUndefined();
    expect(toolTarget('Grep', { pattern: 'x', path: 'src' })).toBeUndefined();
    expect(toolTarget('LS', { path: 'src' })).toBeUndefined();
  });
});
