import { type Message, mediaMarker, type Part, partText } from '../message/message.ts';
import { cutHead } from '../text.ts';

/** Longer inputs and results are quoted by their heads. */
const RESULT_CHARS = 2_000;

/** One message as a reader would quote it. */
export function quoteMessage(message: Message): string {
  const body = message.parts.map(quotePart).filter((piece) => piece !== '');
  const who = message.origin === 'tool' ? 'tool' : message.origin === 'harness' ? 'harness' : message.role;
  return `[${who}] ${body.join('\n')}`;
}

function quotePart(part: Part): string {
  switch (part.type) {
    case 'reasoning':
    case 'native':
      return '';
    case 'media':
      return mediaMarker(part);
    case 'call':
      return `calls ${part.tool} ${clipText(partText(part))}`;
    case 'result':
      return `${part.isError === true ? 'error' : 'result'}: ${clipText(partText(part))}`;
    case 'text':
      return part.text;
  }
}

const clipText = (source: string): string =>
  source.length <= RESULT_CHARS
    ? source
    : `${cutHead(source, RESULT_CHARS)} [… ${source.length - RESULT_CHARS} characters more]`;
