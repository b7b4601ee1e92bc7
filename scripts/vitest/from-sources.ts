const CONDITION = 'palimpsest-source';

/**
 * Workspace packages resolve to their sources, so that tests never run against a stale build. Neither `import` nor
 * `module`: vitest hands the conditions to Node, where they would hold for `require` too, and a CommonJS package would
 * get the modules of others.
 */
export const fromSources = {
  resolve: { conditions: [CONDITION] },
  ssr: { resolve: { conditions: [CONDITION, 'node'] } },
};
