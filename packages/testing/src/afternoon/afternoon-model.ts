import { callsOf, type Message, wordsOf } from '@palimpsest/core';
import type { Script, SimCall, SimReply } from '@palimpsest/sim';

/** What a turn is about: what the person asks for, and what the model does then. */
export type TurnKind = 'rule' | 'talk' | 'edit' | 'test' | 'look' | 'ask' | 'mcp' | 'todo';

/** Ten turns of work, over and over. */
const CYCLE: readonly TurnKind[] = ['talk', 'edit', 'test', 'look', 'edit', 'ask', 'mcp', 'todo', 'edit', 'test'];
const RULE_EVERY = 40;

export const kindOf = (turn: number): TurnKind =>
  turn % RULE_EVERY === 1 ? 'rule' : (CYCLE[(turn - 1) % CYCLE.length] ?? 'talk');

export const PARTS = 24;
export const partFile = (n: number): string => `src/part-${n % PARTS}.mjs`;
export const todoOf = (turn: number): string => `ship the batch of turn ${turn}`;
export const ruleOf = (turn: number): string =>
  `never rename the function keeper${turn}, and always answer auditor ${turn * 31} first`;

/** What the person says; nothing of it is said twice. */
export function wordsFor(turn: number): string {
  const kind = kindOf(turn);
  const about: Readonly<Record<TurnKind, string>> = {
    rule: `from now on, ${ruleOf(turn)}.`,
    talk: `customer ${turn * 7919} waits for order ${turn * 104_729}, mind that.`,
    edit: `set the value of ${partFile(turn)} to ${turn}.`,
    test: 'run the checks.',
    look: `look through ${[0, 1, 2].map((more) => partFile(turn + more)).join(', ')}.`,
    ask: `have a subagent look at ${partFile(turn)}.`,
    mcp: 'ask the server which sessions there are.',
    todo: `put down: ${todoOf(turn)}.`,
  };
  return `turn ${turn}: ${kind}: ${about[kind]}`;
}

export const SLEEP = 'sleep: run something that takes long.';
export const BACKGROUND = 'background: let a subagent wait in the background.';
/** Until the subagent of that turn is at work. */
export const AWAIT = 'await: wait for the subagent.';
export const RECALL = 'recall: read';

interface ModelParts {
  /** What a part's value is now. */
  readonly readValue: (file: string) => number;
}

/** Does what the newest request in its view asks for, step by step, as a coder would: look, change, check, tell. */
export const makeAfternoonModel =
  ({ readValue }: ModelParts): Script =>
  ({ messages }) => {
    const at = messages.findLastIndex((message) => findRequest(message) !== undefined);
    const [, , number = '0', kind = '', rest = ''] = findRequest(messages[at]) ?? [];
    const turn = Number(number);
    const steps = stepsFor(kind, turn, rest, readValue);
    return steps[countSteps(messages.slice(at + 1))] ?? { text: tellEnd(kind, turn) };
  };

/** What hosts say in the person's place may stand before it. */
const REQUEST = /^(turn|sub) (\d+): (\w+):(.*)$/gm;
const findRequest = (message: Message | undefined): RegExpExecArray | undefined =>
  message === undefined ? undefined : [...wordsOf(message).matchAll(REQUEST)].at(-1);

const countSteps = (messages: readonly Message[]): number =>
  messages.filter((message) => message.role === 'assistant' && callsOf(message).length > 0).length;

const tellEnd = (kind: string, turn: number): string =>
  `Done with ${kind === '' ? 'it' : kind} of turn ${turn}. ${'What was found is as it should be. '.repeat(12)}`;

function stepsFor(kind: string, turn: number, rest: string, readValue: ModelParts['readValue']): readonly SimReply[] {
  const one = (name: string, input: SimCall['input']): readonly SimReply[] => [{ calls: [{ name, input }] }];
  switch (kind) {
    case 'edit': {
      const path = partFile(turn);
      const [old_text, new_text] = [readValue(path), turn].map((value) => `export const value = ${value};`);
      return [
        ...one('read_file', { path }),
        ...one('edit_file', { path, old_text: old_text ?? '', new_text: new_text ?? '' }),
      ];
    }
    case 'test':
      return one('bash', { command: `node check.mjs ${turn}` });
    case 'look':
      return [{ calls: [0, 1, 2].map((more) => ({ name: 'read_file', input: { path: partFile(turn + more) } })) }];
    case 'read':
      return one('read_file', { path: partFile(turn) });
    case 'ask':
      return one('task', { description: `look at part ${turn}`, prompt: `sub ${turn}: read: one file, and tell.` });
    case 'mcp':
      return one('mcp__past__sessions', {});
    case 'todo':
      return one('todo_write', { todos: [{ content: todoOf(turn), status: 'in_progress' }] });
    case 'recall':
      return one('recall', { reference: rest.trim().split(/\s+/).at(-1) ?? '' });
    case 'sleep':
      return one('bash', { command: `mkdir -p pids; echo $$ > pids/${turn}; sleep 300`, timeout_seconds: 300 });
    case 'await':
      return one('bash', { command: `until [ -s pids/${turn} ]; do sleep 0.05; done` });
    case 'background':
      return one('task', { description: `wait ${turn}`, prompt: `sub ${turn}: sleep: long.`, background: true });
    default:
      return [];
  }
}
