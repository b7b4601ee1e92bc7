export const compareNodes = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * What stands in a folder, and which imports which. A node is a folder or a file without its ending; an edge has the
 * imports that make it, as `file imports file`. `folders` are the nodes that are folders.
 */
export function folderGraph(sources, folder) {
  const nodeOf = (path) => path.slice(folder.length + 1).split('/');
  const graph = new Map();
  const folders = new Set();
  const inside = sources.filter(({ file }) => file.startsWith(`${folder}/`));
  for (const { file } of inside) {
    const [first, ...rest] = nodeOf(file);
    graph.set(withoutEnding(first), new Map());
    if (rest.length > 0) folders.add(first);
  }
  for (const { file, imports } of inside)
    for (const { path } of imports) {
      if (path === undefined || !path.startsWith(`${folder}/`)) continue;
      const from = withoutEnding(nodeOf(file)[0]);
      const to = withoutEnding(nodeOf(path)[0]);
      if (from === to || !graph.has(to)) continue;
      const edges = graph.get(from);
      edges.set(to, [...(edges.get(to) ?? []), `${file} imports ${path.slice(folder.length + 1)}`]);
    }
  return { graph, folders: [...folders].sort(compareNodes) };
}

const withoutEnding = (name) => name.replace(/\.(tsx?|mjs)$/, '');
const targetsOf = (graph, node) => [...graph.get(node).keys()];

/** Some nodes that import each other in a circle, in order; undefined where there is no circle. */
export function findCycle(graph) {
  const done = new Set();
  const path = [];
  const visit = (node) => {
    if (path.includes(node)) return path.slice(path.indexOf(node));
    if (done.has(node)) return undefined;
    path.push(node);
    for (const next of targetsOf(graph, node)) {
      const cycle = visit(next);
      if (cycle !== undefined) return cycle;
    }
    path.pop();
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** The nodes in an order in which each stands behind all that it imports. Nodes of a circle come as they are found. */
export function sortNodes(graph) {
  const sorted = new Set();
  const open = new Set();
  const visit = (node) => {
    if (sorted.has(node) || open.has(node)) return;
    open.add(node);
    for (const next of targetsOf(graph, node).sort(compareNodes)) visit(next);
    sorted.add(node);
  };
  for (const node of [...graph.keys()].sort(compareNodes)) visit(node);
  return [...sorted];
}

/** The edges that do not follow from others: what a picture needs. */
export function reduceEdges(graph) {
  const reach = (from, seen = new Set()) => {
    for (const next of targetsOf(graph, from))
      if (!seen.has(next)) {
        seen.add(next);
        reach(next, seen);
      }
    return seen;
  };
  const reached = new Map([...graph.keys()].map((node) => [node, reach(node)]));
  return sortNodes(graph).flatMap((from) => {
    const targets = targetsOf(graph, from);
    return targets
      .filter((to) => !targets.some((between) => between !== to && reached.get(between).has(to)))
      .sort(compareNodes)
      .map((to) => [from, to]);
  });
}
