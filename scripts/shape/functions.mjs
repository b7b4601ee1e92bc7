import ts from 'typescript';

/** Every function of a file with a body: its node, the name it is called by where it has one, and the file's tree. */
export function functionsOf(file, text) {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) found.push({ node, name: nameOf(node), tree });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Its own name, or that of the constant that holds it. */
function nameOf(node) {
  if (node.name !== undefined && ts.isIdentifier(node.name)) return node.name.text;
  const { parent } = node;
  return ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? parent.name.text : undefined;
}
