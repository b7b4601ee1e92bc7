import type { Part } from '@palimpsest/core';
import type { ToolNameMap } from '../wire.ts';
import { shortenName } from './call-ids.ts';

/** Tool names in the form a provider takes. */
export interface ToolNames {
  spell(name: string): string;
  /** Of what was changed so far. */
  changed(): ToolNameMap | undefined;
}

/** Every provider takes names of so many characters. */
const MAX_CHARS = 64;

/**
 * Names that are fine stay; others get one of their own that is. What a name becomes depends on `declared`, the names of
 * the request's own tools, and on what was spelled before: a good name among the tools is never given to another.
 */
export function createToolNames(pattern: RegExp, declared: readonly unknown[]): ToolNames {
  const taken = new Set(declared.filter((name) => typeof name === 'string' && pattern.test(name)));
  const spelled = new Map<string, string>();

  function findFree(name: string): string {
    for (let n = 1; ; n++) {
      const short = shortenName(name, MAX_CHARS - 1, n === 1 ? '' : `#${n}`);
      const free = /^[a-zA-Z_]/.test(short) ? short : `_${short}`;
      if (!taken.has(free)) return free;
    }
  }

  return {
    spell(name) {
      if (pattern.test(name)) return name;
      const known = spelled.get(name);
      if (known !== undefined) return known;
      const free = findFree(name);
      taken.add(free);
      spelled.set(name, free);
      return free;
    },
    changed: () =>
      spelled.size === 0 ? undefined : Object.fromEntries([...spelled].map(([name, short]) => [short, name])),
  };
}

/** The host's own name for a tool that a model called. */
export const restoreName = (name: string, names: ToolNameMap): string =>
  Object.hasOwn(names, name) ? names[name]! : name;

/** What a model answered, with the host's own names. */
export const restoreNames = (parts: readonly Part[], names: ToolNameMap = {}): readonly Part[] =>
  parts.map((part) => (part.type === 'call' ? { ...part, tool: restoreName(part.tool, names) } : part));
