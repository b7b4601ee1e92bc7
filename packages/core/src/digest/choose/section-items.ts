import type { CommandEvidence, Constraint, Evidence, FileEvidence, Words } from '../evidence/evidence.ts';
import { keepNewest } from '../evidence/newest-of.ts';
import { commandLine } from '../read/call-tally.ts';
import { repeatWeight } from '../read/command-tally.ts';
import { shorten } from '../read/conclusion-tally.ts';
import { findCommonRoot } from './common-root.ts';
import type { SectionName } from './shares.ts';

/** One thing a section may show. Items stand in the order of need; the first that fit are shown. */
export interface Item {
  readonly text: string;
  /** May be shown shortened: it gets at most this part of the section, so that one long text does not take the place of all. */
  readonly bound?: number;
  /** Items of one group are shown together under its name. */
  readonly group?: string;
}

export type ProseName = Exclude<SectionName, 'identifiers'>;

export const SECTION_TITLES: Readonly<Record<SectionName, string>> = {
  request: '## Request (user)',
  constraints: '## Rules (user)',
  words: '## Said before (user)',
  todo: '## Todo',
  progress: '## In progress',
  files: '## Files',
  commands: '## Commands',
  errors: '## Errors (quoted)',
  conclusions: '## Conclusions (model)',
  identifiers: '## Identifiers',
};

const toOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A message of a word or two ("ok", "continue") says nothing about what is wanted. */
const isSubstantial = ({ text }: Words): boolean => text.length >= 20 || /[\u3040-\u9fff\uac00-\ud7af]{5}/.test(text);

/** "ok", "yes", "go on". */
const isNod = ({ text }: Words): boolean => text.length < 8 && !/[\u3040-\u9fff\uac00-\ud7af]{3}/.test(text);

const findNewestRequest = (evidence: Evidence): Words | undefined =>
  evidence.words.findLast(isSubstantial) ?? evidence.words.at(-1);

function requestItems(evidence: Evidence): readonly Item[] {
  const newest = findNewestRequest(evidence);
  const first = evidence.words.find(isSubstantial);
  if (newest === undefined) return [];
  const items: Item[] = [{ text: newest.text, bound: 0.7 }];
  if (first !== undefined && first !== newest) items.push({ text: `At first: ${first.text}`, bound: 1 });
  return items;
}

/** Denials and corrections before demands, what was said directly before what was pasted; each kind newest first. */
const tier = ({ strength, direct }: Constraint): number => (direct ? 0 : 2) + (strength === 'denial' ? 0 : 1);

/** A pasted document may hold a hundred demands; the newest few stand for it. */
const mostPasted = 10;

function constraintItems(evidence: Evidence): readonly Item[] {
  const said = [...evidence.constraints].reverse().sort((a, b) => tier(a) - tier(b));
  const rules = [...said.filter((rule) => rule.direct), ...said.filter((rule) => !rule.direct).slice(0, mostPasted)];
  const refused = [...evidence.refusals].reverse().map(({ tool, what }) => `Not allowed: ${tool} ${toOneLine(what)}`);
  return [...rules.map(({ text }) => text), ...new Set(refused)].map((text) => ({ text: `- ${text}` }));
}

function wordItems(evidence: Evidence): readonly Item[] {
  const newest = findNewestRequest(evidence);
  const first = evidence.words.find(isSubstantial);
  const rules = new Set(evidence.constraints.map(({ text }) => text));
  return keepNewest(evidence.words)
    .filter((one) => one !== newest && one !== first && !rules.has(one.text) && !isNod(one))
    .reverse()
    .map(({ text }) => ({ text: `- ${text}`, bound: 0.3 }));
}

const marks = { doing: '[>]', open: '[ ]', done: '[x]', dropped: '[-]' } as const;

function todoItems({ todos, plan }: Evidence): readonly Item[] {
  const order = ['doing', 'open', 'done', 'dropped'] as const;
  const items: Item[] = order.flatMap((status) =>
    todos.filter((one) => one.status === status).map((one) => ({ text: `${marks[status]} ${toOneLine(one.text)}` })),
  );
  if (plan !== undefined) items.push({ text: `Plan: ${plan}`, bound: 1 });
  return items;
}

