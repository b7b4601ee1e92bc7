import type { Message } from '../message/message.ts';
import { partText } from '../message/message.ts';
import { toolKind, toolTargets } from '../message/tool-kinds.ts';

/** What code takes across a compaction, whatever the summary says. */
export interface CarryItem {
  readonly kind:
    | 'file'
    | 'skill'
    | 'plan'
    | 'todo'
    | 'cwd'
    | 'branch'
    | 'mode'
    | 'task'
    | 'tools'
    | 'approval'
    | 'note';
  readonly name: string;
  readonly text: string;
}

/** The port: a host states what must not be left behind. Newest first within a kind. */
export interface Carry {
  carry(options: { readonly signal?: AbortSignal }): Promise<readonly CarryItem[]>;
}

/** By kind: how many items, and the most tokens of each and of all. Kinds not named have 20, 2,000 and 8,000. */
export const CARRY_LIMITS: Readonly<
  Partial<Record<CarryItem['kind'], { readonly items: number; readonly each: number; readonly all: number }>>
> = {
  file: { items: 5, each: 5_000, all: 50_000 },
  skill: { items: 20, each: 5_000, all: 25_000 },
};
const OTHERS = { items: 20, each: 2_000, all: 8_000 };

/** The items that fit, each cut at its head's end, kinds in the order of what is asked for first. */
export function fitted(
  items: readonly CarryItem[],
  room: number,
  countText: (text: string) => number,
): readonly CarryItem[] {
  const used = new Map<string, { items: number; tokens: number }>();
  const kept: CarryItem[] = [];
  let left = room;
  for (const item of items) {
    const limit = CARRY_LIMITS[item.kind] ?? OTHERS;
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

function headWithin(text: string, allowed: number, countText: (text: string) => number): string {
  if (countText(text) <= allowed) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (countText(text.slice(0, middle)) <= allowed - 4) low = middle;
    else high = middle - 1;
  }
  const end = text.lastIndexOf('\n', low);
  return low === 0 ? '' : `${text.slice(0, end > low / 2 ? end : low)}\n[…]`;
}

/** Without a host: the files that were read last, as they were read, unless they were changed since. */
export function derivedFiles(messages: readonly Message[], shown: ReadonlySet<string>, most = 5): readonly CarryItem[] {
  const items: CarryItem[] = [];
  const settled = new Set<string>();
  const results = new Map<string, { text: string; failed: boolean; message: string }>();
  for (let i = messages.length - 1; i >= 0 && items.length < most && i > messages.length - 400; i--) {
    const message = messages[i]!;
    for (const part of message.parts)
      if (part.type === 'result')
        results.set(part.callId, { text: partText(part), failed: part.isError === true, message: message.id });
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
        // A file written since it was read would come back stale; one whose read is in view need not come back.
        if (kind === 'read' && !shown.has(answer.message) && answer.text.length > 0)
          items.push({ kind: 'file', name: path, text: answer.text });
      }
    }
  }
  return items.slice(0, most);
}

export const carriedText = (items: readonly CarryItem[]): string =>
  items.map(({ kind, name, text }) => `<carried kind="${kind}" name="${name}">\n${text}\n</carried>`).join('\n');
