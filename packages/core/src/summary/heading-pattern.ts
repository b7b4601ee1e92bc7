/** Finds a heading, however it is marked and numbered. */
export const headingPattern = (name: string): RegExp =>
  new RegExp(`^\\s*(?:#+\\s*|\\*\\*)?(?:\\d+[.)]\\s*)?${escapePattern(name)}(?!\\w)`, 'im');

const escapePattern = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
