import ts from 'typescript';

const isWords = (node) =>
  ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isRegularExpressionLiteral(node);

/** A file without what it says: texts, patterns and comments. */
export function stripWords(file, text) {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  let code = '';
  let end = 0;
  const visit = (node) => {
    if (!isWords(node)) return ts.forEachChild(node, visit);
    code += text.slice(end, node.getStart(tree));
    end = node.end;
  };
  visit(tree);
  return (code + text.slice(end)).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}
