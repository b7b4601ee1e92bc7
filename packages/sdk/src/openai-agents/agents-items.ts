import { asFields, asList, asString, type Fields, omitFields } from '@palimpsest/core/json';

/** An item of the Agents SDK's own protocol as the Responses API has it: names with underscores, results as outputs. */
export function toResponsesItem(item: object): Fields {
  const { type, callId, ...rest } = item as Fields;
  const plain = omitFields(rest, 'providerData');
  const called = callId === undefined ? {} : { call_id: callId };
  switch (type) {
    case undefined:
    case 'message':
      return { type: 'message', ...plain };
    case 'function_call_result':
      return { type: 'function_call_output', ...called, output: readOutput(plain.output) };
    case 'function_call':
      return { type, ...called, name: plain.name, arguments: plain.arguments };
    case 'reasoning':
      return { type, ...plain, summary: asList(plain.content).map(toSummary), content: undefined };
    default:
      // Calls of hosted tools and their results: the names are the same but for the end.
      return { type: String(type).replace(/_result$/, '_output'), ...called, ...plain };
  }
}

const toSummary = (part: unknown): Fields => ({ type: 'summary_text', text: asString(asFields(part).text) ?? '' });

/** A text alone is a string; several pieces are a list. */
function readOutput(output: unknown): unknown {
  const { type, text } = asFields(output);
  if (type === 'text') return text;
  return Array.isArray(output) ? output.map(toInput) : output;
}

const toInput = (piece: unknown): unknown => {
  const { type, ...rest } = asFields(piece);
  return type === 'text' ? { type: 'input_text', ...rest } : piece;
};

/** What Palimpsest wrote or changed, as an item of the Agents SDK. `nameOf` tells which tool a call was of. */
export function toAgentsItem(item: Fields, nameOf: (callId: string) => string): Fields {
  const { type, call_id, ...rest } = item;
  const called = call_id === undefined ? {} : { callId: call_id };
  switch (type) {
    case undefined:
    case 'message':
      return toMessage(rest);
    case 'function_call':
      return { type, ...called, status: 'completed', ...rest };
    case 'function_call_output': {
      const output = typeof rest.output === 'string' ? { type: 'text', text: rest.output } : rest.output;
      const name = nameOf(asString(call_id) ?? '');
      return { type: 'function_call_result', ...called, name, status: 'completed', output };
    }
    default:
      return { type: String(type).replace(/_output$/, '_result'), ...called, ...rest };
  }
}

function toMessage({ role, content, ...rest }: Fields): Fields {
  if (role === 'assistant') {
    const said = typeof content === 'string' ? [{ type: 'output_text', text: content }] : content;
    return { status: 'completed', ...rest, type: 'message', role, content: said };
  }
  if (role === 'user') return { ...rest, type: 'message', role, content };
  const words = asList(content).map((part) => asString(asFields(part).text) ?? '');
  return {
    ...rest,
    type: 'message',
    role: 'system',
    content: typeof content === 'string' ? content : words.join('\n'),
  };
}
