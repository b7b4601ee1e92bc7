import type { ToolNameMap } from '@palimpsest/wire';
import { omitHeaders } from '../http/raw-headers.ts';
import type { Inbound } from '../http/send-upstream.ts';

const SIZED = new Set(['content-length']);

/** The answer with the client's own names of tools, where some went out under others. No other byte changes. */
export function restoreNamesIn(inbound: Inbound, names: ToolNameMap | undefined): Inbound {
  if (names === undefined) return inbound;
  const headers = omitHeaders(inbound.headers, SIZED);
  return { ...inbound, headers, body: renameLines(inbound.body, names) };
}

/** Names that went out have a hash in them, so nothing else reads like one. */
async function* renameLines(body: AsyncIterable<Buffer>, names: ToolNameMap): AsyncGenerator<Buffer> {
  const pattern = new RegExp(`("name"\\s*:\\s*)"(${Object.keys(names).join('|')})"`, 'g');
  const restore = (text: string): Buffer =>
    Buffer.from(text.replace(pattern, (_, lead: string, name: string) => `${lead}${JSON.stringify(names[name])}`));
  let begun: Buffer = Buffer.alloc(0);
  for await (const chunk of body) {
    const all = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
    const end = all.lastIndexOf('\n') + 1;
    begun = all.subarray(end);
    if (end > 0) yield restore(all.subarray(0, end).toString('utf8'));
  }
  if (begun.length > 0) yield restore(begun.toString('utf8'));
}
