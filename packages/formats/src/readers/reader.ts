import type { Fields } from '@palimpsest/core/json';
import type { FormatName, Recording } from '../recording/recording.ts';

/** How one format is told from others, and read. Most come in one shape, some in two. */
export interface Reader {
  readonly format: FormatName;
  /** Ends the sentence "… is a session of X when it has". */
  readonly looksFor: string;
  /** One JSON object a line; `recognizes` is shown the first records. */
  readonly lines?: {
    recognizes(records: readonly Fields[]): boolean;
    read(source: string | Uint8Array): Recording;
  };
  /** One JSON document. */
  readonly document?: {
    recognizes(value: unknown): boolean;
    read(value: unknown): Recording;
  };
}
