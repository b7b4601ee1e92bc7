import { callsOf, type Message, type Part, partText } from '@palimpsest/core';
import { callLabel } from '../tools/labels.ts';

const HEADS = { human: 'User', model: 'Model', tool: 'Result', harness: 'Host', palimpsest: 'Palimpsest' } as const;

/** Everything that was said and seen, as a page that can be read without us. */
export function transcriptMarkdown(id: string, transcript: readonly Message[]): string {
  const tools = new Map<string, string>();
  const sections = transcript.map((message) => {
    for (const call of callsOf(message)) tools.set(call.callId, callLabel(call));
    const body = message.parts.map((part) => partMarkdown(part, tools)).join('\n\n');
    const at = message.at === undefined ? '' : `, ${new Date(message.at).toISOString()}`;
    return `## ${HEADS[message.origin]} (${message.id}${at})\n\n${body}`;
  });
  return `# Session ${id}\n\n${sections.join('\n\n')}\n`;
}

function partMarkdown(part: Part, tools: ReadonlyMap<string, string>): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'call':
      return `**${part.tool}**\n\n${fence(JSON.stringify(part.input, null, 2), 'json')}`;
    case 'result':
      return `${part.isError === true ? 'Failed: ' : ''}${tools.get(part.callId) ?? part.callId}\n\n${fence(partText(part))}`;
    case 'reasoning':
      return part.text === '' ? '*(sealed reasoning)*' : part.text.replace(/^/gm, '> ');
    default:
      return partText(part);
  }
}

/** A fence longer than any inside it. */
function fence(body: string, language = ''): string {
  const longest = Math.max(2, ...[...body.matchAll(/`{3,}/g)].map((match) => match[0].length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${body}\n${ticks}`;
}
