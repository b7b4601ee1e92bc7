import type { CallPart, Json, Part } from '@palimpsest/core';
import { text } from '@palimpsest/core';

/** Tool calls that a model wrote as markup into its text, as agents without native tools have it do. */

type Params = { [key: string]: Json };

/** Elements whose text is anybody's code: what looks like markup in it is none. */
const OPAQUE = new Set([
  'content',
  'diff',
  'search',
  'replace',
  'command',
  'result',
  'todos',
  'question',
  'regex',
  'arguments',
]);

/** `<path>a</path><line>3</line>` as fields; undefined when there are no elements. */
export function readParams(markup: string): Params | undefined {
  const params: Params = {};
  const files: Json[] = [];
  const element = /<([a-z_]+)>/g;
  for (let found = element.exec(markup); found !== null; found = element.exec(markup)) {
    const name = found[1]!;
    const from = element.lastIndex;
    const close = `</${name}>`;
    const to = OPAQUE.has(name) ? markup.lastIndexOf(close) : markup.indexOf(close, from);
    if (to < from) continue;
    const inner = markup.slice(from, to);
    const nested = OPAQUE.has(name) ? undefined : readParams(inner);
    if (name === 'args' && nested !== undefined) Object.assign(params, nested);
    else if (name === 'file' && nested !== undefined) files.push(nested);
    else params[name] = nested ?? inner.trim();
    element.lastIndex = to + close.length;
  }
  if (files.length === 1) Object.assign(params, files[0]);
  else if (files.length > 1) params.files = files;
  return Object.keys(params).length === 0 ? undefined : params;
}

/** The text with the last `<tool>…</tool>` in it turned into a call; undefined when there is none. */
export function readMarkupCall(words: string, tool: string, callId: string): readonly Part[] | undefined {
  const close = `</${tool}>`;
  const to = words.lastIndexOf(close);
  const from = words.indexOf(`<${tool}>`);
  if (from < 0 || to < from) return undefined;
  const inner = words.slice(from + tool.length + 2, to);
  const call: CallPart = { type: 'call', callId, tool, input: readParams(inner) ?? {} };
  const [before, after] = [words.slice(0, from).trimEnd(), words.slice(to + close.length).trim()];
  return [...(before === '' ? [] : [text(before)]), ...(after === '' ? [] : [text(after)]), call];
}
