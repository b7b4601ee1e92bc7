import ts from 'typescript';
import { functionsOf } from './functions.mjs';

const LONGEST_FILE = 400;
const LONGEST_FUNCTION = 80;

/** Files and functions that one can read at once. A test may be long: its `describe` is a function too. */
export const checkSizes = (sources) =>
  sources.flatMap(({ file, text, place }) => {
    const lines = text.split('\n').length;
    const found = lines > LONGEST_FILE ? [`${file}: ${lines} lines, at most ${LONGEST_FILE}`] : [];
    if (place === 'test' || file.endsWith('.test.ts')) return found;
    for (const { node, name, tree } of functionsOf(file, text)) {
      const from = lineOf(tree, node.getStart(tree));
      const length = lineOf(tree, node.getEnd()) - from + 1;
      if (length > LONGEST_FUNCTION)
        found.push(`${file}:${from} ${name ?? 'a function'}: ${length} lines, at most ${LONGEST_FUNCTION}`);
    }
    return found;
  });

const lineOf = (tree, position) => ts.getLineAndCharacterOfPosition(tree, position).line + 1;
