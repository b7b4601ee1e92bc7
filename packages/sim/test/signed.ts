import { asFields, asList, type Fields } from '@palimpsest/core/json';
import { isThinking, listBlocks } from '../src/anthropic/blocks.ts';
import { extendPrefix, sign } from '../src/anthropic/sign.ts';
import { signCall } from '../src/gemini/sign.ts';

/** The signatures of a body's thinking, as the simulator would have made them, in order. */
const signaturesIn = (body: object): readonly string[] =>
  asList(asFields(signedThinking(body)).messages)
    .flatMap((message) => listBlocks(asFields(message).content))
    .map(asFields)
    .filter(({ type }) => isThinking(type))
    .map(({ signature, data }) => String(signature ?? data));

const thinks = (message: unknown): boolean =>
  listBlocks(asFields(message).content).some((block) => isThinking(asFields(block).type));

/** Thinking signed for the place where it stands, or, where it was sent before, for the place where it stood then. */
export function signedThinking(body: object, previous?: object): object {
  const earlier = previous === undefined ? [] : signaturesIn(previous);
  let prefix = '';
  let seen = 0;
  const { messages } = asFields(body);
  if (!Array.isArray(messages) || !messages.some(thinks)) return body;
  return {
    ...body,
    messages: messages.map((message: unknown) => {
      const { role, content } = asFields(message);
      const blocks = listBlocks(content).map((one) => {
        const block = asFields(one);
        const isSealed = block.type === 'redacted_thinking';
        const signature = earlier[seen] ?? sign(isSealed ? '' : String(block.thinking), prefix);
        const given = isThinking(block.type) && (isSealed ? block.data : block.signature);
        const signed =
          typeof given === 'string' && given !== '' ? { ...block, [isSealed ? 'data' : 'signature']: signature } : one;
        if (isThinking(block.type)) seen++;
        prefix = extendPrefix(prefix, { role: String(role), block: asFields(signed) });
        return signed;
      });
      return Array.isArray(content) ? { ...(message as Fields), content: blocks } : message;
    }),
  };
}

/** Calls with the signature that this simulator gave them, where there is one. */
export const signedCalls = (body: object): object => ({
  ...body,
  contents: asList(asFields(body).contents).map((content) => ({
    ...asFields(content),
    parts: asList(asFields(content).parts).map((part) => {
      const { functionCall, thoughtSignature } = asFields(part);
      const call = asFields(functionCall);
      return thoughtSignature === undefined
        ? part
        : { ...asFields(part), thoughtSignature: signCall(String(call.name), call.args) };
    }),
  })),
});
