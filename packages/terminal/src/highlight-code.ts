import { refractor } from 'refractor';
import type { Paint } from './paint.ts';

type Node = ReturnType<typeof refractor.highlight>['children'][number];
type Colour = 'cyan' | 'green' | 'yellow' | 'magenta' | 'dim' | 'blue' | 'red';

/** Which colour a kind of word has; whatever is not named has none. */
const COLOURS: Readonly<Record<string, Colour>> = {
  keyword: 'magenta',
  boolean: 'magenta',
  builtin: 'cyan',
  'class-name': 'cyan',
  property: 'cyan',
  'attr-name': 'cyan',
  tag: 'cyan',
  function: 'blue',
  string: 'green',
  regex: 'green',
  'attr-value': 'green',
  number: 'yellow',
  comment: 'dim',
  prolog: 'dim',
  inserted: 'green',
  deleted: 'red',
};

/** Code in colours, line for line as it was; a language that is not known stays plain. Texts come in without controls. */
export function highlightCode(code: string, language: string, paint: Paint): string {
  if (!refractor.registered(language)) return code;
  return refractor
    .highlight(code, language)
    .children.map((node) => paintNode(node, undefined, paint))
    .join('');
}

function paintNode(node: Node, colour: Colour | undefined, paint: Paint): string {
  if (node.type === 'text') return paintLines(node.value, colour, paint);
  if (node.type !== 'element') return '';
  const { className: names } = node.properties;
  const kind = Array.isArray(names) ? names.map(String).find((name) => name in COLOURS) : undefined;
  const own = kind === undefined ? colour : COLOURS[kind];
  return node.children.map((child) => paintNode(child, own, paint)).join('');
}

/** Each line by itself, since lines are written one by one. */
const paintLines = (text: string, colour: Colour | undefined, paint: Paint): string =>
  colour === undefined
    ? text
    : text
        .split('\n')
        .map((line) => (line === '' ? '' : paint[colour](line)))
        .join('\n');
