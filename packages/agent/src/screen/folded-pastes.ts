/** Pasted pages stand in the line as one short mark each, and go out whole, on lines of their own. */
export interface FoldedPastes {
  /** What stands in the line for a pasted text: the text itself where it is short. */
  fold(pasted: string): string;
  /** The whole text again. */
  expand(text: string): string;
  /** Where a mark begins that ends here; undefined where none does. */
  markBefore(text: string, at: number): number | undefined;
  /** Where a mark ends that begins here. */
  markAfter(text: string, at: number): number | undefined;
}

/** More lines, or more characters, than these are folded. */
const MOST_LINES = 6;
const MOST_CHARS = 1_000;

export function newFoldedPastes(): FoldedPastes {
  const pastes = new Map<string, string>();
  return {
    fold(pasted) {
      const lines = pasted.split('\n').length;
      if (lines <= MOST_LINES && pasted.length <= MOST_CHARS) return pasted;
      const size = lines > 1 ? `+${lines} lines` : `+${pasted.length} characters`;
      const mark = `[pasted ${pastes.size + 1}: ${size}]`;
      pastes.set(mark, pasted);
      return mark;
    },
    expand: (text) => [...pastes].reduce((whole, [mark, pasted]) => putPaste(whole, mark, pasted), text),
    markBefore(text, at) {
      const mark = [...pastes.keys()].find((one) => text.slice(0, at).endsWith(one));
      return mark === undefined ? undefined : at - mark.length;
    },
    markAfter(text, at) {
      const mark = [...pastes.keys()].find((one) => text.startsWith(one, at));
      return mark === undefined ? undefined : at + mark.length;
    },
  };
}

/** What was typed before and behind a page of several lines stays apart from its first and last line. */
function putPaste(text: string, mark: string, pasted: string): string {
  const pieces = text.split(mark);
  if (!pasted.includes('\n')) return pieces.join(pasted);
  return pieces.reduce((before, behind) => {
    const head = before.trimEnd() === '' ? '' : before.replace(/[ \t]*\n?$/, '\n');
    const tail = behind.trimStart() === '' ? '' : behind.replace(/^[ \t]*\n?/, '\n');
    return `${head}${pasted.replace(/\n$/, '')}${tail}`;
  });
}
