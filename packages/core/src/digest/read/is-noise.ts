const noise =
  /^(?:<\/?[\w-]+>$|[✓✔√] |diff --git |index [0-9a-f]{6,}\.\.|@@ |--- \S+$|\+\+\+ \S+$|<\/?system-reminder|The file \S+ has been |(?:[Cc]reated|[Dd]eleted|[Ee]dited|[Uu]pdated|[Ww]rote) \S+(?:, \d+ \w+)?\.?$|Found \d+ files?$|total \d+$|import [\w{}*, ]+ from |Co-Authored-By:|Chunk ID: \w+$|\*\*\* (?:Begin|End|Update|Add|Delete|Move)\b|Original token count: \d+$)/;

/** What diffs, hosts and modules say around what they have to say. */
export const isNoise = (statement: string): boolean => mayBeNoise(statement) && noise.test(statement);

/** The first two characters of each of them; behind the first of some stands anything. */
const noiseOpenings = 'di in @@ -- ++ Th cr Cr de De ed Ed up Up wr Wr Fo to im Co Ch ** Or'.split(' ');
const isNoiseOpening = new Uint8Array(0x80 * 0x80);
for (const opening of noiseOpenings) isNoiseOpening[toOpening(opening)] = 1;

function toOpening(statement: string): number {
  return statement.charCodeAt(0) * 0x80 + statement.charCodeAt(1);
}

const LESS = 60;

/** One cheap look says of most statements that they are none. */
function mayBeNoise(statement: string): boolean {
  const first = statement.charCodeAt(0);
  return first === LESS || first >= 0x80 || isNoiseOpening[toOpening(statement)] === 1;
}
