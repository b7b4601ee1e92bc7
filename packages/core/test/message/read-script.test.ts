import { describe, expect, it } from 'vitest';
import { assistant, call, createSession, result, results, user } from '../../src/index.ts';
import { readScript } from '../../src/message/read-script.ts';
import { readCommand } from '../../src/message/tool-input.ts';
import { textOf } from '../texts.ts';

describe('the calls of a script', () => {
  it('are read with their texts, whatever the quotes, names and other fields', () => {
    const source = [
      '// @exec: {"yield_time_ms": 10000}',
      "const cmd = 'npm test -- \\'a b\\'';",
      'const [a, b] = await Promise.all([',
      '  tools.exec_command({ cmd, workdir: "/repo", max_output_tokens: 500, env: { A: "}" } }),',
      '  tools.exec_command({"cmd": `sed -n "1,20p" src/a.ts`}),',
      ']);',
      'await tools.write_stdin({session_id: 3, chars: "\\u0003\\n"});',
      'await tools.apply_patch(String.raw`*** Begin Patch\n*** Delete File: c.ts\n*** End Patch`);',
    ].join('\n');
    expect(readScript(source)).toEqual([
      { tool: 'exec_command', input: { cmd: "npm test -- 'a b'", workdir: '/repo', A: '}' } },
      { tool: 'exec_command', input: { cmd: 'sed -n "1,20p" src/a.ts' } },
      { tool: 'write_stdin', input: { chars: '\u0003\n' } },
      { tool: 'apply_patch', input: '*** Begin Patch\n*** Delete File: c.ts\n*** End Patch' },
    ]);
    expect(readCommand(source)).toBe('npm test -- \'a b\'\nsed -n "1,20p" src/a.ts');
  });

  it.each(['ls -la', 'node -e "tools.run(1)"', 'await tools.exec_command({cmd: "never closed', 'text(tools.x(`', ''])(
    'are none, and nothing fails, in %j',
    (source) => {
      expect(readScript(source).filter(({ tool }) => tool !== 'exec_command')).toEqual([]);
    },
  );

  it('stand in the digest as files and commands', async () => {
    const session = createSession({ window: 12_000, tools: [{ name: 'exec' }] });
    session.append(user('Read the notes and mend what is wrong.'));
    for (let n = 0; n < 40; n++) {
      const patch = `*** Begin Patch\\n*** Update File: src/f${n}.ts\\n@@\\n-a\\n+b\\n*** End Patch`;
      const source =
        n % 8 === 5
          ? `text(await tools.apply_patch("${patch}"));`
          : `const r${n} = await tools.exec_command({cmd: "cat notes/n${n}.md"}); text(r${n}.output);`;
      session.append(assistant([call(`c${n}`, 'exec', source)]));
      session.append(results([result(`c${n}`, `Script completed\nOutput:\n${'one line of a note\n'.repeat(40)}`)]));
      await session.view();
    }
    const summary = textOf((await session.view()).messages.slice(1, 2));
    expect(summary).toMatch(/## Files\n(?:.*\n)*src\/: .*f\d+\.ts\*/);
    expect(summary).toMatch(/notes\/: .*n\d+\.md/);
    expect(summary).toMatch(/\$ cat notes\/n\d+\.md \(ok/);
  });
});
