import type { CarryItem } from '../../ledger/carry.ts';
import { type Message, partText } from '../../message/message.ts';
import { toolKind, toolTargets } from '../../message/tool-kinds.ts';
import { userTextTitle } from '../../notices.ts';
import { cutHead } from '../../text.ts';
import type { Look } from '../../view/look.ts';
import type { Need } from '../../view/need.ts';

/** What the host wants taken across: a need until it was asked. */
export function hearCarry({ slots, given }: Look): { readonly need?: Need; readonly items: readonly CarryItem[] } {
  if (!given.can.has('carry')) return { items: [] };
  const key = `carry:${slots.at(-1)?.message.id}`;
  const fact = given.facts.get(key);
  if (fact === undefined) return { need: { type: 'carry', key }, items: [] };
  return { items: fact.type === 'carried' ? fact.items : [] };
}

/** By kind: how many items, and the most tokens of each and of all. Kinds not named have 20, 2,000 and 8,000. */
const CARRY_LIMITS: Readonly<
  Partial<Record<CarryItem['kind'], { readonly items: number; readonly each: number; readonly all: number }>>
> = {
  file: { items: 5, each: 5_000, all: 50_000 },
  skill: { items: 20, each: 5_000, all: 25_000 },
  // What was announced bit by bit is announced again in full.
  tools: { items: 100, each: Infinity, all: Infinity },
};
const OTHERS = { items: 20, each: 2_000, all: 8_000 };

/** The items that fit, each cut at its head's end, kinds in the order of what is asked for first. */
export function fitItems(
  items: readonly CarryItem[],
  room: number,
  countText: (text: string) => number,
): readonly CarryItem[] {
  const used = new Map<string, { items: number; tokens: number }>();
  const kept: CarryItem[] = [];
  let left = room;
  for (const item of items) {
    const limit = (Object.hasOwn(CARRY_LIMITS, item.kind) ? CARRY_LIMITS[item.kind] : undefined) ?? OTHERS;
    const so = used.get(item.kind) ?? { items: 0, tokens: 0 };
    const allowed = Math.min(limit.each, limit.all - so.tokens, left);
    if (so.items >= limit.items || allowed < 32) continue;
    const text = headWithin(item.text, allowed, countText);
    const tokens = countText(text);
    if (text === '') continue;
    kept.push({ ...item, text });
    used.set(item.kind, { items: so.items + 1, tokens: so.tokens + tokens });
    left -= tokens;
  }
  return kept;
}

/** No token stands for more characters than this, but for runs of blanks: a bound on what has to be counted. */
const CHARS_PER_TOKEN = 64;

function headWithin(text: string, allowed: number, countText: (text: string) => number): string {
  const most = allowed * CHARS_PER_TOKEN;
  if (text.length <= most && countText(text) <= allowed) return text;
  let low = 0;
  let high = Math.min(text.length, most);
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (countText(cutHead(text, middle)) <= allowed - 4) low = middle;
    else high = middle - 1;
  }
  const end = text.lastIndexOf('\n', low);
  return low === 0 ? '' : `${cutHead(text, end > low / 2 ? end : low)}\n[…]`;
}

/** Messages further back than these are not looked at for files. */
const FAR_BACK = 399;

/** Without a host: the files that were read last, as they were read, unless they were changed since. */
export function findReadFiles(messages: readonly Message[], most = 5): readonly CarryItem[] {
  const items: CarryItem[] = [];
  const settled = new Set<string>();
  const results = new Map<string, { text: string; failed: boolean }>();
  for (const message of messages.slice(-FAR_BACK).toReversed()) {
    if (items.length >= most) break;
    for (const part of message.parts)
      if (part.type === 'result') results.set(part.callId, { text: partText(part), failed: part.isError === true });
    if (message.role !== 'assistant') continue;
    for (const part of [...message.parts].reverse()) {
      if (part.type !== 'call') continue;
      const kind = toolKind(part.tool, part.input);
      const answer = results.get(part.callId);
      results.delete(part.callId);
      if (answer === undefined || answer.failed || (kind !== 'read' && kind !== 'edit' && kind !== 'write')) continue;
      for (const path of toolTargets(part.tool, part.input)) {
        if (settled.has(path)) continue;
        settled.add(path);
        // A file written since it was read would come back stale.
        if (kind === 'read' && answer.text.length > 0) items.push({ kind: 'file', name: path, text: answer.text });
      }
    }
  }
  return items.slice(0, most);
}

/** The items as a model reads them. What an item says, and what it is called, ends nothing and begins nothing. */
export const renderItems = (items: readonly CarryItem[]): string =>
  items
    .map(({ kind, name, text }) => {
      const tag = `<carried kind="${escapeAttribute(kind)}" name="${escapeAttribute(name)}">`;
      return `${tag}\n${escapeTags(text)}\n</carried>`;
    })
    .join('\n');

/** Only our own tag and title can be taken for ours: a file full of other tags stays as it was read. */
const escapeTags = (text: string): string =>
  text.replace(/<(?=[\s/]*carried)/gi, '&lt;').replaceAll(userTextTitle, `\\${userTextTitle}`);

const ESCAPED: Readonly<Record<string, string>> = { '"': '&quot;', '<': '&lt;', '>': '&gt;' };

const escapeAttribute = (value: string): string =>
  value.replace(/["<>]/g, (mark) => ESCAPED[mark] ?? mark).replace(/[\r\n\u2028\u2029]+/g, ' ');
