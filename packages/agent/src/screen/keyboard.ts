import { emitKeypressEvents } from 'node:readline';
import type { Key } from './line-editor.ts';

export interface Keyboard {
  close(): void;
}

const PASTE_ON = '\u001b[?2004h';
const PASTE_OFF = '\u001b[?2004l';

/** Keys one by one; what is pasted comes as text, with its line ends, and never as keys. */
export function keyboard(
  stdin: NodeJS.ReadStream,
  stdout: NodeJS.WriteStream,
  press: (typed: string | undefined, key: Key) => void,
): Keyboard {
  let pasting = false;
  const heard = (typed: string | undefined, key: Key): void => {
    if (key.name === 'paste-start' || key.name === 'paste-end') pasting = key.name === 'paste-start';
    else if (!pasting) press(typed, key);
    else press(key.name === 'return' || key.name === 'enter' ? '\n' : typed, {});
  };
  const raw = (on: boolean): void => {
    stdin.setRawMode?.(on);
    stdout.write(on ? PASTE_ON : PASTE_OFF);
  };
  emitKeypressEvents(stdin);
  raw(true);
  stdin.on('keypress', heard);
  stdin.resume();
  return {
    close() {
      stdin.off('keypress', heard);
      raw(false);
      stdin.pause();
    },
  };
}
