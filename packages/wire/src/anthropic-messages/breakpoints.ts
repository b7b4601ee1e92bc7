import { asFields, asList, asString, type Fields, isBlank, isFields } from '@palimpsest/core/json';
import { type AnthropicBody, blocksIn } from './read.ts';

type Messages = AnthropicBody['messages'];

const MARK = { type: 'ephemeral' };

/** Blocks that take a breakpoint; thinking and empty text do not. */
const CARRIERS = ['text', 'image', 'document', 'tool_use', 'tool_result', 'search_result'];

const takesMark = (block: unknown): boolean => {
  const { type, text } = asFields(block);
  return CARRIERS.includes(asString(type) ?? '') && !(type === 'text' && isBlank(String(text)));
};

const hasMarkable = (message: unknown): boolean => blocksIn(asFields(message).content).some(takesMark);

const isMarked = (value: unknown): boolean => isFields(value) && isFields(value.cache_control);

/** The last breakpoint among messages. One on a block stands behind those on what is in it. */
function findLastMark(messages: Messages): Fields | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const blocks = asList(asFields(messages[at]).content);
    for (let i = blocks.length - 1; i >= 0; i--) {
      const { cache_control, content } = asFields(blocks[i]);
      const mark = isFields(cache_control) ? cache_control : asFields(asList(content).findLast(isMarked)).cache_control;
      if (isFields(mark)) return mark;
    }
  }
  return undefined;
}

/** The caller sets breakpoints at the messages, or has the server set them. */
const hasCallerMarks = (body: AnthropicBody): boolean => isMarked(body) || findLastMark(body.messages) !== undefined;

const countLeadMarks = ({ tools, system }: AnthropicBody): number =>
  [...asList(tools), ...asList(system)].filter(isMarked).length;

/** Where every breakpoint that the caller set among the messages was on something now hidden, one goes to the new end. */
export function keepBreakpoint(messages: Messages, body: AnthropicBody, shared: number): Messages {
  const mark = findLastMark(body.messages);
  if (mark === undefined || findLastMark(messages) !== undefined) return messages;
  const at = messages.findLastIndex((message, i) => i >= shared && hasMarkable(message));
  return at < 0 ? messages : messages.map((message, i) => (i === at ? withMark(message, mark) : message));
}

/** No request may have more. */
export const MAX_BREAKPOINTS = 4;

/**
 * Four: behind the tools, behind the system prompt, at the end, and where the request before this one ended. The last is
 * where its final breakpoint was, so it is found however many blocks a round added; look-back alone reaches about 20.
 * Where the caller marks tools or the system prompt, those marks stay and only the messages get what is left of the four.
 */
export function placeBreakpoints<B extends AnthropicBody>(body: B): B {
  if (hasCallerMarks(body) || (body.thread ?? null) !== null) return body;
  const { messages } = body;
  const leadMarks = countLeadMarks(body);
  const end = messages.length - 1;
  const roleOf = (message: unknown): unknown => asFields(message).role;
  const answer = messages.findLastIndex((message, i) => i < end && roleOf(message) === 'assistant');
  const before = messages.findLastIndex(
    (message, i) => i < answer && roleOf(message) === 'user' && hasMarkable(message),
  );
  const places = new Set([messages.findLastIndex(hasMarkable), before].slice(0, MAX_BREAKPOINTS - leadMarks));
  return {
    ...body,
    ...(leadMarks === 0 ? { ...withTools(body.tools), ...withSystem(body.system) } : {}),
    messages: messages.map((message, i) => (places.has(i) ? withMark(message) : message)),
  };
}

function withMark<M extends Messages[number]>(message: M, mark: Fields = MARK): M {
  const blocks = blocksIn(message.content);
  const at = blocks.findLastIndex(takesMark);
  return {
    ...message,
    content: blocks.map((block, i) => (i === at ? { ...asFields(block), cache_control: mark } : block)),
  };
}

/** A tool that is loaded later on is no part of the prefix and takes no breakpoint. */
function withTools(tools: unknown): Fields {
  const list = asList(tools);
  const at = list.findLastIndex((tool) => isFields(tool) && tool.defer_loading !== true);
  return at < 0 ? {} : { tools: list.map((tool, i) => (i === at ? { ...asFields(tool), cache_control: MARK } : tool)) };
}

function withSystem(system: unknown): Fields {
  const blocks = blocksIn(system);
  const at = blocks.findLastIndex(takesMark);
  return at < 0
    ? {}
    : { system: blocks.map((block, i) => (i === at ? { ...asFields(block), cache_control: MARK } : block)) };
}
