import {
  assistant,
  call,
  type Json,
  type Message,
  type NewMessage,
  result,
  results,
  text,
  user,
} from '@palimpsest/core';
import { type SessionRecord, writeClaudeCode, writePi } from '@palimpsest/formats';
import type { Step, Tale } from './tale.ts';

/** What a step calls, by the names that an agent has for its tools. */
interface Tools {
  readonly read: (path: string) => readonly [tool: string, input: Json];
  readonly edit: (path: string, from: string, to: string) => readonly [tool: string, input: Json];
  readonly run: (command: string) => readonly [tool: string, input: Json];
}

type Doing = Exclude<Step, { type: 'say' }>;

const nameCall = (step: Doing, tools: Tools): readonly [tool: string, input: Json] => {
  if (step.type === 'read') return tools.read(step.path);
  return step.type === 'run' ? tools.run(step.command) : tools.edit(step.path, step.from, step.to);
};

const shownBy = (step: Doing): string =>
  step.type === 'edit' ? `The file ${step.path} has been updated.` : step.shows;
const isFailure = (step: Doing): boolean => step.type === 'run' && step.fails === true;

/** The tale as messages: every step a message of the model's, and what it saw. */
function tellMessages({ turns }: Tale, tools: Tools): readonly Message[] {
  let calls = 0;
  const tell = (step: Step): readonly NewMessage[] => {
    if (step.type === 'say') return [assistant([text(step.text)])];
    const id = `call_${++calls}`;
    const made = result(id, shownBy(step));
    return [
      assistant([call(id, ...nameCall(step, tools))]),
      results([isFailure(step) ? { ...made, isError: true } : made]),
    ];
  };
  const told = turns.flatMap(({ asks, steps }): readonly NewMessage[] => [user(asks), ...steps.flatMap(tell)]);
  return told.map(
    (message, i): Message => ({
      origin:
        message.role === 'assistant' ? 'model' : message.parts.some(({ type }) => type === 'result') ? 'tool' : 'human',
      ...message,
      id: `m${i + 1}`,
      at: Date.UTC(2026, 9, 5, 8, 0, 0) + 20_000 * i,
    }),
  );
}

const recordOf = (tale: Tale, tools: Tools): SessionRecord => ({
  id: '5f0c1a52-0000-4000-8000-000000000001',
  cwd: tale.cwd,
  messages: tellMessages(tale, tools),
  usage: [],
  compactions: [],
});

const at = ({ cwd }: Tale, path: string): string => `${cwd}/${path}`;

/** As Claude Code records it. */
export const recordClaudeCode = (tale: Tale): string =>
  writeClaudeCode(
    recordOf(tale, {
      read: (path) => ['Read', { file_path: at(tale, path) }],
      edit: (path, from, to) =>
        from === ''
          ? ['Write', { file_path: at(tale, path), content: to }]
          : ['Edit', { file_path: at(tale, path), old_string: from, new_string: to }],
      run: (command) => ['Bash', { command }],
    }),
  );

/** As pi does. */
export const recordPi = (tale: Tale): string =>
  writePi(
    recordOf(tale, {
      read: (path) => ['read', { path }],
      edit: (path, from, to) =>
        from === '' ? ['write', { path, content: to }] : ['edit', { path, oldText: from, newText: to }],
      run: (command) => ['bash', { command }],
    }),
  );

const indent = (mark: string, lines: string): string =>
  lines
    .split('\n')
    .map((line) => mark + line)
    .join('\n');

const writePatch = (path: string, from: string, to: string): string =>
  from === ''
    ? `*** Begin Patch\n*** Add File: ${path}\n${indent('+', to)}\n*** End Patch`
    : `*** Begin Patch\n*** Update File: ${path}\n@@\n${indent('-', from)}\n${indent('+', to)}\n*** End Patch`;

/** As Codex does: files are read by commands and changed by patches. */
export function recordCodex(tale: Tale): string {
  const timestamp = '2026-10-05T08:00:00.000Z';
  let calls = 0;
  const item = (payload: object): object => ({ timestamp, type: 'response_item', payload });
  const message = (role: string, type: string, words: string): object =>
    item({ type: 'message', role, content: [{ type, text: words }] });
  const record = (step: Step): readonly object[] => {
    if (step.type === 'say') return [message('assistant', 'output_text', step.text)];
    const call_id = `call_${++calls}`;
    if (step.type === 'edit')
      return [
        item({
          type: 'custom_tool_call',
          name: 'apply_patch',
          input: writePatch(step.path, step.from, step.to),
          call_id,
        }),
        item({
          type: 'custom_tool_call_output',
          call_id,
          output: `Success. Updated the following files:\nM ${step.path}`,
        }),
      ];
    const cmd = step.type === 'read' ? `cat ${step.path}` : step.command;
    const output = `Exit code: ${isFailure(step) ? 1 : 0}\nOutput:\n${step.shows}`;
    return [
      item({ type: 'function_call', name: 'shell', arguments: JSON.stringify({ cmd }), call_id }),
      item({ type: 'function_call_output', call_id, output }),
    ];
  };
  const head = {
    timestamp,
    type: 'session_meta',
    payload: { id: 'thread-7', timestamp, cwd: tale.cwd, cli_version: '0.150.0' },
  };
  const turns = tale.turns.flatMap(({ asks, steps }) => [
    message('user', 'input_text', asks),
    ...steps.flatMap(record),
  ]);
  return [head, ...turns].map((line) => JSON.stringify(line)).join('\n');
}

/** As OpenCode exports it. */
export function recordOpenCode(tale: Tale): string {
  let calls = 0;
  const created = Date.UTC(2026, 9, 5, 8, 0, 0);
  const toPart = (step: Step): object => {
    if (step.type === 'say') return { type: 'text', text: step.text };
    const callID = `call_${++calls}`;
    const [tool, input] = nameCall(step, {
      read: (path) => ['read', { filePath: path }],
      edit: (path, from, to) =>
        from === ''
          ? ['write', { filePath: path, content: to }]
          : ['edit', { filePath: path, oldString: from, newString: to }],
      run: (command) => ['bash', { command }],
    });
    const shown = shownBy(step);
    const ended = isFailure(step) ? { status: 'error', error: shown } : { status: 'completed', output: shown };
    return { type: 'tool', tool, callID, state: { ...ended, input } };
  };
  const messages = tale.turns.flatMap(({ asks, steps }, i) => {
    const time = { created: created + 60_000 * i };
    const asked = { info: { id: `msg_${2 * i + 1}`, role: 'user', time }, parts: [{ type: 'text', text: asks }] };
    const parts = steps.flatMap((step) => [{ type: 'step-start' }, toPart(step)]);
    const answered = {
      info: { id: `msg_${2 * i + 2}`, role: 'assistant', parentID: `msg_${2 * i + 1}`, modelID: 'model', time },
      parts,
    };
    return steps.length === 0 ? [asked] : [asked, answered];
  });
  const info = { id: 'ses_7', directory: tale.cwd, version: '1.20.0', time: { created } };
  return JSON.stringify({ info, messages });
}
