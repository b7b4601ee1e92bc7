import ts from 'typescript';

/** What core may not touch. */
const WORLD = [
  [/\bDate\.now\(|new Date\(\s*\)|performance\.now\(/, 'the clock'],
  [/Math\.random\(|crypto\.|randomUUID/, 'randomness'],
  [/\bfetch\(|\bXMLHttpRequest\b|\bWebSocket\(/, 'the network'],
  [/\bsetTimeout\(|\bsetInterval\(|\bsetImmediate\(/, 'timers'],
  [/\bprocess\.|\bglobalThis\.process|\brequire\(/, 'the process'],
];

const isWords = (node) =>
  ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isRegularExpressionLiteral(node);

/** A file without what it says: texts, patterns and comments. */
function stripWords(file, text) {
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

/** Core is a pure function of what it is given: no clock, files, network, randomness, timers, process. */
export const checkWorld = (sources) =>
  sources
    .filter(({ name, place }) => name === 'core' && place === 'src')
    .flatMap(({ file, text }) => {
      const code = stripWords(file, text);
      return WORLD.filter(([pattern]) => pattern.test(code)).map(([, what]) => `${file}: core touches ${what}`);
    });
