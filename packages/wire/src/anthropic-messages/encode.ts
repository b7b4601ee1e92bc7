import type { CallPart, Message } from '@palimpsest/core';
import { asFields, type Fields, isSameJson } from '@palimpsest/core/json';
import { messageFieldsOf } from '../body/native.ts';
import { OPENING } from '../body/opening.ts';
import { callsIn, closeSeam, type Piece, splice } from '../body/splice.ts';
import { makeWellFormed } from '../body/well-formed.ts';
import type { Encoded, EncodeOptions } from '../wire.ts';
import { keepBreakpoint, placeBreakpoints } from './breakpoints.ts';
import { encodePart, type PartContext } from './encode-part.ts';
import { mendBody } from './mend.ts';
import { addNativeEdits } from './native-edits.ts';
import { ANTHROPIC, type AnthropicBody, type AnthropicSource, readMessages } from './read.ts';
import { isUnpairedServerTool } from './server-tools.ts';

export function encode<B extends AnthropicBody>(
  view: readonly Message[],
  body: B,
  options: EncodeOptions = {},
): Encoded<B> {
  const whole = makeWellFormed(view);
  const { body: laid, headers } = layView(whole, makeWellFormed(body), options);
  return { headers, ...mendBody(laid) };
}

function layView<B extends AnthropicBody>(view: readonly Message[], body: B, options: EncodeOptions): Encoded<B> {
  const reads = readMessages(body);
  const { shared, rest } = closeSeam(splice(view, reads, options.ids), view, reads);
  const unchanged = shared === view.length && shared === reads.length;
  const head = reads.slice(0, shared).flatMap(({ source }) => source.messages) as AnthropicBody['messages'];
  const calls = callsIn(view.slice(0, shared));
  const messages = unchanged ? body.messages : [...head, ...assemble(rest, head, calls)];
  const changed = unchanged ? body : { ...body, messages: keepBreakpoint(messages, body, head.length) };
  const { cacheBreakpoints = false } = options;
  const isPlaced = cacheBreakpoints === 'edited' ? !unchanged : cacheBreakpoints;
  const placed = isPlaced ? placeBreakpoints(changed) : changed;
  return addNativeEdits(placed as B, options.nativeEdits ?? []);
}

interface Row {
  readonly role: string;
  readonly blocks: readonly unknown[];
  /** The caller's own, where it can be sent as it is. */
  readonly verbatim?: readonly unknown[];
  readonly fields: Fields;
}

function assemble(
  pieces: readonly Piece<AnthropicSource>[],
  head: AnthropicBody['messages'],
  calls: Map<string, CallPart>,
): AnthropicBody['messages'] {
  const makeRow = rowMaker(calls);
  const rows: Row[] = [];
  for (const piece of pieces) {
    rows.push(makeRow(piece));
  }
  const said = [...head.map(asFields).map(({ role, content }) => ({ role, blocks: content })), ...rows];
  const unpaired = isUnpairedServerTool(said.flatMap(({ role, blocks }) => (role === 'assistant' ? [blocks] : [])));
  const paired = rows.map((row) =>
    row.blocks.some(unpaired)
      ? replaceBlocks(
          row,
          row.blocks.filter((block) => !unpaired(block)),
        )
      : row,
  );
  const ordered = resultsFirst(merge(paired.filter(saysAnything)));
  const turns = ordered.map(trimEnd);
  const solid = merge(turns.filter(saysAnything));
  const begins = solid[0];
  if (head.length === 0 && begins?.role === 'assistant' && asFields(begins.blocks[0]).type !== 'compaction')
    solid.unshift({ role: 'user', blocks: [{ type: 'text', text: OPENING }], fields: {} });
  const messages: unknown[] = [];
  for (const row of solid) {
    if (row.verbatim === undefined) messages.push({ role: row.role, ...row.fields, content: row.blocks });
    else messages.push(...row.verbatim);
  }
  return messages as AnthropicBody['messages'];
}

