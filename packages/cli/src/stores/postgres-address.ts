import { oneLine } from '@palimpsest/terminal';
import { UsageError } from '../usage-error.ts';

/** Whether a place is on a Postgres server rather than in a folder. */
export const isPostgresAddress = (place: string): boolean => /^postgres(?:ql)?:\/\//.test(place);

/** Host and database of an address, for people. No part of it is repeated that may be a password, nor where it cannot be read. */
export function tellPostgresPlace(address: string): string {
  if (!isPostgresAddress(address) || !URL.canParse(address))
    throw new UsageError(
      'the address must be like postgres://user:password@host:5432/database; what is special in a URL (@ : / ? #) is written as %40 and so on inside a password.',
    );
  const { host, pathname } = new URL(address);
  return oneLine(`${host}${pathname}`);
}
