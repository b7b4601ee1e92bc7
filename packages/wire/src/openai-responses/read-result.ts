import type { ContentPart, ResultPart } from '@palimpsest/core';
import { asFields, asList, asString, type Fields, isBlank, isFields, omitFields } from '@palimpsest/core/json';
import { native, nativePart } from '../body/native.ts';
import { RESPONSES } from './body.ts';
import { readMedia, readPieces } from './read-pieces.ts';

/** Undefined where it does not say which call it answers: then the server made it. */
export function readResult(item: Fields, type: string, calls: ReadonlyMap<string, string>): ResultPart | undefined {
  const callId = findCallId(item, type, calls);
  if (callId === undefined || item.execution === 'server') return undefined;
  const keys = type === 'mcp_approval_response' ? ['approval_request_id'] : ['call_id', 'output', 'tools'];
  const rest = omitFields(item, 'type', ...keys);
  const fields = {
    ...(type === 'function_call_output' ? {} : { type }),
    ...(type === 'shell_call_output' ? { chunks: asList(item.output).map(chunkFields) } : {}),
    ...(Object.keys(rest).length === 0 ? {} : { item: rest }),
  };
  const failed = type === 'apply_patch_call_output' && item.status === 'failed';
  return {
    type: 'result',
    callId,
    content: contentOf(item, type),
    ...(failed ? { isError: true } : {}),
    ...native(RESPONSES, fields),
  };
}

/** A local shell's answer names the call by the item's id or by the call's; which, its documentation leaves open. */
function findCallId(item: Fields, type: string, calls: ReadonlyMap<string, string>): string | undefined {
  if (type === 'mcp_approval_response') return asString(item.approval_request_id);
  if (type !== 'local_shell_call_output') return asString(item.call_id);
  const id = asString(item.call_id) ?? asString(item.id);
  return id === undefined ? undefined : (calls.get(id) ?? id);
}

function contentOf(item: Fields, type: string): readonly ContentPart[] {
  switch (type) {
    case 'shell_call_output':
      return asList(item.output).flatMap(readChunk);
    case 'tool_search_output':
      return [nativePart(RESPONSES, item.tools)];
    case 'mcp_approval_response':
      return [
        {
          type: 'text',
          text: [item.approve === true ? 'approved' : 'denied', asString(item.reason) ?? ''].join(' ').trim(),
        },
      ];
    case 'computer_call_output': {
      const media = isFields(item.output) ? readMedia(item.output) : undefined;
      return [media ?? nativePart(RESPONSES, item.output)];
    }
    default:
      return readPieces(item.output);
  }
}

const chunkFields = (chunk: unknown): Fields => omitFields(asFields(chunk), 'stdout', 'stderr');

function readChunk(given: unknown, chunk: number): readonly ContentPart[] {
  return (['stdout', 'stderr'] as const).flatMap((stream) => {
    const said = asString(asFields(given)[stream]) ?? '';
    return isBlank(said) ? [] : [{ type: 'text' as const, text: said, ...native(RESPONSES, { chunk, stream }) }];
  });
}