function rowMaker(calls: Map<string, CallPart>): (piece: Piece<AnthropicSource>) => Row {
  return (piece) => {
    const { message, read, exact } = piece;
    for (const part of message.parts) if (part.type === 'call') calls.set(part.callId, part);
    const { role: given, ...fields } = messageFieldsOf(message, ANTHROPIC);
    const role = given === 'system' ? given : message.role;
    const context = { role: message.role, call: (id: string) => calls.get(id) };
    const row = { role, fields };
    if (!exact || read === undefined) return { ...row, blocks: blocksOf(piece, context) };
    return {
      ...row,
      blocks: read.source.blocks.filter((block) => block !== undefined),
      verbatim: read.source.messages,
    };
  };
}

/** The caller's own blocks where the parts are still the same; an edited result keeps the breakpoint it had. */
function blocksOf({ message, read }: Piece<AnthropicSource>, context: PartContext): readonly unknown[] {
  let from = 0;
  return message.parts.flatMap((part): readonly unknown[] => {
    const at = read?.parts.findIndex((one, i) => i >= from && (isSameJson(one, part) || isSameAnswer(one, part))) ?? -1;
    const source = at < 0 ? undefined : read!.source.blocks[at];
    if (at >= 0) from = at + 1;
    if (source !== undefined && isSameJson(read!.parts[at], part)) return [source];
    const { cache_control } = asFields(source);
    const blocks = encodePart(part, context);
    return cache_control === undefined
      ? blocks
      : blocks.map((block, i) => (i === 0 ? { ...block, cache_control } : block));
  });
}

const isSameAnswer = (a: Message['parts'][number], b: Message['parts'][number]): boolean =>
  (a.type === 'call' || a.type === 'result') && a.type === b.type && a.callId === b.callId;

const saysAnything = (row: Row): boolean =>
  row.blocks.length > 0 || (row.role === 'system' && Object.keys(row.fields).length > 0);

const replaceBlocks = (row: Row, blocks: readonly unknown[]): Row => ({ role: row.role, blocks, fields: row.fields });

/** Neighbours of one role become one message, as the server would read them anyway; system messages stay their own. */
function merge(rows: readonly Row[]): Row[] {
  const merged: Row[] = [];
  for (const row of rows) {
    const last = merged.at(-1);
    if (last === undefined || last.role !== row.role || row.role === 'system') merged.push(row);
    else merged[merged.length - 1] = replaceBlocks(last, [...last.blocks, ...row.blocks]);
  }
  return merged;
}

const isResult = (block: unknown): boolean => asFields(block).type === 'tool_result';

/** All results of a run between two assistant messages go to its start, before any text. */
function resultsFirst(rows: readonly Row[]): readonly Row[] {
  const ordered: Row[] = [];
  for (let start = 0; start < rows.length; ) {
    let end = start;
    while (end < rows.length && rows[end]!.role !== 'assistant') end++;
    const run = rows.slice(start, end);
    const results = run.flatMap((row) => row.blocks.filter(isResult));
    const lead = run[0]?.role === 'user' ? run[0].blocks.findIndex((block) => !isResult(block)) : 0;
    if (results.length === 0 || results.length === (lead < 0 ? run[0]!.blocks.length : lead)) ordered.push(...run);
    else
      ordered.push(
        { role: 'user', blocks: results, fields: {} },
        ...run.map((row) =>
          replaceBlocks(
            row,
            row.blocks.filter((b) => !isResult(b)),
          ),
        ),
      );
    if (end < rows.length) ordered.push(rows[end++]!);
    start = end;
  }
  return ordered;
}

const THINKING = ['thinking', 'redacted_thinking'];

/** "The final block in an assistant message cannot be thinking": it came before something that is gone. */
function trimEnd(row: Row, index: number, rows: readonly Row[]): Row {
  if (row.role !== 'assistant' || row.verbatim !== undefined) return row;
  const end = row.blocks.findLastIndex((block) => !THINKING.includes(String(asFields(block).type))) + 1;
  const blocks = end === row.blocks.length ? row.blocks : row.blocks.slice(0, end);
  const last = asFields(blocks.at(-1));
  if (index < rows.length - 1 || last.type !== 'text') return blocks === row.blocks ? row : replaceBlocks(row, blocks);
  // The final assistant message may not end in white space.
  return replaceBlocks(row, [...blocks.slice(0, -1), { ...last, text: String(last.text).trimEnd() }]);
}
