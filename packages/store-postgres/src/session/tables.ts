import type { Database } from '../connection/database.ts';

/** Where the rows of one tenant are, and by what rules they are written. */
export interface Tables {
  readonly database: Database;
  readonly tenant: string;
  /** The schema's name as it stands in statements. */
  readonly quoted: string;
  readonly leaseMs: number;
}
