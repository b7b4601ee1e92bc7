import { type Part, text } from '@palimpsest/core';
import { asList, asString, type Fields } from '@palimpsest/core/json';
import { readBlocks } from '../../content/anthropic-blocks.ts';
import type { AuthoredPart } from '../../content/authored-part.ts';
import { attributeParts } from '../../content/authored-part.ts';
import { asFieldsOrNone, asWord, getField } from '../../fields.ts';

/** Attachments that only the screen or the host itself uses. */
const NEVER_SHOWN = new Set([
  'command_permissions',
  'hook_system_message',
  'hook_cancelled',
  'hook_non_blocking_error',
  'hook_error_during_execution',
  'structured_output',
]);

const joinItems = (value: unknown): string =>
  asList(value)
    .map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
    .join('\n');

/** The text an attachment holds, wherever its type keeps it. */
function findBody(attachment: Fields): string {
  const { content } = attachment;
  const file = asFieldsOrNone(getField(content, 'file'));
  if (file !== undefined) return asString(file.content) ?? '';
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return joinItems(content);
  if (typeof getField(content, 'content') === 'string') return String(getField(content, 'content'));
  const plain = asWord(attachment.snippet) ?? asWord(attachment.text) ?? asWord(attachment.message);
  if (plain !== undefined) return plain;
  return joinItems(attachment.addedLines ?? attachment.addedBlocks ?? attachment.addedNames);
}

/** What of an attachment the model was shown. The host words it anew each time; the recording holds only the substance. */
export function readAttachment(attachment: Fields): readonly AuthoredPart[] {
  const type = asString(attachment.type) ?? 'attachment';
  if (NEVER_SHOWN.has(type)) return [];
  if (type === 'queued_command') {
    // Typed by the user while the model was working, unless a background task reports.
    const parts = readBlocks(attachment.prompt);
    return attributeParts(
      parts,
      attachment.commandMode === 'prompt' || attachment.commandMode === undefined ? undefined : 'harness',
    );
  }
  const event = attachment.hookEvent;
  if (type === 'hook_success' && event !== 'SessionStart' && event !== 'UserPromptSubmit') return [];
  const name =
    asWord(attachment.filename) ??
    asWord(attachment.path) ??
    asWord(attachment.planFilePath) ??
    asWord(attachment.newDate);
  const body = findBody(attachment);
  if (name === undefined && body === '') return [];
  const head = `[${type}${name === undefined ? '' : `: ${name}`}]`;
  const part: Part = text(body === '' ? head : `${head}\n${body}`);
  return [{ part, origin: 'harness' }];
}
