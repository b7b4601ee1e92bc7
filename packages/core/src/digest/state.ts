import { toOneLine } from '../text.ts';
import { type CommandState, type FileState, shorten, type Work } from './work.ts';

/** One thing a section may show. Items stand in the order of need. */
export interface Item {
  readonly text: string;
  /** The part of the room that it gets at most, cut where it is longer: one long text must not take the place of all. */
  readonly atMost?: number;
  /** It stands in a line with others. */
  readonly packed?: boolean;
}

const marks = { doing: '[>]', open: '[ ]', done: '[x]', dropped: '[-]' } as const;

/** The list of tasks, what is being done first. */
export function todoItems({ todos, plan }: Work): readonly Item[] {
  const order = ['doing', 'open', 'done', 'dropped'] as const;
  const items: Item[] = order.flatMap((status) =>
    // Of what is done the last of the list was done last.
    (status === 'done' ? todos.toReversed() : todos)
      .filter((one) => one.status === status)
      .map((one) => ({ text: `${marks[status]} ${toOneLine(one.text)}` })),
  );
  return plan === undefined ? items : [...items, { text: `Plan: ${toOneLine(plan)}` }];
}

const REQUEST_CHARS = 160;
const MOST_REQUESTS = 12;

/** Where the work stands: the newest request, the last call and words, the next task; what runs, what was not allowed; older requests. */
export function stateItems(
  { requests, lastCall, lastSaid, errors, todos, open, refusals, commands }: Work,
  messagesBefore: number,
): readonly Item[] {
  const place = (at: number): string => `#${messagesBefore + at + 1}`;
  const items: Item[] = [];
  const newest = requests.at(-1);
  if (newest !== undefined) {
    // A turn that ends in words has come to its end.
    const isDone = lastSaid !== undefined && lastSaid.at > Math.max(newest.at, lastCall?.at ?? -1);
    const how = isDone ? `, answered in ${place(lastSaid.at)}` : '';
    items.push({
      text: `Newest request ${place(newest.at)}${how}: ${shorten(toOneLine(newest.text), REQUEST_CHARS)}`,
      atMost: 0.5,
    });
  }
  if (lastCall !== undefined) {
    const { part, what, outcome, at } = lastCall;
    const error = outcome === 'failed' ? [...errors.values()].at(-1)?.text : undefined;
    const how = outcome === 'failed' && error !== undefined ? `failed: ${error}` : outcome;
    items.push({ text: `Last call ${place(at)}: ${part.tool} ${shorten(toOneLine(what), 200)} (${how})`, atMost: 0.6 });
  }
  const command = [...commands.values()].at(-1);
  if (command !== undefined && lastCall?.command === undefined)
    items.push({ text: `Last command ${place(command.at)}: ${describeCommand(command, 200)}`, atMost: 0.5 });
  if (lastSaid !== undefined)
    items.push({ text: `Last said ${place(lastSaid.at)}: ${toOneLine(lastSaid.text)}`, atMost: 0.7 });
  const next = todos.find((one) => one.status === 'doing') ?? todos.find((one) => one.status === 'open');
  if (next !== undefined) items.push({ text: `Next: ${toOneLine(next.text)}` });
  for (const { part, what } of open.values())
    if (part !== lastCall?.part) items.push({ text: `Running: ${part.tool} ${shorten(toOneLine(what), 120)}` });
  for (const one of new Set(refusals.toReversed()))
    items.push({ text: `Not allowed: ${shorten(toOneLine(one), 120)}` });
  const older = requests.slice(0, -1).slice(-MOST_REQUESTS);
  const list = (title: string, found: typeof older): void => {
    if (found.length > 0) items.push({ text: `${title}: ${found.map(({ at }) => place(at)).join(' ')}` });
  };
  list(
    'Requests answered before',
    older.filter(({ answeredAt }) => answeredAt !== undefined),
  );
  list(
    'Requests not answered',
    older.filter(({ answeredAt }) => answeredAt === undefined),
  );
  return items;
}

const FRESH_MESSAGES = 60;
const signs = { read: '', edited: '*', created: '+', deleted: '-' } as const;

/** Files by need, below the folder that most of them share, which is said once, with a sign for what was done to them. */
export function fileItems({ files, requests }: Work, root: string): readonly Item[] {
  const newest = Math.max(requests.at(-1)?.at ?? 0, [...files.values()].at(-1)?.at ?? 0);
  const score = ({ edits, reads, at }: FileState): number =>
    Math.log2(1 + edits) + 0.5 * Math.log2(1 + reads) + 2 * Math.exp((at - newest) / FRESH_MESSAGES);
  const ordered = [...files.values()].sort((a, b) => score(b) - score(a));
  const folders = new Map<string, string[]>();
  for (const { path, state } of ordered) {
    const below = toOneLine(path.startsWith(root) ? path.slice(root.length) : path);
    const cut = below.lastIndexOf('/') + 1;
    const names = folders.get(below.slice(0, cut)) ?? [];
    folders.set(below.slice(0, cut), [...names, below.slice(cut) + signs[state]]);
  }
  const listed = [...folders].flatMap(([folder, names]) =>
    names.map(
      (name, i): Item => ({
        text: i > 0 || folder === '' ? name : names.length === 1 ? folder + name : `${folder}: ${name}`,
        packed: i < names.length - 1,
      }),
    ),
  );
  return root === '' || listed.length === 0 ? listed : [{ text: `${root}:` }, ...listed];
}

/** Commands by how likely they are run again, with how they went. */
export function commandItems({ commands }: Work, root: string): readonly Item[] {
  const all = [...commands.values()];
  const newest = all.at(-1)?.at ?? 0;
  const score = ({ command, runs, at }: CommandState): number =>
    (1 + 2.5 * Math.log2(runs) + Math.exp((at - newest) / FRESH_MESSAGES)) / (20 + command.length);
  return all.sort((a, b) => score(b) - score(a)).map((one) => ({ text: describeCommand(one, 120, root) }));
}

function describeCommand({ command, runs, outcome, exitCode }: CommandState, chars: number, root = ''): string {
  const bare = toOneLine(command)
    .replace(/^(?:cd \S+ ?(?:&&|;) ?)+/, '')
    .replaceAll(root || '\0', '');
  const how = outcome === 'failed' && exitCode !== undefined ? `exit ${exitCode}` : outcome;
  return `$ ${shorten(bare, chars)} (${how}${runs > 1 ? `, ×${runs}` : ''})`;
}

/** Errors that nothing has resolved, as they were shown, the newest first. */
export const errorItems = ({ errors }: Work): readonly Item[] =>
  [...errors.values()]
    .toReversed()
    .map(({ text, source }) => ({ text: `- ${toOneLine(text)} ← ${shorten(source, 80)}` }));

const SHORTEST_ROOT = 8;
const IN_ROOT = 0.8;

/** The deepest folder that most files lie in. Empty where there is none worth naming. */
export function findRoot({ files }: Work): string {
  const paths = [...files.keys()].filter((path) => path.startsWith('/') || /^[A-Za-z]:\//.test(path));
  const counts = new Map<string, number>();
  for (const path of paths)
    for (let slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
      const folder = path.slice(0, slash + 1);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  const most = paths.length * IN_ROOT;
  const shared = [...counts].filter(([folder, count]) => count > 1 && count >= most && folder.length >= SHORTEST_ROOT);
  return shared.reduce((best, [folder]) => (folder.length > best.length ? folder : best), '');
}
