import { asFields, asList, type Fields } from '@palimpsest/core/json';
import { type AnswerCollector, type AnswerDelta, addReasoning, addText, readStop, type StopReason } from '../answer.ts';
import { decode } from './decode.ts';

const STOPS: Readonly<Record<string, StopReason>> = {
  STOP: 'end',
  MAX_TOKENS: 'length',
  MALFORMED_FUNCTION_CALL: 'tool',
};

/** Collects the chunks of `:streamGenerateContent`; what `:generateContent` answers is one such chunk. */
export function collectAnswer(): AnswerCollector {
  const parts: Fields[] = [];
  let stop: StopReason | undefined;

  /** Pieces of one text come one by one; a signature closes the piece that it is on. */
  const takePiece = (piece: Fields): readonly AnswerDelta[] => {
    const last = parts.at(-1);
    const isMore =
      typeof piece.text === 'string' &&
      typeof last?.text === 'string' &&
      (last.thought === true) === (piece.thought === true) &&
      last.thoughtSignature === undefined;
    if (isMore) parts[parts.length - 1] = { ...last, ...piece, text: `${last.text}${piece.text}` };
    else parts.push(piece);
    return piece.thought === true ? addReasoning(piece.text) : addText(piece.text);
  };

  return {
    take(event) {
      const candidate = asFields(asList(asFields(event).candidates)[0]);
      stop = readStop(candidate.finishReason, STOPS) ?? stop;
      return asList(asFields(candidate.content).parts).flatMap((piece) => takePiece(asFields(piece)));
    },
    get stop() {
      return stop;
    },
    parts: () => decode({ contents: [{ role: 'model', parts }] }).messages.flatMap((message) => message.parts),
  };
}
