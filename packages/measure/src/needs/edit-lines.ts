import { type CallPart, type Json, type Message, toolKind } from '@palimpsest/core';
import { asFields, asList, asString } from '@palimpsest/core/json';

/** A shorter line (`}`, `return;`) stands everywhere. */
const SHORTEST = 12;

const OLD_TEXT = ['old_string', 'old_str', 'oldString', 'oldText', 'old_text', 'search', 'old_content'] as const;

function listOldTexts(input: Json): readonly string[] {
  if (typeof input === 'string') return listRemoved(input);
  const fields = asFields(input);
  const own = OLD_TEXT.flatMap((name) => asString(fields[name]) ?? []);
  const nested = asList(fields.edits).flatMap((one) => listOldTexts(one as Json));
  const patches = ['patch', 'patchText', 'diff', 'input'].flatMap((name) => listRemoved(asString(fields[name]) ?? ''));
  return [...own, ...nested, ...patches];
}

/** Runs of lines that a patch takes away. */
function listRemoved(patch: string): readonly string[] {
  if (!/^(?:\*\*\* Begin Patch|@@|--- )/m.test(patch)) return [];
  const runs: string[][] = [];
  let isOpen = false;
  for (const line of patch.split('\n')) {
    const isRemoved = line.startsWith('-') && !line.startsWith('---');
    if (isRemoved && isOpen) runs.at(-1)?.push(line.slice(1));
    else if (isRemoved) runs.push([line.slice(1)]);
    isOpen = isRemoved;
  }
  return runs.map((lines) => lines.join('\n'));
}

const findLongestLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .reduce((longest, line) => (line.length > longest.length ? line : longest), '');

/** Of every text that a message's edits replace, the longest line: an agent must know it to the letter. */
export const listEditLines = (message: Message): readonly string[] =>
  message.role !== 'assistant'
    ? []
    : message.parts
        .filter((part): part is CallPart => part.type === 'call')
        .filter((part) => toolKind(part.tool, part.input) === 'edit')
        .flatMap((part) => listOldTexts(part.input))
        .map(findLongestLine)
        .filter((line) => line.length >= SHORTEST);
