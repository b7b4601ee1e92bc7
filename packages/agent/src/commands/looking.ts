import { CompactionError, partText } from '@palimpsest/core';
import {
  clip,
  formatCount,
  oneLine,
  padEnd,
  reasonLines,
  receiptLines,
  toScreenText,
  wrap,
} from '@palimpsest/terminal';
import { contextLines } from '../printing/context-lines.ts';
import { spellLines } from '../printing/question-lines.ts';
import { labelsOf } from '../tools/labels.ts';
import type { PermissionRule } from '../world/permission.ts';
import { isModal, MODES, type PermissionMode } from '../world/permission-mode.ts';
import type { Command, CommandDesk } from './command.ts';

export const context: Command = {
  name: 'context',
  usage: '/context',
  help: 'where the tokens are',
  run: (_, { agent, paint, columns, print }) => print(contextLines(agent.contextUse(), paint, columns)),
};

export const receipt: Command = {
  name: 'receipt',
  usage: '/receipt [all]',
  help: 'what the last compaction hid, and where it is',
  run(argument, { agent, paint, columns, print }) {
    if (argument !== '' && argument !== 'all')
      return print(['Say /receipt for the last compaction, /receipt all for each.']);
    const all = agent.session.receipts();
    const wanted = argument === 'all' ? all : all.slice(-1);
    if (all.length === 0) return print(['Nothing has been compacted yet.']);
    for (const one of wanted) print([...receiptLines(one, paint, columns), ...reasonLines(one, paint, columns)]);
  },
};

export const pins: Command = {
  name: 'pins',
  usage: '/pins',
  help: 'what is pinned',
  run(_, { agent, columns, print }) {
    const { session } = agent;
    const pinned = new Set<string>();
    for (const entry of session.ledger().entries) {
      if (entry.type === 'pin') pinned.add(entry.message);
      if (entry.type === 'unpin') pinned.delete(entry.message);
    }
    const messages = session.transcript().filter(({ id }) => pinned.has(id));
    if (messages.length === 0) return print(['Nothing is pinned: /pin keeps what you said before in view.']);
    print(
      messages.map((message) =>
        clip(`  ${oneLine(`${message.id} ${message.parts.map(partText).join(' ')}`)}`, columns),
      ),
    );
  },
};

export const permissions: Command = {
  name: 'permissions',
  usage: '/permissions [clear]',
  help: 'what you allowed for always, until you leave; clear takes it back',
  run(argument, { agent, columns, print }) {
    const { permission } = agent;
    if (argument !== '' && argument !== 'clear')
      return print(['Say /permissions to see what is allowed, /permissions clear to be asked again.']);
    const rules = permission.rules?.() ?? [];
    if (argument === 'clear') permission.forgetRules?.();
    if (rules.length === 0) return print(['Nothing was allowed for always.']);
    if (argument === 'clear') return print([`Taken back: ${formatCount(rules.length, 'permission')}.`]);
    for (const { tool, covers, what } of rules) {
      print([`  ${oneLine(tool)}, ${COVERS[covers]}`]);
      if (covers !== 'tool') print(spellLines(what, columns));
    }
  },
};

const COVERS: Readonly<Record<PermissionRule['covers'], string>> = {
  exact: 'this and nothing else:',
  prefix: 'whatever begins with these words:',
  tool: 'whatever it is called with',
};

export const mode: Command = {
  name: 'mode',
  usage: '/mode [NAME]',
  help: `what the agent may do unasked: ${MODES.join(', ')} (shift-tab goes through them)`,
  run(argument, { agent: { permission }, print }) {
    if (!isModal(permission)) return print(['The mode cannot be changed here.']);
    const wanted = MODES.find((one) => one === argument);
    if (argument !== '' && wanted === undefined)
      return print([`There is no such mode. There are: ${MODES.join(', ')}.`]);
    if (wanted !== undefined) permission.setMode(wanted);
    print([`${permission.mode()}: ${ABOUT_MODE[permission.mode()]}`]);
  },
};

const ABOUT_MODE: Readonly<Record<PermissionMode, string>> = {
  'accept-edits': 'edits inside the folder are made, commands are asked for',
  ask: 'edits and commands are asked for',
  'read-only': 'nothing is changed and nothing is run',
};

const SHOWN_LINES = 40;

export const recall: Command = {
  name: 'recall',
  usage: '/recall WORDS | REFERENCE',
  help: 'finds and reads what was compacted',
  run(argument, desk) {
    if (argument === '') return desk.print(['Say what to look for: /recall WORDS, or /recall e12.']);
    return /^[em]\d+(?:\s*(?:to|-)\s*e\d+)?$/.test(argument) ? read(argument, desk) : search(argument, desk);
  },
};

function read(reference: string, { agent, columns, paint, print }: CommandDesk): void {
  try {
    const lines = wrap(toScreenText(agent.session.recall.read(reference).text), columns - 2);
    print(lines.slice(0, SHOWN_LINES).map((line) => `  ${line}`));
    if (lines.length > SHOWN_LINES)
      print([paint.dim(`  … ${formatCount(lines.length - SHOWN_LINES, 'more line')}; /export writes all`)]);
  } catch (error) {
    if (!(error instanceof CompactionError)) throw error;
    print([paint.yellow(oneLine(error.message))]);
  }
}

function search(query: string, { agent, columns, paint, print }: CommandDesk): void {
  const label = labelsOf(agent.session.transcript());
  const found = agent.session.recall.search(query, 10);
  for (const { message, line } of found)
    print([
      `  ${paint.cyan(padEnd(oneLine(message.id), 6))} ${clip(oneLine(`${label(message)} · ${line}`), columns - 9)}`,
    ]);
  print([
    found.length === 0 ? oneLine(`Nothing said or seen here is about: ${query}`) : paint.dim('  read one: /recall ID'),
  ]);
}
