import { type Part, text } from '@palimpsest/core';
import { partsFromBlocks } from '../../content/anthropic-blocks.ts';
import type { Tagged } from '../../content/authored-part.ts';
import { tagUser } from '../../content/authored-part.ts';
import { at, type Fields, fieldsOf, listOf, stringOf, wordOf } from '../../fields.ts';

/** Attachments that only the screen or the host itself uses. */
const NEVER_SHOWN = new Set([
  'command_permissions',
  'hook_system_message',
  'hook_cancelled',
  'hook_non_blocking_error',
  'hook_error_during_execution',
  'structured_output',
]);

const linesOf = (value: unknown): string =>
  listOf(value)
    .map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
    .join('\n');

/** The text an attachment holds, wherever its type keeps it. */
function bodyOf(attachment: Fields): string {
  const { content } = attachment;
  const file = fieldsOf(at(content, 'file'));
  if (file !== undefined) return stringOf(file.content) ?? '';
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return linesOf(content);
  if (typeof at(content, 'content') === 'string') return String(at(content, 'content'));
  const plain = wordOf(attachment.snippet) ?? wordOf(attachment.text) ?? wordOf(attachment.message);
  if (plain !== undefined) return plain;
  return linesOf(attachment.addedLines ?? attachment.addedBlocks ?? attachment.addedNames);
}

/** What of an attachment the model was shown. The host words it anew each time; the recording holds only the substance. */
export function attachmentParts(attachment: Fields): readonly Tagged[] {
  const type = stringOf(attachment.type) ?? 'attachment';
  if (NEVER_SHOWN.has(type)) return [];
  if (type === 'queued_command') {
    // Typed by the user while the model was working, unless a background task reports.
    const parts = partsFromBlocks(attachment.prompt);
    return tagUser(
      parts,
      attachment.commandMode === 'prompt' || attachment.commandMode === undefined ? undefined : 'harness',
    );
  }
  const event = attachment.hookEvent;
  if (type === 'hook_success' && event !== 'SessionStart' && event !== 'UserPromptSubmit') return [];
  const name =
    wordOf(attachment.filename) ??
    wordOf(attachment.path) ??
    wordOf(attachment.planFilePath) ??
    wordOf(attachment.newDate);
  const body = bodyOf(attachment);
  if (name === undefined && body === '') return [];
  const head = `[${type}${name === undefined ? '' : `: ${name}`}]`;
  const part: Part = text(body === '' ? head : `${head}\n${body}`);
  return [{ part, origin: 'harness' }];
}
