import { type ContentPart, type Message, type Origin, type Part, text, type Usage } from '@palimpsest/core';
import { asNumber, asString, type Fields, isFields } from '@palimpsest/core/json';
import { attributeParts, splitByAuthor } from '../../content/authored-part.ts';
import { mediaData } from '../../content/media.ts';
import { signatureFields } from '../../content/signature.ts';
import { asFieldsOrNone, asJson, asRecords, asWord, getField, omitUndefined, readTime } from '../../fields.ts';

/** Messages as pi keeps them: one vocabulary over all its providers. */

function readContent(block: Fields): ContentPart {
  if (block.type === 'text') return text(asString(block.text) ?? '');
  const data = asString(block.data);
  if (block.type === 'image' && data !== undefined) return mediaData(asString(block.mimeType) ?? 'image/png', data);
  return { type: 'native', wire: 'pi', block: asJson(block) };
}

/** What pi keeps of OpenAI's is the whole item, which only pi can send back. */
function findWire(message: Fields): string {
  const api = asString(message.api) ?? '';
  if (api === 'anthropic-messages') return api;
  return api.startsWith('google-') ? 'gemini' : 'pi';
}

function readPart(block: Fields, wire: string): Part {
  if (block.type === 'thinking')
    return {
      type: 'reasoning',
      text: asString(block.thinking) ?? '',
      ...signatureFields(wire, asWord(block.thinkingSignature)),
    };
  if (block.type !== 'toolCall') return readContent(block);
  return {
    type: 'call',
    callId: asString(block.id) ?? '',
    tool: asString(block.name) ?? '',
    input: asJson(block.arguments ?? {}),
    ...signatureFields(wire, asWord(block.thoughtSignature)),
  };
}

const readContents = (content: unknown): readonly ContentPart[] =>
  typeof content === 'string' ? (content === '' ? [] : [text(content)]) : asRecords(content).map(readContent);

export function readUsage(value: unknown): Usage | undefined {
  if (!isFields(value)) return undefined;
  return omitUndefined({
    input: asNumber(getField(value, 'input')),
    output: asNumber(getField(value, 'output')),
    cacheRead: asNumber(getField(value, 'cacheRead')),
    cacheWrite: asNumber(getField(value, 'cacheWrite')),
  });
}

const describeRun = (message: Fields): string => {
  const output = asString(message.output) ?? '';
  const code = asNumber(message.exitCode);
  return `[the user ran] ${asString(message.command) ?? ''}${code === undefined || code === 0 ? '' : ` (exit code ${code})`}\n${output}`;
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
  ...omitUndefined({ at: time }),
});

/** What an entry of a session says to the model: usually one message, none for settings, labels and the like. */
export function readMessages(entry: Fields, id: string): readonly Message[] {
  const time = readTime(entry.timestamp) ?? readTime(getField(entry.message, 'timestamp'));
  if (entry.type === 'custom_message') return [hostMessage(id, readContents(entry.content), time)];
  if (entry.type === 'branch_summary') return [hostMessage(id, [text(asString(entry.summary) ?? '')], time)];
  const message = asFieldsOrNone(entry.message);
  if (entry.type !== 'message' || message === undefined) return [];
  switch (message.role) {
    case 'user':
      return splitByAuthor(id, attributeParts(readContents(message.content)), time);
    case 'assistant':
      return [
        {
          id,
          role: 'assistant',
          origin: 'model',
          parts: asRecords(message.content).map((block) => readPart(block, findWire(message))),
          ...omitUndefined({ at: time }),
        },
      ];
    case 'toolResult': {
      const callId = asString(message.toolCallId) ?? '';
      const failed = message.isError === true ? { isError: true } : {};
      return [
        hostMessage(id, [{ type: 'result', callId, content: readContents(message.content), ...failed }], time, 'tool'),
      ];
    }
    case 'bashExecution':
      return message.excludeFromContext === true ? [] : [hostMessage(id, [text(describeRun(message))], time)];
    case 'compactionSummary':
    case 'branchSummary':
      return [hostMessage(id, [text(asString(message.summary) ?? '')], time)];
    default:
      // Extensions' own messages (`custom`, earlier `hookMessage`).
      return message.excludeFromContext === true ? [] : [hostMessage(id, readContents(message.content), time)];
  }
}
