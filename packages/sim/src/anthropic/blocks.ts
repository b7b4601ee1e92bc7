import { asFields, asList, type Fields } from '@palimpsest/core/json';

/** A content block and where it stands. */
export interface Placed {
  readonly path: string;
  readonly message: number;
  readonly role: string;
  readonly block: Fields;
}

/** A string is short for one text block. */
export const listBlocks = (content: unknown): readonly unknown[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content);

export const placeBlocks = (body: Fields): readonly Placed[] =>
  asList(body.messages).flatMap((message, m) => {
    const { role, content } = asFields(message);
    return listBlocks(content).map((block, b) => ({
      path: `messages.${m}.content.${b}`,
      message: m,
      role: String(role),
      block: asFields(block),
    }));
  });

export interface Turn {
  readonly role: string;
  readonly message: number;
  readonly blocks: readonly Placed[];
}

/** Neighbours of one role are one turn to the server; system messages stand between without parting them. */
export function gatherTurns(body: Fields): readonly Turn[] {
  const turns: { role: string; message: number; blocks: Placed[] }[] = [];
  for (const [m, message] of asList(body.messages).entries()) {
    const role = String(asFields(message).role);
    if (role !== 'system' && turns.at(-1)?.role !== role) turns.push({ role, message: m, blocks: [] });
  }
  let at = -1;
  for (const placed of placeBlocks(body)) {
    if (placed.role === 'system') continue;
    while (at + 1 < turns.length && turns[at + 1]!.message <= placed.message) at++;
    turns[at]!.blocks.push(placed);
  }
  return turns;
}

export const isThinking = (type: unknown): boolean => type === 'thinking' || type === 'redacted_thinking';

/** Everything before the newest compaction that holds a summary is gone for the server. */
export function dropCompacted(placed: readonly Placed[]): readonly Placed[] {
  const at = placed.findLastIndex(({ block }) => block.type === 'compaction' && typeof block.content === 'string');
  return at < 0 ? placed : placed.slice(at);
}
