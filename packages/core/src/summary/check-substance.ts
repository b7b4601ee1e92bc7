import { scanNames } from './scan-names.ts';

const REFUSAL =
  /^\W*(?:i(?:'m|’m| am) (?:sorry|unable|not able|afraid)|sorry\b|i (?:can(?:'|’|no)t|cannot|won(?:'|’)t|will not|must decline)|as an ai\b|unfortunately,? i|抱歉|对不起|很抱歉|無法|无法|申し訳|죄송|lo siento|je (?:suis désolé|ne peux pas)|es tut mir leid|ich kann (?:das|dies|dir|ihnen)? ?(?:leider )?nicht|desculpe|mi dispiace|извините|не могу)/i;
/** A refusal is short: a summary of a conversation about one is not. */
const REFUSAL_CHARS = 800;

/** Whether an answer says that it will not be one. */
export const isRefusal = (body: string): boolean => body.length < REFUSAL_CHARS && REFUSAL.test(body);

/** Lines shorter than this are said by everybody. */
const ECHO_CHARS = 12;

/** Whether an answer gives back the words that asked for it: its example, its rules. */
export function isEcho(body: string, request: string): boolean {
  const asked = new Set(request.split('\n').map((line) => line.trim()));
  const lines = body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('#') && line !== '');
  const echoed = lines.filter((line) => asked.has(line) && (line.length >= ECHO_CHARS || line.includes('[…]')));
  return echoed.length > 0 && echoed.length * 2 >= lines.length;
}

/** Marks of hosts and of chat formats. In backticks they are spoken of, and harmless. */
const HOST_TAGS =
  /<\/?(?:system-reminder|system|carried|stashed-result|conversation|earlier-summary|command-(?:name|message|args)|local-command-\w+|user-prompt-submit-hook)\b[^>\n]*>|<\|[\w-]{2,40}\|>|\[\/?INST\]|<<\/?SYS>>/i;

/** Whether an answer holds what a model could take for its host's own words. */
export const hasInjectedTags = (body: string): boolean =>
  HOST_TAGS.test(body.replace(/```[\s\S]*?(?:```|$)/g, '').replace(/`[^`\n]*`/g, ''));

/** How a model goes on with the work instead of telling of it. */
const GOES_ON =
  /^\W*(?:sure\b|of course\b|certainly\b|okay\b|ok\b|great\b|got it\b|let me\b|let's\b|let us\b|i(?:'|’)ll\b|i will\b|now i\b|next,? i\b|好的|我来|让我)/i;

/** Less than this is no account of anything. */
const LEAST_CHARS = 120;
const LEAST_NAMES = 2;
const LEAST_SHARE = 0.6;

/**
 * Whether a text without the headings that were asked for tells of the conversation: it is long enough, it does not go on with
 * the work, and it speaks of what the source speaks of, by its names or by most of its words.
 */
export function hasSubstance(body: string, source: string): boolean {
  const chars = body.length + (body.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0) * 2;
  if (chars < LEAST_CHARS || GOES_ON.test(body)) return false;
  const lower = source.toLowerCase();
  const names = new Set<string>();
  scanNames(body, (identifier) => names.add(identifier.toLowerCase()));
  let known = 0;
  for (const name of names) if (lower.includes(name) && ++known >= LEAST_NAMES) return true;
  const words = new Set(body.toLowerCase().match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}|[\p{L}]{5,}/gu) ?? []);
  const shared = [...words].filter((word) => lower.includes(word)).length;
  return shared > 0 && shared >= words.size * LEAST_SHARE;
}
