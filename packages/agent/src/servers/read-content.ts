import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { keepHead, keepTail } from '@palimpsest/terminal';
import type { ToolAnswer } from '../tools/tool.ts';

/** Kept of a result, as of a command's output: so much of its head and of its end. */
const HEAD_CHARS = 200_000;
const TAIL_CHARS = 200_000;

/** What a server answered, as the model is told it: texts as they are, anything else by its kind and size. */
export function readContent({ content, structuredContent, isError = false }: CallToolResult): ToolAnswer {
  const said = content.map(tellBlock).join('\n');
  const text = said === '' && structuredContent !== undefined ? JSON.stringify(structuredContent) : said;
  return { text: boundText(text), ...(isError ? { isError } : {}) };
}

type Block = CallToolResult['content'][number];

function tellBlock(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${block.data.length} characters of base64, not shown]`;
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`;
    case 'resource':
      return 'text' in block.resource
        ? block.resource.text
        : `[${block.resource.uri}, ${block.resource.blob.length} characters of base64, not shown]`;
  }
}

function boundText(text: string): string {
  const cut = text.length - HEAD_CHARS - TAIL_CHARS;
  return cut <= 0
    ? text
    : `${keepHead(text, HEAD_CHARS)}\n[… ${cut} characters not kept …]\n${keepTail(text, TAIL_CHARS)}`;
}
