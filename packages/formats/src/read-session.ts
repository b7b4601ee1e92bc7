import type { Fields } from './fields.ts';
import { fieldsOf } from './fields.ts';
import { FormatError } from './format-error.ts';
import { readers } from './readers/index.ts';
import { firstLine, hasSecondRecord, jsonLines } from './readers/json-lines.ts';
import type { Reader } from './readers/reader.ts';
import type { FormatName, Recording } from './recording/recording.ts';

/** A recording's content, not its path: text, or bytes in UTF-8, which take less memory where it is made of lines. */
export type SessionSource = string | Uint8Array;

/** How many records a recognizer is shown: side lines (titles, snapshots, hooks) may come before the first message. */
const SAMPLE_RECORDS = 64;

interface Opened {
  /** The first records, when the source is one JSON object a line. */
  readonly sample?: readonly Fields[];
  /** The whole, when it is one JSON document. */
  readonly document?: unknown;
}

const textOf = (source: SessionSource): string =>
  (typeof source === 'string' ? source : new TextDecoder().decode(source)).replace(/^\uFEFF/, '');

function parsed(text: string): { readonly value?: unknown; readonly error?: unknown } {
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')) };
  } catch (error) {
    return { error };
  }
}

/** Neither is there when the source is no JSON at all; a source of one line may be both. */
function open(source: SessionSource): Opened {
  const first = firstLine(source);
  const record = fieldsOf(parsed(first).value);
  if (record !== undefined && hasSecondRecord(source)) return { sample: sampleOf(source) };
  const { value, error } = parsed(textOf(source));
  if (error === undefined) return record === undefined ? { document: value } : { document: value, sample: [record] };
  if (record !== undefined) return { sample: [record] };
  if (!/^\s*[[{]/.test(first)) return {};
  throw new FormatError(
    'corrupt',
    `The file begins like JSON but is not whole (${(error as Error).message}). Copy it again, or export the session again.`,
    error,
  );
}

function sampleOf(source: SessionSource): readonly Fields[] {
  const sample: Fields[] = [];
  for (const { record } of jsonLines(source)) if (sample.push(record) === SAMPLE_RECORDS) break;
  return sample;
}

function readerFor({ sample, document }: Opened): Reader | undefined {
  return readers.find(
    (reader) =>
      (document !== undefined && reader.document?.recognizes(document) === true) ||
      (sample !== undefined && reader.lines?.recognizes(sample) === true),
  );
}

/** Which agent recorded this, told by the content alone. */
export function detectFormat(source: SessionSource): FormatName | undefined {
  try {
    return readerFor(open(source))?.format;
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

const lookedFor = (): string => readers.map((reader) => `- ${reader.format}: ${reader.looksFor}`).join('\n');

/** Reads a recorded session. `format` says which it is when that is known; otherwise the content tells. */
export function readSession(source: SessionSource, options: { readonly format?: FormatName } = {}): Recording {
  const opened = open(source);
  const { format } = options;
  const reader = format === undefined ? readerFor(opened) : readers.find((one) => one.format === format);
  if (reader === undefined) {
    const what = opened.sample === undefined && opened.document === undefined ? 'no JSON' : 'no session known here';
    throw new FormatError('unknown-format', `This is ${what}. Looked for:\n${lookedFor()}`);
  }
  const { sample, document } = opened;
  if (document !== undefined && reader.document?.recognizes(document)) return reader.document.read(document);
  if (sample !== undefined && reader.lines?.recognizes(sample)) return reader.lines.read(source);
  throw new FormatError('corrupt', `This is no session of ${reader.format}. Looked for ${reader.looksFor}.`);
}
