import ts from 'typescript';

/** A variable's statement, which has the comment; else the declaration itself. */
export const declarationOf = (node) =>
  ts.isVariableDeclaration(node) && ts.isVariableStatement(node.parent.parent) ? node.parent.parent : node;

/** The comment right before it, as it was written. */
export function commentOf(node) {
  const text = node.getSourceFile().text;
  const comments = ts.getLeadingCommentRanges(text, node.pos) ?? [];
  const last = comments.findLast((range) => text.startsWith('/**', range.pos));
  return last === undefined ? undefined : text.slice(last.pos, last.end);
}

/** Comment and declaration, without `export` and without what only the implementation knows. */
export function printDeclaration({ name, nodes, comment }, checker) {
  const bodies = nodes.some((node) => ts.isFunctionDeclaration(node) && node.body === undefined)
    ? nodes.filter((node) => !ts.isFunctionDeclaration(node) || node.body === undefined)
    : nodes;
  return [...(comment === undefined ? [] : [comment]), ...bodies.map((node) => shape(name, node, checker))].join('\n');
}

const { NoTruncation, UseSingleQuotesForStringLiteralType, MultilineObjectLiterals } = ts.NodeBuilderFlags;
const FLAGS = NoTruncation | UseSingleQuotesForStringLiteralType | MultilineObjectLiterals;
const printer = ts.createPrinter();

/** A type that nobody wrote down. */
function inferredType(node, checker) {
  const type = checker.typeToTypeNode(checker.getTypeAtLocation(node), node, FLAGS);
  return printer.printNode(ts.EmitHint.Unspecified, type, node.getSourceFile()).replaceAll('    ', '  ');
}

function shape(name, node, checker) {
  if (ts.isVariableStatement(node)) {
    const declared = node.declarationList.declarations.find((one) => one.name.getText() === name);
    const type = declared.type?.getText() ?? inferredType(declared, checker);
    return `const ${name}: ${type};`;
  }
  if (ts.isFunctionDeclaration(node)) return `${withoutBody(node)};`;
  if (ts.isClassDeclaration(node)) return classShape(node);
  return node.getText().replace(/^export /, '');
}

/** Up to the body, on one line where it was written over several. */
function withoutBody(node) {
  const text = node.getSourceFile().text;
  const end = node.body === undefined ? node.end : node.body.pos;
  return text
    .slice(node.getStart(), end)
    .replace(/^export (?:default )?/, '')
    .replace(/^async /, '')
    .replace(/;$/, '')
    .trim();
}

function classShape(node) {
  const isPrivate = (member) =>
    (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0 ||
    (member.name !== undefined && ts.isPrivateIdentifier(member.name));
  const head = node
    .getText()
    .slice(0, node.members.pos - node.getStart())
    .replace(/^export /, '')
    .trimEnd();
  const members = node.members
    .filter((member) => !isPrivate(member))
    .flatMap((member) => {
      const comment = commentOf(member);
      const text = member.body === undefined ? member.getText().replace(/;$/, '') : withoutBody(member);
      return [...(comment === undefined ? [] : [comment]), `${text};`];
    });
  return `${head}\n${members.map((line) => `  ${line}`).join('\n')}\n}`;
}
