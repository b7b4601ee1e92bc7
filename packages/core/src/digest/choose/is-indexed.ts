import type { IdentifierEvidence } from '../evidence/evidence.ts';
import { isSerial, isTelling } from '../evidence/statement-names.ts';

/** Words of prose look like names: joined by hyphens or slashes. */
const prose = /^[a-z]+(?:-[a-z]+)+$|^[\w$-]+\/[\w$-]+$/;
/** Two sentences that were not parted; a field of code looks the same, and a result shows it. */
const unparted = /^[a-z]+\.[A-Z][a-z]+$/;
const capitals = /^[A-Z]+$/;
/** A word in capitals that was used so often is what something is called, unless it is one of those that are only stressed. */
const timesCalled = 3;
const stressed = new Set(
  (
    'ABOUT AFTER AGAIN ALREADY ALSO ALWAYS ANYTHING BEFORE BEING BOTH CANNOT CAREFUL CAREFULLY COMPLETE COMPLETELY CORRECT CRITICAL CRITICALLY DIFFERENT DIRECTLY ' +
    'DOES DONE EACH EITHER ELSE EVEN EVER EVERY EVERYTHING EXACT EXACTLY EXISTS EXPLICIT FINAL FINALLY FIRST FROM FULL FULLY HAVE HERE IMMEDIATELY IMPORTANT INSTEAD ' +
    'INTO JUST KEEP LAST MAIN MAKE MANDATORY MANY MORE MOST MUST NECESSARY NEED NEVER NEXT NONE NOTHING ONCE ONLY OTHER OVER PLEASE REALLY REQUIRED SAME SHALL ' +
    'SHOULD SINGLE SOME STILL SUCH SURE THAN THAT THEM THEN THERE THESE THEY THIS THOSE UNLESS UNTIL VERY WARNING WHAT WHEN WHERE WHICH WHILE WILL WITH WITHOUT ' +
    'WRONG YOUR'
  ).split(' '),
);
/** What any list, text or date can do, or a test, an error and a builder, which have short names. */
const builtIn =
  /^(?:[a-z]\w*\.(?:at|concat|entries|every|filter|find|flat|flatMap|forEach|includes|indexOf|join|keys|length|map|match|pop|push|reduce|replace|replaceAll|reverse|slice|some|sort|splice|split|startsWith|test|toFixed|toISOString|toLowerCase|toString|trim|append|extend|items|strip|format)|[a-z]{1,3}\.(?:String|Error|Errorf|Fatal|Fatalf|Log|Logf|Run|Helper))$/;
/** A count, a mode, a half of a date; a folder. */
const bare = /^\d|\/$/;

/** Whether an identifier tells something by itself. A number never does. */
export function isIndexed(one: IdentifierEvidence): boolean {
  const { identifier, kind, used } = one;
  if (kind === 'number' || !isTelling(identifier, kind)) return false;
  // Of a log of commits a hash by itself tells nothing.
  if (used < 0 && (kind === 'hash' || isSerial(identifier))) return false;
  if (kind !== 'name' && kind !== 'path') return true;
  if (bare.test(identifier) || (identifier.includes('.') && builtIn.test(identifier))) return false;
  return !stressed.has(identifier) && (one.inCalls > 0 || !isProse(one));
}

/** Whether what may be words was not used as a name. */
function isProse({ identifier, inWritten, inSaid, inResults, inErrors, used }: IdentifierEvidence): boolean {
  if (capitals.test(identifier)) return used < 0 || inWritten + inSaid + inResults < timesCalled;
  if (inWritten > 0) return false;
  return prose.test(identifier) || (inResults + inErrors === 0 && unparted.test(identifier));
}
