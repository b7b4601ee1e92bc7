/**
 * Texts as an attacker would put them into a file name, a tool's output, an id or an error. Where one of them is obeyed,
 * PAINTED has a colour, FORGED begins a line, or a character stands in the output that no text of ours holds.
 */
export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  'a window title': 'a\u001b]0;PWNED\u0007b',
  'a title ended by ST': 'a\u001b]2;PWNED\u001b\\b',
  'a link': '\u001b]8;;http://evil.example\u0007here\u001b]8;;\u0007',
  'the clipboard': '\u001b]52;c;cm0gLXJm\u0007',
  'the screen erased': 'a\u001b[2J\u001b[Hb',
  'the line above overwritten': 'a\u001b[1A\u001b[2KFORGED',
  'a colour of ours': '\u001b[31mPAINTED\u001b[39m',
  'text concealed': 'safe\u001b[8mPAINTED\u001b[28m',
  'a query for an answer': 'a\u001b[6n\u001b[cb',
  'another character set': '\u001b(0lqqk\u001b(B',
  'a reset': '\u001bc',
  'C1 controls': 'a\u009b2J\u009d0;PWNED\u009cb\u0085c',
  'a device control string': '\u001bP1$r0m\u001b\\ \u0090q#0\u009c',
  'half a sequence': 'a\u001b',
  'half a sequence with its bracket': 'a\u001b[',
  'bells and backspaces': 'rm -rf x\u0008\u0008\u0008\u0008ls\u0007\u007f\u0000',
  'a carriage return': 'rm -rf x\rFORGED',
  'line ends': 'a\nFORGED\r\nFORGED',
  'separators of lines': 'a\u2028FORGED\u2029FORGED\u0085FORGED\u000bFORGED\u000cFORGED',
  'the direction turned around': 'a\u202efdp.exe\u202c \u2066b\u2069 \u200fc\u200e \u061cd',
  'nothing to see': 'pass\u200b\u2060word\ufeff \u{e0072}\u{e006d} x\u180ey',
  'half a pair': 'a\ud83d b\ude00 c',
  tabs: 'a\tb\tc',
};

/** What is sent to the terminal by the screen itself: colours, the cursor, erasing, pasting. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's own language
const OURS = /\u001b\[(?:(?:1|2|22|3[1-6]|39)m|\d+[AC]|[JK]|\?25[lh]|\?2004[lh])/g;

const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: a terminal's own language
const FORGED = /[\r\n](?:\u001b\[\d+m)*FORGED/g;
const RETURNED = /\r(?:\u001b\[\d+m)*FORGED/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: a terminal's own language

/** What a terminal would obey of an output that is not the program's own; empty where all is well. */
export function findObeyed(output: string, { keepsLines = false }: { readonly keepsLines?: boolean } = {}): string[] {
  const found: string[] = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's own language
  for (const [painted] of output.matchAll(/\u001b\[[\d;]*mPAINTED/g)) found.push(painted);
  const text = output.replace(OURS, '');
  for (const [hidden] of text.matchAll(HIDDEN)) found.push(hidden);
  for (const [forged] of output.matchAll(keepsLines ? RETURNED : FORGED)) found.push(forged);
  return found.map((one) => JSON.stringify(one));
}
