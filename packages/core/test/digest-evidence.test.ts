import { describe, expect, it } from 'vitest';
import type { Evidence } from '../src/digest/evidence/evidence.ts';
import { gatherEvidence } from '../src/digest/read/gather-evidence.ts';
import { findErrorLines, readOutcome } from '../src/digest/read/read-outcome.ts';
import { readShellTouches } from '../src/digest/read/read-shell-touches.ts';
import {
  assistant,
  call,
  type Json,
  type Message,
  type NewMessage,
  result,
  results,
  user,
} from '../src/message/message.ts';

const read = (messages: readonly NewMessage[]): Evidence =>
  gatherEvidence(messages.map((message, i): Message => ({ ...message, id: `m${i}`, origin: message.origin! })));

let calls = 0;
const did = (tool: string, input: Json, output = 'ok', isError = false): readonly NewMessage[] => {
  const id = `c${calls++}`;
  return [assistant([call(id, tool, input)]), results([result(id, output, isError)])];
};

const filesAfter = (...messages: readonly NewMessage[]): Readonly<Record<string, string>> =>
  Object.fromEntries(read(messages).files.map((file) => [file.path, file.state]));

describe('files', () => {
  it('are known in every vocabulary', () => {
    expect(
      filesAfter(
        ...did('Read', { file_path: '/a/read.ts' }),
        ...did(
          'apply_patch',
          '*** Begin Patch\n*** Add File: added.ts\n+x\n*** Update File: patched.ts\n@@\n*** Delete File: gone.ts\n*** End Patch',
        ),
        ...did('write', { filePath: 'written.ts', content: 'x' }),
        ...did('edit', { path: 'edited.ts', oldText: 'a', newText: 'b' }),
        ...did('replace', { file_path: 'replaced.ts', old_string: 'a', new_string: 'b' }),
        ...did('mcp__files__write_file', { path: 'served.ts', content: 'x' }),
        ...did('str_replace_editor', { command: 'view', path: '/viewed.py' }),
        ...did('exec_command', { cmd: "sed -n '10,40p' src/shown.ts", workdir: '/w' }),
        ...did('shell', { command: ['bash', '-lc', 'rm src/removed.ts'] }),
      ),
    ).toEqual({
      '/a/read.ts': 'read',
      'added.ts': 'created',
      'patched.ts': 'edited',
      'gone.ts': 'deleted',
      'written.ts': 'created',
      'edited.ts': 'edited',
      'replaced.ts': 'edited',
      'served.ts': 'created',
      '/viewed.py': 'read',
      '/w/src/shown.ts': 'read',
      'src/removed.ts': 'deleted',
    });
  });

  it('stand in their latest state', () => {
    const path = '/a/x.ts';
    const edit = did('Edit', { file_path: path, old_string: 'a', new_string: 'b' });
    expect(filesAfter(...did('Read', { file_path: path }), ...edit)).toEqual({ [path]: 'edited' });
    expect(filesAfter(...did('Write', { file_path: path, content: 'x' }), ...edit)).toEqual({ [path]: 'created' });
    expect(filesAfter(...edit, ...did('Bash', { command: `rm ${path}` }))).toEqual({ [path]: 'deleted' });
    expect(filesAfter(...did('Read', { file_path: path }), ...did('Write', { file_path: path, content: 'x' }))).toEqual(
      { [path]: 'edited' },
    );
  });

  it('a change that failed is none', () => {
    expect(
      filesAfter(...did('Edit', { file_path: '/a/x.ts', old_string: 'a', new_string: 'b' }, 'String not found', true)),
    ).toEqual({});
  });

  it('the lines read are joined where they touch, and forgotten when all of it was read', () => {
    const part = (offset: number, limit: number) => did('Read', { file_path: '/a/x.ts', offset, limit });
    expect(read([...part(1, 50), ...part(51, 50), ...part(300, 10)].flat()).files[0]!.lines).toEqual([
      [1, 100],
      [300, 309],
    ]);
    expect(read([...part(1, 50), ...did('Read', { file_path: '/a/x.ts' })].flat()).files[0]!.lines).toBeUndefined();
  });
});

