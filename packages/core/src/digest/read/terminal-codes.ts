const ESCAPE = '\u001b';

/** Colours and moves of the cursor; a title or a link up to its end; a sign by itself. */
const codes = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${ESCAPE}\\u0007\\n]*(?:\\u0007|${ESCAPE}\\\\)?|[ -/]*[0-~])?`,
  'g',
);

/** What a tool printed, without what only a terminal reads: an error in red opens like any other. */
export const stripTerminalCodes = (output: string): string =>
  output.includes(ESCAPE) ? output.replace(codes, '') : output;
