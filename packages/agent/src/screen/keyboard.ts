import { emitKeypressEvents } from 'node:readline';
import type { Key } from './line-editor.ts';

export interface Keyboard {
  close(): void;
}

const PASTE_ON = '\u001b[?2004h';
const PASTE_OFF = '\u001b[?2004l';

/** Keys one by one; what is pasted comes as one text, with its line ends, and never as keys. */
export function listenToKeys(
  stdin: NodeJS.ReadStream,
  stdout: NodeJS.WriteStream,
  press: (typed: string | undefined, key: Key) => void,
): Keyboard {
  let pasted: string[] | undefined;
  const onKey = (typed: string | undefined, key: Key): void => {
    if (key.name === 'paste-start') pasted = [];
    else if (key.name === 'paste-end') {
      const text = cleanPaste(pasted ?? []);
      pasted = undefined;
      if (text !== '') press(text, {});
    } else if (pasted === undefined) press(typed, key);
    else pasted.push(key.sequence ?? typed ?? '');
  };
  const setRaw = (on: boolean): void => {
    stdin.setRawMode?.(on);
    stdout.write(on ? PASTE_ON : PASTE_OFF);
  };
  emitKeypressEvents(stdin);
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
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, '');
