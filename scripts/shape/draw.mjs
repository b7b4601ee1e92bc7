import { compareNodes, folderGraph, reduceEdges, sortNodes } from './graph.mjs';
import { packageGraph } from './packages.mjs';

/** A graph as lines: each node behind all that it imports. */
const textOf = (graph, indent = '  ') =>
  sortNodes(graph).map((node) => {
    const targets = [...graph.get(node).keys()].sort(compareNodes);
    return `${indent}${node}${targets.length === 0 ? '' : ` → ${targets.join(' ')}`}`;
  });

/** A graph as a picture, without the edges that follow from others. */
function mermaidOf(graph) {
  const id = (node) => `n_${node.replaceAll(/[^a-z0-9]/gi, '_')}`;
  return [
    'flowchart TD',
    ...sortNodes(graph).map((node) => `  ${id(node)}["${node}"]`),
    ...reduceEdges(graph).map(([from, to]) => `  ${id(from)} --> ${id(to)}`),
  ];
}

/** The packages, and the folders of each of them, as text. */
export function drawText(sources, manifests) {
  const packages = packageGraph(sources, manifests);
  return ['packages', ...textOf(packages), ...[...packages.keys()].flatMap((name) => drawFolders(sources, name))];
}

function drawFolders(sources, name) {
  const draw = (folder, indent) => {
    const { graph, folders } = folderGraph(sources, folder);
    return [
      `${indent}${folder.replace('packages/', '')}`,
      ...textOf(graph, `${indent}  `),
      ...folders.flatMap((inner) =>
        hasFolders(sources, `${folder}/${inner}`) ? draw(`${folder}/${inner}`, indent) : [],
      ),
    ];
  };
  return ['', ...draw(`packages/${name}/src`, '')];
}

const hasFolders = (sources, folder) => folderGraph(sources, folder).folders.length > 0;

export const drawPackages = (sources, manifests) => mermaidOf(packageGraph(sources, manifests));
export const drawRooms = (sources, name) => mermaidOf(folderGraph(sources, `packages/${name}/src`).graph);
