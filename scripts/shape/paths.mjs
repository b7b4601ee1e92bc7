/** A path of plain characters, as one would type it: anything else was a slip of the shell. */
export const checkPaths = (files) =>
  files
    .filter((file) => !/^[\w./@-]+$/.test(file))
    .map((file) => `${JSON.stringify(file)}: a path has letters, digits and ./_@- in it, nothing else`);
