import { emitKeypressEvents, type Interface } from 'node:readline';
import { screenCodes, type Writer } from './writer.ts';

export interface Key {
  readonly name?: string | undefined;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
  readonly sequence?: string;
}

export interface Keyboard {
  close(): void;
}

/** What is pasted has this name in place of a key's: it is typed, and never answers anything. */
const PASTE: Key = { name: 'paste' };

/** A sequence that a slow line cuts in two still comes together within this time. */
const ESCAPE_MS = 100;

/** Keys one by one; what is pasted comes as one text, with its line ends, and never as keys. */
export function listenToKeys(
  stdin: NodeJS.ReadStream,
  out: Writer,
  press: (typed: string | undefined, key: Key) => void,
): Keyboard {
  let pasted: string[] | undefined;
  const onKey = (typed: string | undefined, key: Key): void => {
    if (key.name === 'paste-start') pasted = [];
    else if (key.name === 'paste-end') {
      const text = cleanPaste(pasted ?? []);
      pasted = undefined;
      if (text !== '') press(text, PASTE);
    } else if (pasted === undefined) press(typed, key);
    else pasted.push(key.sequence ?? typed ?? '');
  };
  const setRaw = (on: boolean): void => {
    stdin.setRawMode?.(on);
    out.send([on ? screenCodes.pasteOn : screenCodes.pasteOff]);
  };
  // Alone, Escape is a key of its own: whatever follows it comes at once.
  emitKeypressEvents(stdin, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface);
  setRaw(true);
  stdin.on('keypress', onKey);
  stdin.resume();
  return {
    close() {
      stdin.off('keypress', onKey);
      setRaw(false);
      stdin.pause();
    },
  };
}

/** A page may come with the line ends of any system, with tabs, and with what a terminal would obey. */
const cleanPaste = (pasted: readonly string[]): string =>
  pasted
    .join('')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '  ')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is taken out
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '');
