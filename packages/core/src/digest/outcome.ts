import { cutHead, cutTail } from '../text.ts';

/** `pending`: no result yet. */
export type Outcome = 'ok' | 'failed' | 'pending';

const exitCodes = [
  /<returncode>\s*(-?\d+)/,
  /"exit_?code"\s*:\s*(-?\d+)/i,
  /\bexit(?:ed)?(?: with)?(?: exit)?(?: code| status)?\s*[:=]?\s*(-?\d{1,3})\b/i,
];

/** Hosts state the exit code at the head or the tail of an output; further in, it is part of what was printed. */
const edgeChars = 300;

/** How a call went, as far as its result tells. */
export function readOutcome(
  output: string,
  isError: boolean,
): { readonly outcome: Outcome; readonly exitCode?: number } {
  const edges =
    output.length <= 2 * edgeChars
      ? output
      : `${output.slice(0, edgeChars)}\n${output.slice(output.length - edgeChars)}`;
  for (const pattern of exitCodes) {
    const code = pattern.exec(edges)?.[1];
    if (code === undefined) continue;
    const exitCode = Number(code);
    return { outcome: isError || exitCode !== 0 ? 'failed' : 'ok', exitCode };
  }
  return { outcome: isError ? 'failed' : 'ok' };
}

const refusal =
  /^\W*(?:(?:operation cancell?ed\]\s*)?reason: user (?:rejected|denied|declined|refused)|the user (?:doesn[’']?t|does not) want|(?:tool (?:call|use) )?(?:was )?(?:rejected|denied|declined|cancell?ed) by (?:the )?user|(?:the )?user (?:rejected|denied|declined|refused|cancell?ed)|permission (?:to use .{1,60} )?(?:was |has been )?denied|request interrupted by user)/i;

/** Whether a result says that the user did not allow the call. Long outputs that merely contain such words are none. */
export const isRefusal = (output: string, isError: boolean): boolean => isError && refusal.test(output.slice(0, 300));

const telling =
  /(?:^|[\s[(:*])(?:error|fatal|panic|exception|traceback|fail(?:ed|ure)?|cannot|can't|could not|unable|undefined|unexpected|not found|no such|denied|invalid|unknown|timed? ?out|refused|missing|does not|is not|conflict|E\d{3,4}|TS\d{4}|ERR_\w+|\w+(?:Error|Exception))\b/i;
const opening =
  /^\s*(?:[✗✖×❌]|error(?=[:[(]| {2}| TS\d)|fatal\b|panic:|FAIL\b|--- FAIL|E {3}|Traceback|\w*(?:Error|Exception)\b:|\S+:\d+(?::\d+)?:? (?:error|undefined|cannot|fatal)|ERROR\b|npm ERR)/;
const innocent = /\b(?:0 (?:errors?|failed|failures)|no errors?|errors?: 0|failed: 0)\b/i;

const statusOnly = /^\W*(?:command |process )?(?:exit(?:ed)?|aborted|finished)\b.{0,40}$/i;
/** That something went wrong, and nothing else. */
const wordOnly = /^\W*(?:error|fail(?:ed|ure)?|fatal|panic|traceback \(most recent call last\))\W*$/i;
/** What hosts write around an output, or in its place; a heading that a command printed. */
const envelope =
  /^(?:Chunk ID: \w+|Wall time: .*|Original token count: \d+|Output:|\(no (?:output|content)\)|\[[^\]]*\]|[=#*-]{2,}.*|[^\p{L}]*)$/u;
/** Tags in which hosts put what they show. */
const hostTags = /^(?:<\/?[a-z][a-z_-]*>\s*)+|(?:\s*<\/[a-z][a-z_-]*>)+$/g;

const quoted = /"(?:[^"\\]|\\.)*"|'[^']*'/g;
const showing =
  /^(?:cat|cd|echo|find|head|jq|less|ls|nl|printf|pwd|rg|sed -n|sort|tail|tree|uniq|wc|[ef]?grep|git (?:blame|diff|grep|log|show|status))\b/;

/** Whether a command only shows what is there: where it went well, what looks like an error stands in a file. */
export const onlyShows = (command: string): boolean =>
  command
    .replace(quoted, '""')
    .split(/&&|\|\||[;|\n]/)
    .every((one) => one.trim() === '' || showing.test(one.trim()));

/** Outputs are read up to this far: the lines that tell stand near an end. */
const readChars = 20_000;
const longestLine = 300;
const mostLines = 3;

/**
 * The lines of an output that say what went wrong, exactly. `failed`: the call did; else only lines that open like an error count. `shows`: it
 * was to show something, so that a line which tells of nothing wrong is none.
 */
export function findErrorLines(output: string, failed: boolean, shows = false): readonly string[] {
  const read =
    output.length <= readChars ? output : `${cutHead(output, readChars / 2)}\n${cutTail(output, readChars / 2)}`;
  const found: string[] = [];
  const lines = read.split('\n').map((line) => line.trim().replace(hostTags, ''));
  for (const line of lines) {
    if (line.length < 4 || line.length > 2000 || innocent.test(line) || statusOnly.test(line)) continue;
    if (wordOnly.test(line)) continue;
    if (opening.test(line) || (failed && telling.test(line))) {
      const bounded = cutHead(line, longestLine);
      if (!found.includes(bounded)) found.push(bounded);
      if (found.length >= mostLines) return found;
    }
  }
  if (found.length === 0 && failed && !shows) {
    const first = lines.find((line) => !statusOnly.test(line) && !wordOnly.test(line) && !envelope.test(line));
    if (first !== undefined) found.push(cutHead(first, longestLine));
  }
  return found;
}