describe('a command line touches', () => {
  it.each([
    [
      'cat a.txt b.txt | head -3',
      [
        ['a.txt', 'read'],
        ['b.txt', 'read'],
      ],
    ],
    ['cd /repo && cat src/a.ts', [['/repo/src/a.ts', 'read']]],
    ["cat > out/new.sh <<'EOF'\nrm old.txt\nEOF\nchmod +x out/new.sh", [['out/new.sh', 'created']]],
    ['echo x >> log.txt 2>/dev/null', [['log.txt', 'edited']]],
    [
      'mv a.ts b.ts && rm c.ts',
      [
        ['a.ts', 'deleted'],
        ['b.ts', 'created'],
        ['c.ts', 'deleted'],
      ],
    ],
    ["sed -i 's/a/b/' src/x.c", [['src/x.c', 'edited']]],
    ['git status --short', []],
    ['npm test 2>&1 | tail -20', []],
    ['grep -rn "foo.bar" src', []],
    ['echo "unclosed', []],
  ] as const)('%s', (command, touched) => {
    expect(readShellTouches(command).map(({ path, act }) => [path, act])).toEqual(touched);
  });
});

describe('commands', () => {
  it('stand once each, with how often they ran and how they went last', () => {
    const { commands } = read([
      ...did('Bash', { command: 'make  test' }, 'Exit code 2\nboom', true),
      ...did('Bash', { command: 'make test' }, 'fine'),
      ...did('exec_command', { cmd: 'ls' }, 'Chunk\nProcess exited with code 0\nOutput:\nerror.log'),
    ]);
    expect(commands.map(({ command, runs, outcome }) => [command, runs, outcome])).toEqual([
      ['make test', 2, 'ok'],
      ['ls', 1, 'ok'],
    ]);
  });

  it('that an agent writes as text count as well, with what came back', () => {
    const { commands } = read([
      user('Fix the bug in the parser, please.'),
      assistant('THOUGHT: look first\n\n```bash\ngrep -n parse src/p.py\n```'),
      {
        role: 'user',
        origin: 'human',
        parts: [{ type: 'text', text: '<returncode>1</returncode>\n<output>\n</output>' }],
      },
    ]);
    expect(commands.map(({ command, outcome, exitCode }) => [command, outcome, exitCode])).toEqual([
      ['grep -n parse src/p.py', 'failed', 1],
    ]);
  });

  it('that are only shown in an answer are none', () => {
    const shown = [user('What will I see?'), assistant('Entries like:\n\n```\n|INFO| phase event=TurnEnd\n```')];
    expect(read(shown).lastCall).toBeUndefined();
    const { commands, lastCall } = read([...shown, user('Good. Go on, then.')]);
    expect([commands, lastCall]).toEqual([[], undefined]);
  });

  it('what stands between two blocks of another language is none', () => {
    const { open } = read([
      user('How is it reckoned?'),
      assistant('So:\n\n```go\nreturn a / b\n```\n\n**Formula:**\n\n```go\nreturn b / a\n```\n\nDone.'),
    ]);
    expect(open).toEqual([]);
  });

  it('writing the list of tasks is no last call: the list is told as it stands', () => {
    const tasks = (status: string): Json => ({ todos: [{ content: 'tidy up', status }] });
    const made = [user('Tidy up, please.'), ...did('Bash', { command: 'make' })];
    const listed = [...made, ...did('TodoWrite', tasks('in_progress'))];
    const last = { tool: 'Bash', what: 'make', outcome: 'ok' };
    expect(read(listed)).toMatchObject({ lastCall: last, todos: [{ text: 'tidy up', status: 'doing' }] });
    expect(read([...listed, assistant([call('t', 'TodoWrite', tasks('completed'))])]).lastCall).toEqual(last);
  });

  it('a call that nothing answered is open, and its command neither ok nor failed', () => {
    const asked = [user('Run the build, please.'), assistant([call('x', 'Bash', { command: 'make' })])];
    expect(read(asked).open.map((part) => part.callId)).toEqual(['x']);
    expect(read(asked).lastCall).toEqual({ tool: 'Bash', what: 'make', outcome: 'pending' });
    expect(read([...asked, user('Never mind, stop it now.')]).commands[0]!.outcome).toBe('pending');
  });

  it.each([
    ['Exit code: 3\nx', false, 'failed', 3],
    ['x\n[The command completed with exit code 0.]', false, 'ok', 0],
    ['{"output":"x","metadata":{"exit_code":1}}', false, 'failed', 1],
    ['Command exited with code 127', true, 'failed', 127],
    ['fine', false, 'ok', undefined],
    ['fine', true, 'failed', undefined],
    [`${'x\n'.repeat(400)}it will exit with code 5 later\n${'y\n'.repeat(400)}`, false, 'ok', undefined],
  ] as const)('%j is read right', (output, isError, outcome, exitCode) => {
    expect(readOutcome(output, isError)).toEqual(exitCode === undefined ? { outcome } : { outcome, exitCode });
  });
});

