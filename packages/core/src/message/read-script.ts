import type { Json } from './message.ts';

/** A call that a script makes. */
export interface ScriptCall {
  readonly tool: string;
  /** A text, or the fields of an object that hold texts. */
  readonly input: Json;
}

/** codex' newest models call their tools from JavaScript: `await tools.exec_command({cmd: "ls"})`. */
const CALL = /\btools\.([A-Za-z_$][\w$]*)\s*\(\s*/g;
/** A patch or a command may name such a call too. */
const SCRIPT = /^(?!\*\*\* )[\s\S]*(?:\bawait\b|\btext\()/;
const NAME = /^[A-Za-z_$][\w$]*/;
const FIELD = /[{,]\s*(?:([A-Za-z_$][\w$]*)|"(\w+)"|'(\w+)')\s*(?::\s*|(?=[,}]))/y;
/** A longer script is a document. */
const MOST_CHARS = 50_000;
const MOST_CALLS = 100;

/** The calls of a script in their order; none for a text that is no such script. */
export function readScript(source: string): readonly ScriptCall[] {
  if (source.length > MOST_CHARS || !source.includes('tools.') || !SCRIPT.test(source)) return [];
  const calls: ScriptCall[] = [];
  for (const match of source.matchAll(CALL)) {
    const input = readArgument(source, match.index + match[0].length);
    if (input !== undefined) calls.push({ tool: match[1] ?? '', input });
    if (calls.length === MOST_CALLS) break;
  }
  return calls;
}

function readArgument(source: string, at: number): Json | undefined {
  return source[at] === '{' ? readObject(source, at) : readString(source, at)?.text;
}

/** Texts by their fields. Values of other kinds are skipped as far as the next field. */
function readObject(source: string, at: number): Json {
  const fields: Record<string, string> = {};
  const end = findEnd(source, at);
  for (let from = at; from < end; ) {
    FIELD.lastIndex = from;
    const match = FIELD.exec(source);
    if (match === null) {
      from = readLiteral(source, from)?.end ?? from + 1;
      continue;
    }
    const name = match[1] ?? match[2] ?? match[3] ?? '';
    const isShort = !match[0].includes(':');
    const value = isShort ? findConstant(source, name) : readString(source, FIELD.lastIndex);
    if (value !== undefined) fields[name] = value.text;
    from = isShort ? FIELD.lastIndex : Math.max(FIELD.lastIndex, value?.end ?? 0);
  }
  return fields;
}

/** Behind the brace that closes the object; braces in texts do not count. */
function findEnd(source: string, at: number): number {
  let depth = 0;
  for (let i = at; i < source.length; i++) {
    const literal = readLiteral(source, i);
    if (literal !== undefined) i = literal.end - 1;
    else if (source[i] === '{') depth++;
    else if (source[i] === '}' && --depth === 0) return i + 1;
  }
  return source.length;
}

interface Literal {
  readonly text: string;
  readonly end: number;
}

/** A text in quotes, or the constant that a name stands for. */
function readString(source: string, at: number): Literal | undefined {
  const literal = readLiteral(source, source.startsWith('String.raw`', at) ? at + 'String.raw'.length : at);
  if (literal !== undefined) return literal;
  const name = NAME.exec(source.slice(at, at + 100))?.[0];
  const found = name === undefined ? undefined : findConstant(source, name);
  return found === undefined ? undefined : { text: found.text, end: at + (name ?? '').length };
}

function findConstant(source: string, name: string): Literal | undefined {
  const stated = new RegExp(
    `\\b(?:const|let|var)\\s+${name.replaceAll('$', '\\$')}\\s*=\\s*(?:String\\.raw)?(?=["'\`])`,
  ).exec(source);
  return stated === null ? undefined : readLiteral(source, stated.index + stated[0].length);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', '\n': '' };

function readLiteral(source: string, at: number): Literal | undefined {
  const quote = source[at];
  if (quote !== '"' && quote !== "'" && quote !== '`') return undefined;
  const isRaw = quote === '`' && source.startsWith('String.raw', at - 'String.raw'.length);
  let text = '';
  for (let i = at + 1; i < source.length; i++) {
    const char = source[i] ?? '';
    if (char === quote) return { text, end: i + 1 };
    if (char === '\n' && quote !== '`') return undefined;
    if (char !== '\\' || isRaw) text += char;
    else {
      const next = source[++i] ?? '';
      const code = /^(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/i.exec(source.slice(i, i + 10));
      const point = Number.parseInt(code?.[1] ?? code?.[2] ?? code?.[3] ?? '', 16);
      if (code !== null && point <= 0x10ffff) {
        text += String.fromCodePoint(point);
        i += code[0].length - 1;
      } else text += ESCAPES[next] ?? next;
    }
  }
  return undefined;
}
