import { type Ability, describeHidden, excerpt, findCall, oneCall, type PlannedCall, type Step } from '../ability.ts';
import type { SeenResult } from '../scene.ts';
import { unquote } from '../sentences.ts';

const SHOWN_LINES = 12;

/** Which file says how tests are run, the first found counts. */
const TEST_COMMANDS: Readonly<Record<string, string>> = {
  'package.json': 'npm test',
  Makefile: 'make test',
  'Cargo.toml': 'cargo test',
  'go.mod': 'go test ./...',
  'pyproject.toml': 'python3 -m pytest -q',
};

export const runTests: Ability = {
  example: 'run the tests',
  read: (sentence) =>
    /^(?:run|execute|start) (?:the |all |my |our )*tests?(?: suite)?$/i.test(sentence) ? testStep : undefined,
};

const lookUp: PlannedCall = { tool: 'glob', input: { pattern: `./{${Object.keys(TEST_COMMANDS).join(',')}}` } };

const testStep: Step = {
  calls({ calls }) {
    const found = findCall(calls, lookUp)?.result;
    if (found === undefined) return [lookUp];
    const command = commandIn(found.text);
    if (command === undefined || findCall(calls, bash(command)) !== undefined) return [];
    return [bash(command)];
  },
  announceCalls: ({ calls }) => (findCall(calls, lookUp) === undefined ? 'How are tests run here?' : 'Running them.'),
  isBegun: ({ calls }) => findCall(calls, lookUp) !== undefined,
  answer({ calls }) {
    const command = commandIn(findCall(calls, lookUp)?.result?.text ?? '');
    if (command === undefined)
      return `I do not see how tests are run here: there is none of ${Object.keys(TEST_COMMANDS).join(', ')}.`;
    const result = findCall(calls, bash(command))?.result;
    return result === undefined ? 'The tests were run before what I can see here.' : outcomeOf(command, result);
  },
};

const bash = (command: string): PlannedCall => ({ tool: 'bash', input: { command } });

const commandIn = (list: string): string | undefined => {
  const names = new Set(list.split('\n'));
  const file = Object.keys(TEST_COMMANDS).find((name) => names.has(name));
  return file === undefined ? undefined : TEST_COMMANDS[file];
};

export const runCommand: Ability = {
  example: 'run `git status`',
  read(sentence) {
    const command = /^(?:run|execute) (?:the command )?(.+)$/i.exec(sentence)?.[1];
    if (command === undefined) return undefined;
    const plain = unquote(command);
    return oneCall(bash(plain), `Running ${plain}.`, (result) => outcomeOf(plain, result));
  },
};

function outcomeOf(command: string, result: SeenResult): string {
  if (result.state === 'hidden') return `${command} was run; its output is ${describeHidden(result)}.`;
  const lines = result.text.split('\n');
  const end = lines.at(-1) ?? '';
  const verdict =
    end === '[exit code 0]'
      ? 'went well'
      : result.isError
        ? `failed ${end.startsWith('[') ? end : ''}`.trim()
        : 'ended';
  const shown = lines
    .slice(0, -1)
    .filter((line) => line.trim() !== '')
    .slice(-SHOWN_LINES);
  const said = /^Not allowed/.test(result.text) ? result.text : excerpt(shown.join('\n'), SHOWN_LINES);
  return `${command} ${verdict}.${said.trim() === '' ? '' : `\n${said}`}`;
}