function progressItems({ lastSaid, lastCall, todos, errors, conclusions }: Evidence): readonly Item[] {
  const items: Item[] = [];
  const next = todos.find((one) => one.status === 'doing') ?? todos.find((one) => one.status === 'open');
  if (lastCall !== undefined) {
    const { tool, what, outcome } = lastCall;
    const error = outcome === 'failed' ? errors.at(-1) : undefined;
    const how = error === undefined ? outcome : `failed: ${error.text}`;
    items.push({ text: `Last call: ${tool} ${shorten(toOneLine(what), 200)} (${how})`, bound: 0.6 });
  }
  const said = lastSaid ?? conclusions.at(-1);
  if (said !== undefined) items.push({ text: `Last said: ${toOneLine(said.text)}`, bound: 0.7 });
  if (next !== undefined) items.push({ text: `Next: ${toOneLine(next.text)}` });
  return items;
}

/** Recent messages count for most of a file's or a command's worth; so many messages halve it about once and a half. */
const freshMessages = 60;
const freshness = (at: number, evidence: Evidence): number => Math.exp(-(evidence.messages - at) / freshMessages);

/**
 * Files under the folder they share with others: each keeps its last two steps, the way people name a file. With
 * `whole`, every path stands as it is.
 */
export function fileItems(evidence: Evidence, whole: boolean): readonly Item[] {
  const worth = (file: FileEvidence): number =>
    Math.log2(1 + file.edits) + 0.5 * Math.log2(1 + file.reads) + 2 * freshness(file.at, evidence);
  const root = whole ? '' : findCommonRoot(evidence.files.map((file) => file.path));
  const items = [...evidence.files]
    .sort((a, b) => worth(b) - worth(a))
    .map((file) => {
      const lines = (whole ? file.lines : undefined)?.map(([from, to]) => `${from}-${to}`).join(',');
      const path = file.path.startsWith(root) ? file.path.slice(root.length) : file.path;
      const steps = whole ? [] : path.split('/').slice(0, -2);
      const folder = steps.join('') === '' ? '' : `${steps.join('/')}/`;
      const name = path.slice(folder.length);
      const much =
        file.state === 'read' ? (lines === undefined ? '' : `:${lines}`) : file.edits > 1 ? `×${file.edits}` : '';
      return {
        text: (name.includes(' ') ? `\`${name}\`` : name) + much,
        group: folder === '' ? file.state : `${file.state} in ${folder}`,
      };
    });
  return root === '' ? items : [{ text: root, group: 'root' }, ...items];
}

/** Longer ones are shown by their first line. */
const longestCommand = 240;

function commandItems(evidence: Evidence): readonly Item[] {
  const worth = ({ command, runs, at }: CommandEvidence): number =>
    ((1 + 2.5 * Math.log2(runs) + freshness(at, evidence)) * repeatWeight(command)) / (20 + command.length);
  const running = evidence.open.flatMap((part) => commandLine(part) ?? []);
  const run = evidence.commands.filter(({ command }) => !running.includes(command));
  const going = running.map((command) => ({ command, runs: 1, outcome: 'pending', at: evidence.messages }) as const);
  return [...run, ...going]
    .sort((a, b) => worth(b) - worth(a))
    .map((one) => {
      const state =
        one.outcome !== 'failed' ? one.outcome : one.exitCode === undefined ? 'failed' : `exit ${one.exitCode}`;
      const times = one.runs > 1 ? ` (×${one.runs})` : '';
      const shown = one.command.length <= longestCommand ? one.command : shorten(toOneLine(one.command), 120);
      return { text: shown + times, group: state };
    });
}

function errorItems(evidence: Evidence): readonly Item[] {
  return [...evidence.errors]
    .reverse()
    .sort((a, b) => Number(a.gone) - Number(b.gone))
    .map(({ text, source, gone }) => ({ text: `- ${text} ← ${toOneLine(source)}${gone ? ' (went well since)' : ''}` }));
}

const conclusionItems = (evidence: Evidence): readonly Item[] =>
  [...evidence.conclusions].reverse().map(({ text }) => ({ text: `- ${toOneLine(text)}`, bound: 0.3 }));

export const sectionItems: Readonly<Record<ProseName, (evidence: Evidence) => readonly Item[]>> = {
  request: requestItems,
  constraints: constraintItems,
  words: wordItems,
  todo: todoItems,
  progress: progressItems,
  files: (evidence) => fileItems(evidence, false),
  commands: commandItems,
  errors: errorItems,
  conclusions: conclusionItems,
};
