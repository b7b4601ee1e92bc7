import { expect, it } from 'vitest';
import { checkDoor } from './door.mjs';
import { findCycle, folderGraph, reduceEdges, sortNodes } from './graph.mjs';
import { checkPackages } from './packages.mjs';
import { checkPaths } from './paths.mjs';
import { checkRooms } from './rooms.mjs';
import { checkWalls } from './walls.mjs';
import { checkWorld } from './world.mjs';

/** A file as readSources gives it: where it stands, its text, and what it imports. */
const source = (file, imports = [], text = '') => {
  const [, name, place] = /^packages\/([^/]+)\/(src|test)\//.exec(file) ?? [];
  const links = imports.map((words) => ({
    words,
    path: words.startsWith('.') ? new URL(words, `file:///${file}`).pathname.slice(1) : undefined,
  }));
  return { file, text, name, place, imports: links };
};

it('finds two folders that import each other, and says by which files', () => {
  const sources = [
    source('packages/agent/src/a/one.ts', ['../b/two.ts']),
    source('packages/agent/src/b/two.ts', ['./three.ts']),
    source('packages/agent/src/b/three.ts', ['../a/four.ts']),
    source('packages/agent/src/a/four.ts'),
  ];
  const [breach, ...more] = checkRooms(sources, ['agent']).filter((one) => !one.includes('core'));
  expect(more).toEqual([]);
  expect(breach).toContain('a → b (packages/agent/src/a/one.ts imports b/two.ts)');
  expect(breach).toContain('b → a (packages/agent/src/b/three.ts imports a/four.ts)');
});

it('finds a circle below the first level too', () => {
  const sources = [
    source('packages/sim/src/a/x/one.ts', ['../y.ts']),
    source('packages/sim/src/a/y.ts', ['./x/one.ts']),
  ];
  expect(checkRooms(sources, ['sim']).filter((one) => one.includes('circle'))).toHaveLength(1);
});

it('nothing imports the index', () => {
  const sources = [source('packages/sim/src/index.ts'), source('packages/sim/src/clock.ts', ['./index.ts'])];
  expect(checkRooms(sources, ['sim']).join('\n')).toContain('clock imports index, which is on top');
});

it('a room of core imports no room above it, and every room has its place', () => {
  const sources = [
    source('packages/core/src/message/message.ts', ['../walk/walk.ts']),
    source('packages/core/src/walk/walk.ts'),
    source('packages/core/src/attic/old.ts'),
  ];
  const found = checkRooms(sources, ['core']).join('\n');
  expect(found).toContain('message stands below walk and may not import it');
  expect(found).toContain('packages/core/src/attic has no place');
  expect(found).toContain(`names core's "session", and there is no such room`);
});

it('packages import in one direction and by their doors', () => {
  const manifests = new Map([
    ['core', { exports: { '.': './src/index.ts', './json': './src/json.ts' } }],
    ['wire', { exports: { '.': './src/index.ts' } }],
    ['attic', {}],
  ]);
  const sources = [
    source('packages/core/src/a.ts', ['@palimpsest/wire', 'node:fs', './b.ts']),
    source('packages/wire/src/a.ts', [
      '@palimpsest/core/json',
      '@palimpsest/core/secret',
      '../../core/src/a.ts',
      'zod',
    ]),
  ];
  const found = checkPackages(sources, manifests).filter((one) => !one.includes('there is no such package'));
  expect(found).toEqual([
    'packages/attic has no place in scripts/shape/packages.mjs',
    'packages/core/src/a.ts: core imports "@palimpsest/wire"; it imports nothing',
    'packages/core/src/a.ts: core imports "node:fs"; it imports nothing',
    'packages/wire/src/a.ts: "@palimpsest/core/secret" is no door of core',
    'packages/wire/src/a.ts: "../../core/src/a.ts" leaves the sources of wire',
  ]);
});

it('a test stays inside its package and goes through doors', () => {
  const manifests = new Map([['testing', { exports: { './bodies/*': './src/bodies/*.ts' } }]]);
  const test = source('packages/sim/test/a.test.ts', [
    '../src/a.ts',
    './b.ts',
    '../../wire/test/rows.ts',
    '@palimpsest/testing/bodies/chat',
    '@palimpsest/testing/secret',
  ]);
  expect(checkWalls([test], manifests)).toEqual([
    'packages/sim/test/a.test.ts: "../../wire/test/rows.ts" reaches over the wall of packages/sim/; go through a door, or share it by @palimpsest/testing',
    'packages/sim/test/a.test.ts: "@palimpsest/testing/secret" is no door of any package',
  ]);
});

it('core touches no world, but may speak of it', () => {
  const core = (text) => checkWorld([source('packages/core/src/a.ts', [], text)]);
  expect(core('const now = Date.now();')).toEqual(['packages/core/src/a.ts: core touches the clock']);
  expect(core('/* never Date.now() */ // nor fetch()')).toEqual([]);
  expect(core(`const said = \`such as process.env, not \${value}\` + 'https://a' + /fetch\\(/;`)).toEqual([]);
  expect(core(`const said = \`\${process.env.HOME} // \`;`)).toEqual([
    'packages/core/src/a.ts: core touches the process',
  ]);
});

it('what is printed goes through one door', () => {
  const check = (file, text) => checkDoor([source(file, [], text)]).map((one) => one.slice(file.length + 2));
  expect(check('packages/cli/src/a.ts', `console.log('x');`)).toEqual([
    'prints past the door; hand it to a writer of @palimpsest/terminal',
  ]);
  expect(check('packages/agent/src/a.ts', 'stream.write(text);')).toEqual([
    'writes past the door; hand it to a writer of @palimpsest/terminal',
  ]);
  expect(check('packages/agent/src/a.ts', 'stdin.write(text);')).toHaveLength(1);
  expect(check('packages/agent/src/a.ts', 'child.stdin?.write(text);')).toEqual([]);
  expect(check('packages/store/src/a.ts', 'handle.write(bytes);')).toEqual([]);
  expect(check('packages/store/src/a.ts', 'const { stdout, env } = process;')).toHaveLength(1);
  expect(check('packages/cli/src/a.ts', 'out.print(JSON.stringify(data));')).toHaveLength(1);
  expect(check('packages/cli/src/a.ts', `const said = 'console.log()'; // process.stdout`)).toEqual([]);
  expect(check('packages/cli/src/terminal.ts', 'process.stdout.write(text);')).toEqual([]);
});

it('draws what is below first, and only the edges that do not follow from others', () => {
  const sources = [
    source('packages/sim/src/top.ts', ['./middle.ts', './bottom.ts']),
    source('packages/sim/src/middle.ts', ['./bottom.ts']),
    source('packages/sim/src/bottom.ts'),
  ];
  const { graph } = folderGraph(sources, 'packages/sim/src');
  expect(findCycle(graph)).toBeUndefined();
  expect(sortNodes(graph)).toEqual(['bottom', 'middle', 'top']);
  expect(reduceEdges(graph)).toEqual([
    ['middle', 'bottom'],
    ['top', 'middle'],
  ]);
});

it('a path is one that somebody meant to write', () => {
  expect(checkPaths(['packages/core/src/a.ts', '.ci/run', 'docs/api/core@1.md'])).toEqual([]);
  expect(checkPaths(['what it came to), it#'])).toEqual([
    '"what it came to), it#": a path has letters, digits and ./_@- in it, nothing else',
  ]);
});
