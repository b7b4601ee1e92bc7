import type { Json } from '@palimpsest/core';
import { asFields, asList, asString } from '@palimpsest/core/json';
import { IMPLICIT_CACHE } from '../body/implicit-cache.ts';
import { limitsOf } from '../body/limits.ts';
import { nameMessages } from '../body/message-ids.ts';
import { makeWellFormed } from '../body/well-formed.ts';
import type { Decoded } from '../wire.ts';
import { isPartial, type ResponsesBody } from './body.ts';
import { readItems } from './read.ts';
import { MAX_BYTES } from './validate.ts';

/** `/responses/compact` hands back the user's messages and its one item behind them: all of that is the window. */
export function decode(given: ResponsesBody): Decoded {
  const body = makeWellFormed(given);
  const { items, lead, reads } = readItems(body);
  const first = items.slice(0, lead).map(asFields);
  const texts = first.map(({ content }) =>
    typeof content === 'string'
      ? content
      : asList(content)
          .map((piece) => asString(asFields(piece).text) ?? '')
          .join('\n'),
  );
  const boundary = reads.findLastIndex(({ parts }) =>
    parts.some((part) => part.type === 'native' && asFields(part.block).type === 'compaction'),
  );
  return {
    messages: nameMessages(reads),
    system: [asString(body.instructions) ?? '', ...texts].filter((one) => one !== '').join('\n'),
    tools: [...asList(body.tools), ...first.flatMap(({ tools }) => asList(tools))] as readonly Json[],
    ...(boundary < 0 ? {} : { boundary }),
    ...(boundary > 0 && reads.slice(0, boundary).every(({ origin }) => origin === 'human') ? { from: 0 } : {}),
    partial: isPartial(body),
    rules: { reasoning: 'with-next', nativeEditing: false, prices: IMPLICIT_CACHE },
    limits: limitsOf(MAX_BYTES),
  };
}
