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

/** Scopes are kept apart: nothing of one is found in another. */
export function newPrefixIndex<Holder>(): PrefixIndex<Holder> {
  const scopes = new Map<string, Map<string, readonly Holder[]>>();

  return {
    find(scope, trace) {
      const nodes = scopes.get(scope);
      for (let depth = nodes === undefined ? 0 : trace.length; depth > 0; depth--) {
        const holders = nodes?.get(trace[depth - 1] ?? '');
        if (holders !== undefined) return { holders, depth };
      }
      return { holders: [], depth: 0 };
    },
    add(scope, trace, holder, from) {
      const nodes = scopes.get(scope) ?? new Map<string, readonly Holder[]>();
      scopes.set(scope, nodes);
      for (const node of trace.slice(from)) {
        const others = nodes.get(node)?.filter((other) => other !== holder) ?? [];
        nodes.set(node, [holder, ...others.slice(0, MOST_HOLDERS - 1)]);
      }
    },
    remove(scope, trace, holder) {
      const nodes = scopes.get(scope);
      if (nodes === undefined) return;
      for (const node of trace) {
        const others = nodes.get(node)?.filter((other) => other !== holder) ?? [];
        if (others.length > 0) nodes.set(node, others);
        else nodes.delete(node);
      }
      if (nodes.size === 0) scopes.delete(scope);
    },
  };
}
