import { scanIdentifiers } from '../evidence/scan-identifiers.ts';

/** Names that begin no further from each other stand together. */
const nearChars = 100;

/** What stands in the view beside a digest: a model's summary, the messages that stay. */
export interface Beside {
  readonly text: string;
  /** The names in it. */
  readonly names: ReadonlySet<string>;
  /** Every two names that stand together in it. */
  visitPairs(visit: (one: string, other: string) => void): void;
}

export function readBeside(text: string): Beside {
  const placed: Placed[] = [];
  scanIdentifiers(text, (name, _kind, at) => {
    placed.push({ name, at });
  });
  return {
    text,
    names: new Set(placed.map(({ name }) => name)),
    visitPairs(visit) {
      for (const i of placed.keys()) {
        visitNear(placed, i, visit);
      }
    },
  };
}

interface Placed {
  readonly name: string;
  readonly at: number;
}

/** The names that stand behind one, and together with it. */
function visitNear(placed: readonly Placed[], i: number, visit: (one: string, other: string) => void): void {
  const { name, at } = placed[i] as Placed;
  for (let next = placed[i + 1], j = i + 1; next !== undefined && next.at - at <= nearChars; next = placed[++j])
    if (next.name !== name) visit(name, next.name);
}
