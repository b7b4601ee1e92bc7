/** The one vocabulary. Wires translate into it and out of it; nothing else describes a conversation. */

/** Plain data, as it goes through `JSON.stringify` and back. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Unique in its session, and no edit's reference. Messages that bring none are called `m1`, `m2` … by the session. */
export type MessageId = string;

/** There is no system role: the system prompt is stated in the options. Tool results stand in user messages. */
export type Role = 'user' | 'assistant';

/** Who wrote it. `harness` is what a host injects (reminders, AGENTS.md); it never counts as the user's words. */
export type Origin = 'human' | 'model' | 'tool' | 'harness' | 'palimpsest';

/** What every part may have. */
export interface PartBase {
  /** Fields of the provider's block that this vocabulary does not model; they ride along. */
  readonly native?: Json;
}

/** Words, whoever said them. */
export interface TextPart extends PartBase {
  readonly type: 'text';
  readonly text: string;
}

/** `signature` is opaque (signed or encrypted by the provider): such a part is kept byte-identical or dropped whole. */
export interface ReasoningPart extends PartBase {
  readonly type: 'reasoning';
  readonly text: string;
  readonly signature?: string;
}

/** A tool call by the model; the result names it by `callId`. */
export interface CallPart extends PartBase {
  readonly type: 'call';
  readonly callId: string;
  readonly tool: string;
  readonly input: Json;
  /** Gemini's thought signature lives on the call; empty where an edit changed the call, for which it stands no more. */
  readonly signature?: string;
}

/** What a tool answered; it stands in a user message behind the assistant message with its call. */
export interface ResultPart extends PartBase {
  readonly type: 'result';
  readonly callId: string;
  readonly content: readonly ContentPart[];
  readonly isError?: boolean;
}

/** `data` is base64; `url` a reference the provider resolves. One of the two. */
export interface MediaPart extends PartBase {
  readonly type: 'media';
  readonly kind: 'image' | 'document' | 'audio' | 'video';
  readonly mediaType: string;
  readonly data?: string;
  readonly url?: string;
  readonly name?: string;
  readonly width?: number;
  readonly height?: number;
  readonly pages?: number;
}

/** A provider block we do not know. `wire` names the provider format; only that wire sends it back. */
export interface NativePart extends PartBase {
  readonly type: 'native';
  readonly wire: string;
  readonly block: Json;
}

/** What a tool result may hold. */
export type ContentPart = TextPart | MediaPart | NativePart;

/** What a message may hold: calls and reasoning only the assistant's, results only the user's. */
export type Part = TextPart | ReasoningPart | CallPart | ResultPart | MediaPart | NativePart;

/** One message of a transcript or a view. To append, a host makes a `NewMessage`, mostly with `user()` and its like. */
export interface Message {
  readonly id: MessageId;
  readonly role: Role;
  readonly origin: Origin;
  readonly parts: readonly Part[];
  /** Milliseconds since 1970, when known. */
  readonly at?: number;
  /** On messages a layer made: the first and the last transcript message it stands for. */
  readonly standsFor?: { readonly from: MessageId; readonly to: MessageId };
  /** On messages that nobody said: what they are for. `compaction_continue`: to go on after an automatic compaction; `recall_told`: how to read what was hidden. */
  readonly synthetic?: 'compaction_continue' | 'recall_told';
}

/** What a host may append: without an id, the session numbers it; without an origin, the parts tell. */
export type NewMessage = Omit<Message, 'id' | 'origin'> & { readonly id?: MessageId; readonly origin?: Origin };

/** A text part, for messages of several parts: `user()` and `assistant()` take a string as well. */
export const text = (value: string): TextPart => ({ type: 'text', text: value });

/** A reasoning part; hand on the signature the provider gave, or none. */
export const reasoning = (value: string, signature?: string): ReasoningPart =>
  signature === undefined ? { type: 'reasoning', text: value } : { type: 'reasoning', text: value, signature };

/** A call part, as the model asked for it. */
export const call = (callId: string, tool: string, input: Json = {}): CallPart => ({
  type: 'call',
  callId,
  tool,
  input,
});

/** A result part; `isError` tells the model that the tool failed. */
export const result = (callId: string, content: string | readonly ContentPart[], isError = false): ResultPart => {
  const parts = typeof content === 'string' ? (content === '' ? [] : [text(content)]) : content;
  return isError ? { type: 'result', callId, content: parts, isError } : { type: 'result', callId, content: parts };
};

const toParts = (content: string | readonly Part[]): readonly Part[] =>
  typeof content === 'string' ? [text(content)] : content;

/** A message the user typed. */
export const user = (content: string | readonly Part[], id?: MessageId): NewMessage => ({
  ...(id === undefined ? {} : { id }),
  role: 'user',
  origin: 'human',
  parts: toParts(content),
});

/** A message the model wrote. */
export const assistant = (content: string | readonly Part[], id?: MessageId): NewMessage => ({
  ...(id === undefined ? {} : { id }),
  role: 'assistant',
  origin: 'model',
  parts: toParts(content),
});

/** Results of calls, as the host's tools returned them. */
export const results = (parts: readonly ResultPart[], id?: MessageId): NewMessage => ({
  ...(id === undefined ? {} : { id }),
  role: 'user',
  origin: 'tool',
  parts,
});

/** A message's origin when the host did not state it: results come from tools, other user messages from a human. */
export function originOf(message: NewMessage): Origin {
  if (message.origin !== undefined) return message.origin;
  if (message.role === 'assistant') return 'model';
  return message.parts.length > 0 && message.parts.every((part) => part.type === 'result') ? 'tool' : 'human';
}

/** The characters of a part that a reader would see; markers stand in for what is not text. */
export function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text;
    case 'call':
      return JSON.stringify(part.input);
    case 'result':
      return part.content.map(partText).join('\n');
    case 'media':
      return mediaMarker(part);
    case 'native':
      return JSON.stringify(part.block);
  }
}

/** What stands for an image or a document where only text may stand. */
export const mediaMarker = (part: MediaPart): string =>
  part.name === undefined ? `[${part.kind}]` : `[${part.kind}: ${part.name}]`;

/** The tool calls in a message, in order. */
export const callsOf = (message: Message): CallPart[] =>
  message.parts.filter((part): part is CallPart => part.type === 'call');

/** The tool results in a message, in order. */
export const resultsOf = (message: Message): ResultPart[] =>
  message.parts.filter((part): part is ResultPart => part.type === 'result');

/** The user's own words in a message; nothing a tool or the host put there. */
export function wordsOf(message: Message): string {
  if (message.origin !== 'human') return '';
  return message.parts
    .filter((part): part is TextPart => part.type === 'text')
    .map((part) => part.text)
    .join('\n');
}
