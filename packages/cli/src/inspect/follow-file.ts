import { stat } from 'node:fs/promises';
import type { Inspector, Served } from '@palimpsest/inspector';
import type { Inspected } from './open-inspected.ts';

const LOOK_EVERY_MS = 500;

/** What a file is recognised by: another mark, another content. */
const markOf = (file: string): Promise<string> =>
  stat(file).then(
    ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
    () => 'gone',
  );

/** A session that is read again when its file has changed, and that tells those who watch. */
export function followFile({ file, read, undo, pin }: Inspected): Served {
  let known: { readonly mark: string; readonly inspector: Promise<Inspector> } | undefined;
  const inspector = async (): Promise<Inspector> => {
    const mark = await markOf(file);
    if (known?.mark !== mark) known = { mark, inspector: read() };
    return known.inspector;
  };
  return {
    inspector,
    ...(undo === undefined ? {} : { undo }),
    ...(pin === undefined ? {} : { pin }),
    watch(onChange, signal) {
      let last: string | undefined;
      const timer = setInterval(async () => {
        const mark = await markOf(file);
        if (last !== undefined && mark !== last && !signal.aborted) onChange();
        last = mark;
      }, LOOK_EVERY_MS);
      signal.addEventListener('abort', () => clearInterval(timer), { once: true });
    },
  };
}
