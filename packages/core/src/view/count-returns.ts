import type { Message } from '../message/message.ts';
import { readTouches } from '../message/read-touches.ts';
import { readCommand } from '../message/tool-input.ts';
import { toolKind } from '../message/tool-kinds.ts';

/** Files that calls were about, and how often one was that an earlier call had been about. */
export interface Returns {
  readonly touches: number;
  readonly returns: number;
}

/** Our own tool, however a host spells it: whoever reads what was hidden has come back to it. */
const RECALL = /(?:^|[_.:/])recall$/;

/** Adds the calls of a message up; `touched` are the files so far, and grows by those of the message. */
export function countReturns(message: Message, touched: Set<string>): Returns {
  let touches = 0;
  let returns = 0;
  for (const part of message.parts) {
    if (part.type !== 'call') continue;
    const { tool, input } = part;
    const isRecall = RECALL.test(tool);
    const paths = isRecall ? [''] : readTouches(toolKind(tool, input), tool, input, readCommand(input));
    for (const one of paths) {
      const path = typeof one === 'string' ? one : one.path;
      touches++;
      if (isRecall || touched.has(path)) returns++;
      touched.add(path);
    }
  }
  return { touches, returns };
}
