import { partText } from '../message/message.ts';
import type { Slot } from './slot.ts';

/** What the messages show that stay around a span: a digest beside them need not say it again. What is written into a call stands in it line by line. */
export const readKept = (
  slots: readonly Slot[],
  { start, end }: { readonly start: number; readonly end: number },
): string =>
  [...slots.slice(0, start), ...slots.slice(end)]
    .flatMap(({ message }) =>
      message.parts.map((part) =>
        part.type === 'call'
          ? partText(part)
              .replace(/\\[nt]/g, '\n')
              .replaceAll('\\"', '"')
          : partText(part),
      ),
    )
    .join('\n');