describe('errors', () => {
  it('are the exact lines that tell', () => {
    expect(findErrorLines('> build\n\nsrc/a.ts:3:7: error TS2304: Cannot find name "x".\n\n1 problem', true)).toEqual([
      'src/a.ts:3:7: error TS2304: Cannot find name "x".',
    ]);
    expect(findErrorLines('Exit code 1\n--- FAIL: TestX (0.00s)\n    want 3, got 4', true)[0]).toBe(
      '--- FAIL: TestX (0.00s)',
    );
  });

  it('a good run shows none, though it talks of errors', () => {
    expect(findErrorLines('12 passed, 0 failed\nno errors found\nhandles error cases', false)).toEqual([]);
  });

  it('are without the tags that a host puts around them, and without colours', () => {
    expect(findErrorLines('<tool_use_error>File does not exist.</tool_use_error>', true)).toEqual([
      'File does not exist.',
    ]);
    const red = did('Bash', { command: 'make test' }, '\u001b[31mError: boom\u001b[0m in readFile', false);
    expect(read(red).errors.map(({ text }) => text)).toEqual(['Error: boom in readFile']);
  });

  it.each([
    'Chunk ID: 5e7edf\nWall time: 0.1 seconds\nProcess exited with code 1\nOriginal token count: 0\nOutput:\n',
    '(no output)\n\nCommand exited with code 1',
    '<returncode>1</returncode>\n<output>\n</output>',
    '[old result cleared]',
    'Exit code 1\nFAIL\n=== HEAD ===\n',
    'Traceback (most recent call last):\n',
  ])('a failure that says nothing has none: %j', (output) => {
    expect(findErrorLines(output, true)).toEqual([]);
  });

  it('what a command shows of a file is none, where it went well', () => {
    const shown = 'src/a.ts:3:7: error TS2304\nError: boom\nerror: {';
    const errorsOf = (command: string) => read(did('Bash', { command }, shown)).errors.map(({ text }) => text);
    expect(errorsOf(`cd src && sed -n '1,20p' a.ts | head -5; rg "x|y && z" .`)).toEqual([]);
    expect(read(did('Bash', { command: 'git log -1 && git grep x' }, 'cbee02b chore: release', true)).errors).toEqual(
      [],
    );
    expect(errorsOf('cat a.ts && make')).toEqual(['src/a.ts:3:7: error TS2304', 'Error: boom']);
    expect(findErrorLines('error matches the predicate, return nothing', false)).toEqual([]);
  });

  it('are gone when the same command went well later, and back when it did not', () => {
    const run = (ok: boolean) => did('Bash', { command: 'make test' }, ok ? 'fine' : 'Error: boom in parser', !ok);
    expect(read([...run(false), ...run(true)]).errors.map((error) => error.gone)).toEqual([true]);
    expect(read([...run(false), ...run(true), ...run(false)]).errors.map((error) => error.gone)).toEqual([false]);
  });
});

describe('todo lists', () => {
  const todosAfter = (...messages: readonly NewMessage[]): readonly string[] =>
    read(messages).todos.map(({ status, text }) => `${status} ${text}`);

  it.each([
    [
      'TodoWrite',
      {
        todos: [
          { content: 'a', status: 'completed', activeForm: 'doing a' },
          { content: 'b', status: 'pending' },
        ],
      },
    ],
    [
      'todo_write',
      {
        todos: [
          { content: 'a', status: 'done' },
          { content: 'b', status: 'open' },
        ],
      },
    ],
    [
      'update_plan',
      {
        explanation: 'x',
        plan: [
          { step: 'a', status: 'completed' },
          { step: 'b', status: 'pending' },
        ],
      },
    ],
    [
      'write_todos',
      {
        todos: [
          { description: 'a', status: 'completed' },
          { description: 'b', status: 'pending' },
        ],
      },
    ],
    ['update_todo_list', { todos: '[x] a\n[ ] b' }],
  ] as const)('are read from %s', (tool, input) => {
    expect(todosAfter(...did(tool, input as Json))).toEqual(['done a', 'open b']);
  });

  it('show their latest state only', () => {
    expect(
      todosAfter(
        ...did('TodoWrite', {
          todos: [
            { content: 'a', status: 'pending' },
            { content: 'b', status: 'pending' },
          ],
        }),
        ...did('TodoWrite', { todos: [{ content: 'b', status: 'in_progress' }] }),
      ),
    ).toEqual(['doing b']);
  });

  it('that are written task by task keep each task by its number', () => {
    expect(
      todosAfter(
        ...did('TaskCreate', { subject: 'a', description: 'x' }, 'Task #7 created'),
        ...did('TaskCreate', { subject: 'b', description: 'y' }, 'Task #8 created'),
        ...did('TaskUpdate', { taskId: '7', status: 'completed' }),
        ...did('TaskUpdate', { taskId: '8', status: 'in_progress' }),
      ),
    ).toEqual(['done a', 'doing b']);
  });
});
