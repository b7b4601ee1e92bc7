import type { ToolNameMap } from '@palimpsest/wire';

/** The response with the host's own names of tools, where some went out under others; else the very same. */
export function restoreNamesIn(response: Response, names: ToolNameMap | undefined): Response {
  if (names === undefined || response.body === null) return response;
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  const { status, statusText, url } = response;
  const made = new Response(response.body.pipeThrough(renameLines(names)), { status, statusText, headers });
  return Object.defineProperty(made, 'url', { value: url });
}

/** No other byte changes. Names that went out have a hash in them, so nothing else reads like one. */
function renameLines(names: ToolNameMap): TransformStream<Uint8Array, Uint8Array> {
  const named = new RegExp(`("name"\\s*:\\s*)"(${Object.keys(names).join('|')})"`, 'g');
  const restore = (text: string): string =>
    text.replace(named, (_, lead: string, name: string) => `${lead}${JSON.stringify(names[name])}`);
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let begun = '';
  return new TransformStream({
    transform(chunk, controller) {
      const text = begun + decoder.decode(chunk, { stream: true });
      const end = text.lastIndexOf('\n') + 1;
      begun = text.slice(end);
      if (end > 0) controller.enqueue(encoder.encode(restore(text.slice(0, end))));
    },
    flush(controller) {
      const rest = restore(begun + decoder.decode());
      if (rest !== '') controller.enqueue(encoder.encode(rest));
    },
  });
}
