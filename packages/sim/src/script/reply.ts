import type { Json, Message } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/json';
import type { Counter } from '../prompt/counter.ts';

/** The formats that are served, by the names of the wires. */
export type ApiName = 'anthropic-messages' | 'openai-chat' | 'openai-responses' | 'gemini';

/** What a scripted model is asked, whatever the vendor's format. */
export interface SimRequest {
  readonly api: ApiName;
  readonly model: string;
  /** The number of the request at this simulator, from 1. */
  readonly n: number;
  /** How many answers its conversation has received whole, summaries not among them: one that was cut is the same turn again. */
  readonly turn: number;
  readonly system: string;
  readonly messages: readonly Message[];
  /** Names of the tools that may be called. */
  readonly tools: readonly string[];
  readonly maxOutput: number;
  /** The request asks for reasoning, or the model reasons by itself. */
  readonly thinks: boolean;
  /** As it was sent. */
  readonly body: Fields;
}

/** A tool call in a reply; the simulator gives it its id. */
export interface SimCall {
  readonly name: string;
  readonly input: { readonly [key: string]: Json };
}

/** `length`: cut at the output limit. `window`: cut at the end of the context window. */
export type SimStop = 'end' | 'calls' | 'length' | 'window' | 'refused';

/** What a scripted model says. What does not fit the room for the answer is cut off, calls first. */
export interface SimReply {
  readonly text?: string;
  /** Dropped where the request does not ask for reasoning. */
  readonly thinking?: string;
  readonly calls?: readonly SimCall[];
  /** `calls` where there are some, else `end`, unless it is stated or the reply had to be cut. */
  readonly stop?: SimStop;
}

/** A model: a function, pure by preference, so that a run can be repeated. */
export type Script = (request: SimRequest) => SimReply | Promise<SimReply>;

/** A reply with nothing left open, and its size. */
export interface Spoken {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly SimCall[];
  readonly stop: SimStop;
  readonly tokens: number;
  readonly thinkingTokens: number;
}

/** Around a call: its name's and its brackets' share. */
const CALL_TOKENS = 8;

/** What is left of a reply within the room for it: the end goes, and with it the calls, which are written last. */
export function fitReply(reply: SimReply, room: number, atWindow: boolean, thinks: boolean, counter: Counter): Spoken {
  const thinking = thinks ? (reply.thinking ?? '') : '';
  const text = reply.text ?? '';
  const calls = reply.calls ?? [];
  const thinkingTokens = thinking === '' ? 0 : counter.text(thinking);
  const textTokens = text === '' ? 0 : counter.text(text);
  const callTokens = calls.reduce(
    (sum, call) => sum + CALL_TOKENS + counter.text(call.name) + counter.text(JSON.stringify(call.input)),
    0,
  );
  const tokens = Math.max(1, thinkingTokens + textTokens + callTokens);
  if (tokens <= room)
    return { text, thinking, calls, stop: reply.stop ?? (calls.length > 0 ? 'calls' : 'end'), tokens, thinkingTokens };
  const stop = atWindow ? 'window' : 'length';
  const keptThinking = thinking.slice(0, Math.floor(thinking.length * Math.min(1, room / Math.max(1, thinkingTokens))));
  const left = Math.max(0, room - thinkingTokens);
  const keptText = text.slice(0, Math.floor(text.length * Math.min(1, left / Math.max(1, textTokens)))).trimEnd();
  return {
    text: keptText,
    thinking: keptThinking,
    calls: [],
    stop,
    tokens: Math.max(1, room),
    thinkingTokens: Math.min(thinkingTokens, room),
  };
}

/** A text as a model streams it: some characters at a time, never inside a surrogate pair. */
export function splitText(text: string, chars: number): readonly string[] {
  const out: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + chars);
    const unit = text.charCodeAt(end - 1);
    if (end < text.length && unit >= 0xd800 && unit < 0xdc00) end++;
    out.push(text.slice(at, end));
    at = end;
  }
  return out;
}
