import type { Fields } from '@palimpsest/core/json';
import { asFieldsOrNone } from './fields.ts';
import { FormatError } from './format-error.ts';
import { readers } from './readers/index.ts';
import { findFirstLine, hasSecondRecord, readJsonLines } from './readers/json-lines.ts';
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

const decodeText = (source: SessionSource): string =>
  typeof source === 'string' ? source : new TextDecoder().decode(source);

/** A byte order mark is no blank to JSON.parse. */
function parseDocument(text: string): { readonly value?: unknown; readonly error?: unknown } {
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')) };
  } catch (error) {
    return { error };
  }
}

/** Neither is there when the source is no JSON at all; a source of one line may be both. */
function openSource(source: SessionSource): Opened {
  const first = findFirstLine(source);
  const record = asFieldsOrNone(parseDocument(first).value);
  if (record !== undefined && hasSecondRecord(source)) return { sample: takeSample(source) };
  const { value, error } = parseDocument(decodeText(source));
  if (error === undefined) return record === undefined ? { document: value } : { document: value, sample: [record] };
  if (record !== undefined) return { sample: [record] };
  if (!/^\s*[[{]/.test(first)) return {};
  throw new FormatError(
    'corrupt',
    `The file begins like JSON but is not whole (${(error as Error).message}). Copy it again, or export the session again.`,
    error,
  );
}

function takeSample(source: SessionSource): readonly Fields[] {
  const sample: Fields[] = [];
  for (const { record } of readJsonLines(source)) if (sample.push(record) === SAMPLE_RECORDS) break;
  return sample;
}

function findReader({ sample, document }: Opened): Reader | undefined {
  return readers.find(
    (reader) =>
      (document !== undefined && reader.document?.recognizes(document) === true) ||
      (sample !== undefined && reader.lines?.recognizes(sample) === true),
  );
}

/** Which agent recorded this, told by the content alone. */
export function detectFormat(source: SessionSource): FormatName | undefined {
  try {
    return findReader(openSource(source))?.format;
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

const listFormats = (): string => readers.map((reader) => `- ${reader.format}: ${reader.looksFor}`).join('\n');

/** Reads a recorded session. `format` says which it is when that is known; otherwise the content tells. */
export function readSession(source: SessionSource, options: { readonly format?: FormatName } = {}): Recording {
  const opened = openSource(source);
  const { format } = options;
  const reader = format === undefined ? findReader(opened) : readers.find((one) => one.format === format);
  if (reader === undefined) {
    const what = opened.sample === undefined && opened.document === undefined ? 'no JSON' : 'no session known here';
    throw new FormatError('unknown-format', `This is ${what}. Looked for:\n${listFormats()}`);
  }
  const { sample, document } = opened;
  if (document !== undefined && reader.document?.recognizes(document)) return reader.document.read(document);
  if (sample !== undefined && reader.lines?.recognizes(sample)) return reader.lines.read(source);
  throw new FormatError('corrupt', `This is no session of ${reader.format}. Looked for ${reader.looksFor}.`);
}
