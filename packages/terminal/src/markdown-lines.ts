import { Lexer, type Token } from 'marked';
import { highlightCode } from './highlight-code.ts';
import type { Paint } from './paint.ts';
import { wrap } from './text-width.ts';

/** Markdown as it streams in: one line after the other, each final once it has ended. */
export interface MarkdownLines {
  /** A line of the source, without controls, as lines of the screen. */
  add(line: string, columns: number): readonly string[];
  /** The text is over: what comes next is not inside its code. */
  end(): void;
}

/** Longer code, and longer lines, stay plain: colours are reckoned anew with every line. */
const MOST_CODE_LINES = 400;
const MOST_PAINTED = 400;

interface Fence {
  readonly mark: string;
  readonly language: string;
  readonly code: string[];
}

export function newMarkdownLines(paint: Paint): MarkdownLines {
  let fence: Fence | undefined;
  const openFence = (line: string): Fence | undefined => {
    const [, mark, language = ''] = /^\s{0,3}(`{3,}|~{3,})\s*([\w+#-]*)[^`]*$/.exec(line) ?? [];
    return mark === undefined ? undefined : { mark, language: language.toLowerCase(), code: [] };
  };
  return {
    add(line, columns) {
      if (fence !== undefined) {
        if (line.trim().startsWith(fence.mark) && line.trim().replaceAll(fence.mark[0] ?? '', '') === '') {
          fence = undefined;
          return [];
        }
        return codeLines(fence, line, paint, columns);
      }
      fence = openFence(line);
      if (fence !== undefined) return fence.language === '' ? [] : [paint.dim(`  ${fence.language}`)];
      return proseLines(line, paint, columns);
    },
    end() {
      fence = undefined;
    },
  };
}

const INDENT = '  ';

function codeLines({ code, language }: Fence, line: string, paint: Paint, columns: number): readonly string[] {
  code.push(line);
  const isPlain = code.length > MOST_CODE_LINES || line.length > MOST_PAINTED;
  const shown = isPlain ? line : (highlightCode(code.join('\n'), language, paint).split('\n').at(-1) ?? line);
  return wrap(shown, columns - INDENT.length).map((row) => `${INDENT}${row}`);
}

function proseLines(line: string, paint: Paint, columns: number): readonly string[] {
  if (line.length > MOST_PAINTED) return wrap(line, columns);
  const [, marks, title] = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line) ?? [];
  if (marks !== undefined && title !== undefined)
    return wrap(plainText(title), columns).map((row) =>
      marks.length < 3 ? paint.cyan(paint.bold(row)) : paint.bold(row),
    );
  if (/^\s{0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) return [paint.dim('─'.repeat(Math.min(columns, 40)))];
  const [, indent = '', mark = '', words = ''] = /^(\s*)((?:[-*+]|\d+[.)])\s+|>\s?)?(.*)$/.exec(line) ?? [];
  const sign = /^[-*+]/.test(mark) ? '• ' : mark.startsWith('>') ? paint.dim('│ ') : mark;
  const before = `${indent}${sign}`;
  const behind = `${indent}${mark.startsWith('>') ? paint.dim('│ ') : ' '.repeat(mark === '' ? 0 : 2)}`;
  const rows = wrap(paintInline(Lexer.lexInline(words), paint), columns - indent.length - 2);
  return rows.map((row, i) => `${i === 0 ? before : behind}${row}`);
}

const plainText = (words: string): string => paintInline(Lexer.lexInline(words), undefined);

/** Words in bold, code in colour, links with where they lead. */
function paintInline(tokens: readonly Token[], paint: Paint | undefined): string {
  return tokens.map((token) => paintToken(token, paint)).join('');
}

function paintToken(token: Token, paint: Paint | undefined): string {
  const inside = 'tokens' in token && token.tokens !== undefined ? paintInline(token.tokens, paint) : undefined;
  switch (token.type) {
    case 'strong':
      return paint === undefined ? (inside ?? '') : paint.bold(inside ?? '');
    case 'em':
    case 'del':
      return inside ?? '';
    case 'codespan':
      return paint === undefined ? token.text : paint.cyan(token.text);
    case 'link':
      return inside === token.href ? token.href : `${inside ?? ''} (${token.href})`;
    case 'escape':
      return token.text;
    default:
      return inside ?? token.raw;
  }
}
