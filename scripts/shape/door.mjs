import { stripWords } from './words.mjs';

/** Where the process's own streams are taken hold of; everybody else is handed a writer. */
const ADAPTERS = new Set(['packages/agent/src/world/world.ts', 'packages/cli/src/terminal.ts']);
/** Packages whose sources print to nobody's terminal but a developer's. */
const NO_PROGRAMS = new Set(['bench', 'testing']);
/** Packages whose programs print. Others write into files and sockets. */
const PRINTING = new Set(['agent', 'cli']);

const EVERYWHERE = [
  [/\bconsole\.\w+\(/, 'prints past the door; hand it to a writer of @palimpsest/terminal'],
  [
    /\bprocess\.std(?:out|err)\b|\{[^{}]*\bstd(?:out|err)\b[^{}]*\}\s*=\s*process\b/,
    'takes hold of the process’s own streams',
  ],
];
const WHERE_PRINTED = [
  // A child's input is no terminal.
  [/(?<!\bchild\??\.stdin\??)\.write\(/, 'writes past the door; hand it to a writer of @palimpsest/terminal'],
  [/\bprint\(\s*JSON\.stringify\(/, 'prints JSON that a terminal may obey; say jsonText'],
];

/** What is printed goes through one door, which lets nothing out that a terminal would obey. */
export const checkDoor = (sources) =>
  sources
    .filter(({ name, place }) => place === 'src' && name !== 'terminal' && !NO_PROGRAMS.has(name))
    .filter(({ file }) => !ADAPTERS.has(file))
    .flatMap(({ file, name, text }) => {
      const code = stripWords(file, text);
      return [...EVERYWHERE, ...(PRINTING.has(name) ? WHERE_PRINTED : [])]
        .filter(([pattern]) => pattern.test(code))
        .map(([, what]) => `${file}: ${what}`);
    });
