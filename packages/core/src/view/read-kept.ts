import { type Message, partText } from '../message/message.ts';
import { newStride, type Steps } from '../steps.ts';
import type { Slot } from './slot.ts';

/** What the messages show that stay around a span: a digest beside them need not say it again. What is written into a call stands in it line by line. */
export function* stepsOfKept(
  slots: readonly Slot[],
  { start, end }: { readonly start: number; readonly end: number },
): Steps<string> {
  const texts: string[] = [];
  const isStop = newStride(64);
  for (const [at, { message }] of slots.entries()) {
    if (isStop()) yield;
    if (at < start || at >= end) texts.push(...readTexts(message));
  }
  return texts.join('\n');
}

const readTexts = ({ parts }: Message): readonly string[] =>
  parts.map((part) =>
    part.type === 'call'
      ? partText(part)
          .replace(/\\[nt]/g, '\n')
          .replaceAll('\\"', '"')
      : partText(part),
  );
