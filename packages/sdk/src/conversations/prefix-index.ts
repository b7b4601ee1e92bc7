/** How many remember one beginning: the newest. */
const MOST_HOLDERS = 4;

/** Who has which beginning, so that the one a request goes on from is found in time that only the request decides. */
export interface PrefixIndex<Holder> {
  /** The holders of the longest beginning of a trace, newest first, and how many messages that is. */
  find(scope: string, trace: readonly string[]): { readonly holders: readonly Holder[]; readonly depth: number };
  /** From the message at `from` on. */
  add(scope: string, trace: readonly string[], holder: Holder, from: number): void;
  remove(scope: string, trace: readonly string[], holder: Holder): void;
}

/** The beginnings of one scope. */
interface Scope<Holder> {
  /** By the first message: all who are in here. */
  readonly openings: Map<string, Set<Holder>>;
  /** Who has which beginning, in many tables: one of all would be moved in one piece whenever it grows. */
  readonly nodes: Map<number, Map<string, readonly Holder[]>>;
}

/** Scopes are kept apart: nothing of one is found in another. */
export function newPrefixIndex<Holder>(): PrefixIndex<Holder> {
  const scopes = new Map<string, Scope<Holder>>();

  return {
    find(scope, trace) {
      const found = scopes.get(scope);
      // Most that is new shares nothing, and need not be looked for message by message.
      const isKnown = found?.openings.has(trace[0] ?? '') === true;
      for (let depth = isKnown ? trace.length : 0; depth > 0; depth--) {
        const node = trace[depth - 1] ?? '';
        const holders = found?.nodes.get(shardOf(node))?.get(node);
        if (holders !== undefined) return { holders, depth };
      }
      return { holders: [], depth: 0 };
    },
    add(scope, trace, holder, from) {
      const { openings, nodes }: Scope<Holder> = scopes.get(scope) ?? { openings: new Map(), nodes: new Map() };
      scopes.set(scope, { openings, nodes });
      openings.set(trace[0] ?? '', (openings.get(trace[0] ?? '') ?? new Set()).add(holder));
      // One list for all that nobody else has.
      const alone: readonly Holder[] = [holder];
      for (const node of trace.slice(from)) {
        const number = shardOf(node);
        const shard = nodes.get(number) ?? new Map<string, readonly Holder[]>();
        nodes.set(number, shard);
        const others = shard.get(node)?.filter((other) => other !== holder) ?? [];
        shard.set(node, others.length === 0 ? alone : [holder, ...others.slice(0, MOST_HOLDERS - 1)]);
      }
    },
    remove(scope, trace, holder) {
      const found = scopes.get(scope);
      if (found === undefined) return;
      const { openings, nodes } = found;
      for (const node of trace) {
        const shard = nodes.get(shardOf(node));
        const others = shard?.get(node)?.filter((other) => other !== holder) ?? [];
        if (others.length > 0) shard?.set(node, others);
        else shard?.delete(node);
      }
      const opening = openings.get(trace[0] ?? '');
      opening?.delete(holder);
      if (opening?.size === 0) openings.delete(trace[0] ?? '');
      if (openings.size === 0) scopes.delete(scope);
    },
  };
}

const SHARDS = 64;

/**
 * The table of a beginning, by its first characters. The last one gets twice as many as the first, and those between them by degrees:
 * a table is moved when it has doubled, and if all were of one size all would be moved by the same request.
 */
function shardOf(node: string): number {
  let mixed = 0;
  for (let at = 0; at < 4; at++) mixed = Math.imul(mixed ^ (node.charCodeAt(at) || 0), 0x9e3779b1);
  return Math.floor(SHARDS * Math.log2(1 + (mixed >>> 0) / 2 ** 32));
}
