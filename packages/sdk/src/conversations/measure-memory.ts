import { countEvidence, type Message, type Part, partText, type Session } from '@palimpsest/core';

/** What a conversation takes before it has a message: its session, its place in the indexes, what it is told of requests. */
export const CONVERSATION_BYTES = 25_000;
/** What a message takes besides its texts, and what is known of it: its ids, sizes, places. */
const MESSAGE_BYTES = 1_200;
/** A line that a digest has read, with its words and phrases. */
const EVIDENCE_BYTES = 1_300;

/** Strings that hold a character beyond Latin-1 take two bytes for each. */
const WIDE = /[\u0100-\uffff]/;

const measureText = (text: string): number => text.length * (WIDE.test(text) ? 2 : 1);

const measurePart = (part: Part): number => {
  if (part.type === 'media') return part.data?.length ?? 0;
  if (part.type === 'result') return part.content.reduce((sum, piece) => sum + measurePart(piece), 0);
  return measureText(partText(part));
};

/** About the bytes that a message takes in memory, in a session that has it. */
export const measureMessage = ({ parts }: Message): number =>
  parts.reduce((sum, part) => sum + measurePart(part), MESSAGE_BYTES);

/** About the bytes of what a session's digests have read off its messages. */
export const measureEvidence = (session: Session | undefined): number =>
  session === undefined ? 0 : countEvidence(session) * EVIDENCE_BYTES;
