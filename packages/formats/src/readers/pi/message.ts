import { type ContentPart, type Message, type Origin, type Part, text, type Usage } from '@palimpsest/core';
import { tagUser, userMessages } from '../../content/authored-part.ts';
import { mediaData } from '../../content/media.ts';
import { signed } from '../../content/signature.ts';
import {
  at,
  type Fields,
  fieldsOf,
  given,
  jsonOf,
  numberOf,
  recordsOf,
  stringOf,
  timeOf,
  wordOf,
} from '../../fields.ts';

/** Messages as pi keeps them: one vocabulary over all its providers. */

function contentFrom(block: Fields): ContentPart {
  if (block.type === 'text') return text(stringOf(block.text) ?? '');
  const data = stringOf(block.data);
  if (block.type === 'image' && data !== undefined) return mediaData(stringOf(block.mimeType) ?? 'image/png', data);
  return { type: 'native', wire: 'pi', block: jsonOf(block) };
}

/** What pi keeps of OpenAI's is the whole item, which only pi can send back. */
function wireOf(message: Fields): string {
  const api = stringOf(message.api) ?? '';
  if (api === 'anthropic-messages') return api;
  return api.startsWith('google-') ? 'gemini' : 'pi';
}

function partFrom(block: Fields, wire: string): Part {
  if (block.type === 'thinking')
    return {
      type: 'reasoning',
      text: stringOf(block.thinking) ?? '',
      ...signed(wire, wordOf(block.thinkingSignature)),
    };
  if (block.type !== 'toolCall') return contentFrom(block);
  return {
    type: 'call',
    callId: stringOf(block.id) ?? '',
    tool: stringOf(block.name) ?? '',
    input: jsonOf(block.arguments ?? {}),
    ...signed(wire, wordOf(block.thoughtSignature)),
  };
}

const contentOf = (content: unknown): readonly ContentPart[] =>
  typeof content === 'string' ? (content === '' ? [] : [text(content)]) : recordsOf(content).map(contentFrom);

export function usageFrom(value: unknown): Usage | undefined {
  if (fieldsOf(value) === undefined) return undefined;
  return given({
    input: numberOf(at(value, 'input')),
    output: numberOf(at(value, 'output')),
    cacheRead: numberOf(at(value, 'cacheRead')),
    cacheWrite: numberOf(at(value, 'cacheWrite')),
  });
}

const ran = (message: Fields): string => {
  const output = stringOf(message.output) ?? '';
  const code = numberOf(message.exitCode);
  return `[the user ran] ${stringOf(message.command) ?? ''}${code === undefined || code === 0 ? '' : ` (exit code ${code})`}\n${output}`;
};

const hostMessage = (
  id: string,
  parts: readonly Part[],
  time: number | undefined,
  origin: Origin = 'harness',
): Message => ({
  id,
  role: 'user',
  origin,
  parts,
  ...given({ at: time }),
});

/** What an entry of a session says to the model: usually one message, none for settings, labels and the like. */
export function messagesOf(entry: Fields, id: string): readonly Message[] {
  const time = timeOf(entry.timestamp) ?? timeOf(at(entry.message, 'timestamp'));
  if (entry.type === 'custom_message') return [hostMessage(id, contentOf(entry.content), time)];
  if (entry.type === 'branch_summary') return [hostMessage(id, [text(stringOf(entry.summary) ?? '')], time)];
  const message = fieldsOf(entry.message);
  if (entry.type !== 'message' || message === undefined) return [];
  switch (message.role) {
    case 'user':
      return userMessages(id, tagUser(contentOf(message.content)), time);
    case 'assistant':
      return [
        {
          id,
          role: 'assistant',
          origin: 'model',
          parts: recordsOf(message.content).map((block) => partFrom(block, wireOf(message))),
          ...given({ at: time }),
        },
      ];
    case 'toolResult': {
      const callId = stringOf(message.toolCallId) ?? '';
      const failed = message.isError === true ? { isError: true } : {};
      return [
        hostMessage(id, [{ type: 'result', callId, content: contentOf(message.content), ...failed }], time, 'tool'),
      ];
    }
    case 'bashExecution':
      return message.excludeFromContext === true ? [] : [hostMessage(id, [text(ran(message))], time)];
    case 'compactionSummary':
    case 'branchSummary':
      return [hostMessage(id, [text(stringOf(message.summary) ?? '')], time)];
    default:
      // Extensions' own messages (`custom`, earlier `hookMessage`).
      return message.excludeFromContext === true ? [] : [hostMessage(id, contentOf(message.content), time)];
  }
}
