import type { Evidence, StatementEvidence } from '../evidence/evidence.ts';
import { isFileName, listNames } from '../evidence/statement-names.ts';
import { isHyphened } from '../evidence/weigh-name.ts';

/** Where an identifier was last seen. */
export interface Seen {
  /** The file that it was last seen in. */
  readonly file: string | undefined;
  /** Behind how many statements, and within one the later a little more; below 0 where it stood in none. */
  readonly order: number;
}

/** Where identifiers were last seen. */
export interface LastSeen {
  find(identifier: string): Seen;
  /** Words that hyphens join are a name where they stood in quotes, as a tag or behind an equals sign. */
  isName(hyphened: string): boolean;
}

/** What stands before a name that is quoted, and before few words of prose. */
const quotes = '"\'`=@<';

export function findLastSeen({ statements = [] }: Evidence): LastSeen {
  const numbers = new Map<string, number>();
  const files: (string | undefined)[] = [];
  const orders: number[] = [];
  const quoted = new Set<string>();
  const see = (names: readonly string[], { about, text }: StatementEvidence, at: number): void => {
    const file = isFileName(about) ? about : undefined;
    for (const [i, name] of names.entries()) {
      let number = numbers.get(name);
      if (number === undefined) {
        number = files.push(undefined) - 1;
        numbers.set(name, number);
      }
      if (file !== undefined) files[number] = file;
      orders[number] = at + i / names.length;
      if (isHyphened(name, 'name') && isQuoted(text, name)) quoted.add(name);
    }
  };
  for (const [at, statement] of statements.entries()) see(listNames(statement), statement, at);
  return {
    find(identifier) {
      const number = numbers.get(identifier) ?? -1;
      return { file: files[number], order: orders[number] ?? -1 };
    },
    isName: (hyphened) => quoted.has(hyphened),
  };
}

function isQuoted(text: string, name: string): boolean {
  const at = text.indexOf(name);
  return at > 0 && quotes.includes(text.charAt(at - 1));
}
