import { spawn } from 'node:child_process';
import type { Receipt } from '@palimpsest/core';
import { asFields, asList, asString } from '@palimpsest/core/json';

type Line = Readonly<Record<string, unknown>> & { readonly type: string };

/** What the agent has told, which must therefore be there whatever happens next. */
export interface Told {
  id: string;
  /** Presets as sessions were opened with them. */
  readonly presets: string[];
  readonly words: string[];
  readonly results: Map<string, string>;
  readonly values: Map<string, number>;
  todo: string;
  readonly tasks: Set<string>;
  readonly receipts: Map<number, Receipt>;
  readonly reverted: Set<number>;
  readonly mended: string[];
  /** The preset in force, as far as it was told. */
  preset: string;
  /** Compactions that the person asked for have begun so often. */
  asked: number;
  mcpCalls: number;
  edits: number;
  readonly problems: string[];
}

export const newTold = (): Told => ({
  id: '',
  presets: [],
  words: [],
  results: new Map(),
  values: new Map(),
  todo: '',
  tasks: new Set(),
  receipts: new Map(),
  reverted: new Set(),
  mended: [],
  preset: '',
  asked: 0,
  mcpCalls: 0,
  edits: 0,
  problems: [],
});

interface Start {
  /** The program and the words before what is said. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly told: Told;
  /** Killed as soon as this is so. */
  readonly killWhen?: () => boolean;
}

/** Runs the agent with all that is to be said, to its end or until it is killed; rejects where it ended otherwise. */
export async function runStage(
  said: readonly string[],
  { command, environment, told, killWhen }: Start,
): Promise<{ readonly pid: number }> {
  const [file = '', ...words] = command;
  const child = spawn(file, [...words, ...said.flatMap((one) => ['-p', one])], { env: environment });
  let rest = '';
  let complaints = '';
  let isKilled = false;
  const killIfDue = (): void => {
    if (isKilled || killWhen?.() !== true) return;
    isKilled = true;
    child.kill('SIGKILL');
  };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') hear(told, JSON.parse(line) as Line);
    killIfDue();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaints += chunk;
  });
  const watch = setInterval(killIfDue, 20);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  clearInterval(watch);
  if (isKilled === (killWhen !== undefined) && (isKilled || code === 0)) return { pid: child.pid ?? 0 };
  throw new Error(`the agent ended with ${code}${isKilled ? '' : ', not killed'}: ${complaints.slice(-2_000)}`);
}

function hear(told: Told, event: Line): void {
  switch (event.type) {
    case 'session-opened':
      told.id = asString(event.id) ?? '';
      told.preset = asString(event.preset) ?? '';
      told.presets.push(told.preset);
      return;
    case 'command-answered':
      told.preset = /^\/preset (\S+)/.exec(asString(event.command) ?? '')?.[1] ?? told.preset;
      return;
    case 'compaction-started':
      told.asked += event.trigger === 'manual' ? 1 : 0;
      return;
    case 'session-mended':
      return void told.mended.push(asString(event.what) ?? '');
    case 'input-delivered':
      return void told.words.push(asString(event.text) ?? '');
    case 'call-ended':
      hearCall(told, event);
      return;
    case 'view-compacted': {
      const receipt = event.receipt as Receipt;
      return void told.receipts.set(receipt.walk, receipt);
    }
    case 'walk-reverted':
      return void told.reverted.add((event.receipt as Receipt).walk);
    case 'turn-ended':
      if (event.problem !== undefined) told.problems.push(asString(event.problem) ?? '');
      return;
    case 'server-failed':
    case 'servers-refused':
      return void told.problems.push(asString(event.why) ?? event.type);
  }
}

function hearCall(told: Told, event: Line): void {
  const text = asString(event.text) ?? '';
  const input = asFields(event.input);
  told.results.set(asString(event.callId) ?? '', text);
  if (String(event.tool).startsWith('mcp__')) told.mcpCalls++;
  const task = /(?:its own session is|^The task) (\S+-task-\d+)/.exec(text)?.[1];
  if (task !== undefined) told.tasks.add(task);
  if (event.isError === true) return void told.problems.push(`${String(event.tool)}: ${text.slice(0, 200)}`);
  if (event.tool === 'edit_file') told.edits++;
  if (event.tool === 'edit_file')
    told.values.set(asString(input.path) ?? '', Number(/= (\d+);/.exec(asString(input.new_text) ?? '')?.[1]));
  if (event.tool === 'todo_write') told.todo = asString(asFields(asList(input.todos)[0]).content) ?? '';
}
