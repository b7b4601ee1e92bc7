import { assistant, call, type Message, type NewMessage, result, results } from '@palimpsest/core';

/** Messages as a recording holds them. */
export const numberMessages = (messages: readonly NewMessage[], from = 0): readonly Message[] =>
  messages.map((message, i) => ({ origin: 'model', ...message, id: `m${from + i}` }));

let calls = 0;

/** A call of the model, and what came back. */
export function callTool(tool: string, input: Parameters<typeof call>[2], output: string): readonly NewMessage[] {
  const id = `c${calls++}`;
  return [assistant([call(id, tool, input)]), results([result(id, output)])];
}
