import { asFields, asList, type Fields, isBlank } from '@palimpsest/core/json';
import { type PromptBody, readPrompt } from './ai-sdk-read.ts';

const MARK = { type: 'ephemeral' };
/** No request may have more. */
const MAX_BREAKPOINTS = 4;

/** Anthropic's own provider and those of the clouds: `anthropic.messages`, `vertex.anthropic.messages`. */
const ANTHROPIC = /(?:^|\.)anthropic(?:\.|$)/;

const isMarked = (value: unknown): boolean => {
  const { cacheControl, cache_control } = asFields(asFields(asFields(value).providerOptions).anthropic);
  return (cacheControl ?? cache_control ?? null) !== null;
};

const holdsMark = (message: unknown): boolean => isMarked(message) || asList(asFields(message).content).some(isMarked);

/** A mark on a message is one on its last part. */
function takesMark(message: unknown): boolean {
  const { role, content } = asFields(message);
  const { type, text } = asFields(asList(content).at(-1));
  const isEmpty = type === undefined || type === 'tool-approval-response' || (type === 'text' && isBlank(String(text)));
  return (role === 'user' || role === 'tool') && !isEmpty;
}

/**
 * Where the caller of an Anthropic model marks no message: behind the system prompt (which caches the tools too), at the
 * end, and where the request before this one ended. What the caller marks before the messages stays and counts.
 */
export function placeBreakpoints(body: PromptBody): PromptBody {
  if (!ANTHROPIC.test(body.provider ?? '') || isMarked(body)) return body;
  const { prompt } = body;
  const { lead } = readPrompt(prompt);
  if (prompt.slice(lead).some(holdsMark)) return body;
  const leadMarks = asList(body.tools).filter(isMarked).length + prompt.slice(0, lead).filter(isMarked).length;
  const end = prompt.findLastIndex(takesMark);
  const answer = prompt.findLastIndex((message, i) => i < end && asFields(message).role === 'assistant');
  const before = prompt.findLastIndex((message, i) => i < answer && takesMark(message));
  const system = leadMarks === 0 ? lead - 1 : -1;
  const places = new Set([end, before, system].slice(0, MAX_BREAKPOINTS - leadMarks));
  return { ...body, prompt: prompt.map((message, i) => (places.has(i) ? withMark(asFields(message)) : message)) };
}

function withMark(message: Fields): Fields {
  const options = asFields(message.providerOptions);
  return {
    ...message,
    providerOptions: { ...options, anthropic: { ...asFields(options.anthropic), cacheControl: MARK } },
  };
}
