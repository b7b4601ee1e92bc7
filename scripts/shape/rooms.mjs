import { compareNodes, findCycle, folderGraph } from './graph.mjs';

/** The rooms of core from the lowest to the highest, and what each of them is for. A room imports only rooms above it here. */
export const CORE_ROOMS = {
  json: 'Guards for values of unknown shape.',
  text: 'Strings that stay well-formed wherever they are cut.',
  errors: 'Every error that core throws, with its code.',
  'check-options': 'One checker of the options that hosts hand in.',
  'brief-memo': 'What was made of some things, for a while.',
  notices: 'Every sentence that core itself puts into a view.',
  message: 'What a message is, and how one is taken in, mended, redacted and recognised.',
  size: 'How many tokens things have, what a window leaves of them, and what they cost.',
  ledger: 'What was decided about a transcript, as plain data: edits, facts, carried items; reading them back.',
  search: 'Finding passages of a transcript by words, ranked.',
  digest: 'A summary by code alone: requests, constraints, files, evidence.',
  view: 'A transcript under its edits: slots, units, turns, what a layer may look at, receipts, invariants.',
  edits: 'How layers build edits: batches, folds, messages made shorter.',
  layers: 'The steps of a walk, one file each.',
  presets: 'Lists of layers for well-known hosts.',
  walk: 'One pass of the layers over a view, and what it comes to.',
  summary: 'Asking a model for a summary: the prompt, the judgement, the retries.',
  session: 'The whole of it for a host: append, view, undo, recall, journal.',
  index: 'The door: all that hosts and authors of layers need.',
};
const HERE = 'scripts/shape/rooms.mjs';

/** The folders of every package form an order: no room imports one that imports it, at no depth. */
export function checkRooms(sources, names) {
  return [...names.flatMap((name) => checkFolder(sources, `packages/${name}/src`)), ...checkCore(sources)];
}

function checkFolder(sources, folder) {
  const { graph, folders } = folderGraph(sources, folder);
  const cycle = findCycle(graph);
  const found = cycle === undefined ? [] : [`${folder}: a circle of imports: ${describeCycle(cycle, graph)}`];
  if (graph.has('index') && folder.endsWith('/src'))
    for (const [node, edges] of graph)
      if (edges.has('index')) found.push(`${edges.get('index')[0]}: ${node} imports index, which is on top`);
  return [...found, ...folders.flatMap((inner) => checkFolder(sources, `${folder}/${inner}`))];
}

/** `a → b (a/x.ts imports b/y.ts), b → a (…)`. */
const describeCycle = (cycle, graph) =>
  cycle
    .map(
      (node, i) =>
        `${node} → ${cycle[(i + 1) % cycle.length]} (${graph.get(node).get(cycle[(i + 1) % cycle.length])[0]})`,
    )
    .join(', ');

function checkCore(sources) {
  const order = Object.keys(CORE_ROOMS);
  const { graph } = folderGraph(sources, 'packages/core/src');
  const found = [];
  for (const node of [...graph.keys()].sort(compareNodes))
    if (!order.includes(node)) found.push(`packages/core/src/${node} has no place in ${HERE}`);
  for (const room of order)
    if (!graph.has(room)) found.push(`${HERE} names core's "${room}", and there is no such room`);
  for (const [node, edges] of graph)
    for (const [other, by] of edges)
      if (order.indexOf(other) > order.indexOf(node))
        found.push(...by.map((one) => `${one}: ${node} stands below ${other} and may not import it`));
  return found;
}
