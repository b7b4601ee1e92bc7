import { StoreError } from '@palimpsest/store';

/** A failure that may pass by itself: the server restarts, is full, or is slow. */
export class Passing extends Error {
  override readonly name = 'Passing';
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const messageOf = (error: unknown): string => {
  // Where a name has several addresses, each of them failed; the first says enough.
  const one = error instanceof AggregateError && error.message === '' ? error.errors[0] : error;
  return one instanceof Error ? one.message : String(one);
};

/** Classes and codes of SQLSTATE that pass: connections, resources, an operator's work, conflicts of transactions. */
const PASSING_STATES = /^(?:08|53[^1]|57|40|55P03|25006|25P0[34])/;
const PASSING_ERRNOS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** What `pg` itself says of a connection that is gone; it has no codes for that. */
const GONE = /^Connection terminated|not queryable|^timeout exceeded when trying to connect|^Query read timeout/;

/** Whether the same thing may be tried again: nothing is wrong with what was asked. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Passing ||
  PASSING_STATES.test(codeOf(error)) ||
  PASSING_ERRNOS.has(codeOf(error)) ||
  GONE.test(messageOf(error));

/**
 * What is kept of the server's error. Not the error itself: what `pg` hangs on one may lead to the connection, and that to
 * the password.
 */
const causeOf = (error: unknown): Error => Object.assign(new Error(messageOf(error)), { code: codeOf(error) });

/** What to do, by SQLSTATE, for failures that no waiting mends. */
const ADVICE: readonly (readonly [states: RegExp, advice: string])[] = [
  [/^28/, 'Check the user name and the password in `connectionString`, and what pg_hba.conf says of them.'],
  [/^3D000$/, 'Create the database (createdb), or name another one in `connectionString`.'],
  [
    /^42501$/,
    'Let its owner run `migratePostgres` once and grant the user the rights that the README names, or connect as the owner.',
  ],
];

/** The server's or the driver's error as the store's own; a StoreError passes unchanged. */
export function toServerError(error: unknown, doing: string): StoreError {
  if (error instanceof StoreError) return error;
  const about = { cause: causeOf(error) };
  const code = codeOf(error);
  const why = messageOf(error);
  if (code === 'ERR_INVALID_URL')
    // Without the cause: it holds the whole string.
    return new StoreError(
      'bad-option',
      '`connectionString` must be like postgres://user:password@host:5432/database; what is special in a URL (@ : / ? #) is written as %40 and so on inside a password',
    );
  if (why.includes('after calling end on the pool'))
    return new StoreError('closed', `${doing} failed: the store or its pool was closed. Make another one.`, about);
  const advice =
    ADVICE.find(([states]) => states.test(code))?.[1] ?? (why.startsWith('SASL') ? ADVICE[0]?.[1] : undefined);
  if (advice !== undefined) return new StoreError('denied', `${doing} was refused (${why}). ${advice}`, about);
  if (code === '53100')
    return new StoreError('disk-full', `no room left on the server while ${doing} (${why}): make room there`, about);
  if (isPassing(error))
    return new StoreError(
      'unavailable',
      `${doing} failed because the server cannot be reached or is too slow (${why}). Nothing acknowledged is lost; try again when it is back.`,
      about,
    );
  return new StoreError('io', `${doing} failed (${why}): see the server's log`, about);
}
