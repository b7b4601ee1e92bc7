const CONDITION = 'palimpsest-source';

/** Workspace packages resolve to their sources, so that tests never run against a stale build. */
export const fromSources = {
  resolve: { conditions: [CONDITION] },
  ssr: { resolve: { conditions: [CONDITION, 'node', 'import', 'module', 'default'] } },
};
