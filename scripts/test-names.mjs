const NAME =
  /\b(it|test|describe)(?:\.concurrent)?(?:\.(?:each|for|skipIf|runIf)(?:<[^>]*>)?\([\s\S]*?\))?\(\s*(['"`])((?:\\.|(?!\2).)*)\2/g;

/** The names that a file's tests and groups of tests bear in its source, where they are written out, in order. */
export const readTestNames = (text) =>
  [...text.matchAll(NAME)].map(([, kind, , name]) => ({
    name: name.replaceAll(/\\(['"`])/g, '$1'),
    isGroup: kind === 'describe',
  }));
