import { readFile } from 'node:fs/promises';
import { FormatError, type Recording, readSession } from '@palimpsest/formats';
import { systemFailure } from '../files/system-failure.ts';

/** Reads a session that some agent recorded; what cannot be read is one clear error that names the file. */
export async function openRecording(file: string): Promise<Recording> {
  const source = await readFile(file).catch((error: unknown) => {
    throw systemFailure(error, 'read', file);
  });
  if (source.length === 0) throw new Error(`${file} is empty: there is no session in it`);
  try {
    return readSession(source);
  } catch (error) {
    if (error instanceof FormatError) throw new Error(`${file}: ${shortenFailure(error)}`, { cause: error });
    throw error;
  }
}

/** Where nothing fits, the reader lists every format with its marks, a line each; their names are enough here. */
function shortenFailure({ message }: FormatError): string {
  const [first = '', ...looked] = message.split('\n');
  return looked.length === 0
    ? first
    : `${first} ${looked.map((line) => line.replace(/^- ([^:]+):.*$/, '$1')).join(', ')}`;
}
