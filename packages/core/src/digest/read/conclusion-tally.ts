import type { MessageId } from '../../message/message.ts';
import type { Evidence, Words } from '../evidence/evidence.ts';
import { shorten } from '../evidence/shorten.ts';
import { newLetterPattern } from './letter-pattern.ts';
import { splitSentences } from './split-sentences.ts';

const deciding = newLetterPattern(
  [
    "(?<!\\p{L})(?:root cause|decided|decision|the (?:issue|problem|bug|cause|reason|fix|solution) (?:is|was|seems)|turns out|fixed|resolved|confirmed|verified|conclusion|in summary|all tests pass|now (?:works|passes)|we(?:’|')ll use|chose|trade-?off)(?!\\p{L})",
    '(?<!\\p{L})(?:ursache|entschieden|behoben|gel[öo]st|das problem (?:ist|war)|best[äa]tigt|fazit)(?!\\p{L})',
    '(?<!\\p{L})(?:la cause|d[ée]cid[ée]|corrig[ée]|r[ée]solu|le probl[èe]me (?:est|vient|[ée]tait)|confirm[ée])(?!\\p{L})',
    '(?<!\\p{L})(?:la causa|decidid[oa]|corregid[oa]|resuelt[oa]|el problema (?:es|era)|confirmado|o problema (?:[ée]|era)|corrigid[oa]|resolvid[oa]|il problema (?:[èe]|era)|corrett[oa]|risolt[oa])(?!\\p{L})',
    '(?<!\\p{L})(?:причина|решено|исправлен|проблема (?:в|была)|подтвержден)',
    '原因|根本|决定|決定|修复|修正|结论|結論|问题是|問題は|已解决|解決|원인|결정|수정|결론|해결',
  ].join('|'),
);

const longest = 600;
const longestSaid = 8_000;
const mostKept = 80;

/** What the model concluded, added up. */
export interface ConclusionTally {
  addWords(text: string, message: MessageId, at: number): void;
  endTurn(): void;
  toEvidence(): Pick<Evidence, 'conclusions' | 'lastSaid'>;
}

/** Collects what the model concluded: its last words before the user spoke again, and the sentences that decide. */
export function newConclusionTally(previous: readonly Words[], lastSaid: Words | undefined): ConclusionTally {
  let kept: Words[] = [...previous];
  let latest = lastSaid;
  const keep = (words: Words): void => {
    if (kept.some((other) => other.text === words.text)) return;
    kept.push(words);
    if (kept.length > 2 * mostKept) kept = kept.slice(-mostKept);
  };
  return {
    addWords(text, message, at) {
      latest = { text: shorten(text.trim(), longestSaid), message, at };
      let found = 0;
      for (const sentence of splitSentences(latest.text)) {
        if (sentence.length < 20 || sentence.length > 400 || !deciding.test(sentence)) continue;
        keep({ text: sentence, message, at });
        if (++found >= 2) break;
      }
    },
    endTurn() {
      if (latest !== undefined && latest.text.length >= 20) keep({ ...latest, text: shorten(latest.text, longest) });
      latest = undefined;
    },
    toEvidence: () => ({ conclusions: kept, ...(latest === undefined ? {} : { lastSaid: latest }) }),
  };
}
