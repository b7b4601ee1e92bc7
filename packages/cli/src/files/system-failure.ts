/** What the operating system refused, in words that say what to do. */

const FULL: readonly (string | undefined)[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export function systemFailure(error: unknown, doing: 'read' | 'write', file: string): Error {
  const code = codeOf(error);
  const why = error instanceof Error ? error.message : String(error);
  const told =
    code === 'ENOENT'
      ? doing === 'read'
        ? `there is no file ${file}`
        : `${file} cannot be written: the folder is not there`
      : code === 'EISDIR'
        ? `${file} is a folder: name a file in it`
        : code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
          ? `no permission to ${doing} ${file}`
          : FULL.includes(code)
            ? `no room left on the disk for ${file}: make room and try again`
            : `${file} could not be ${doing === 'read' ? 'read' : 'written'}: ${why}`;
  return new Error(told, { cause: error });
}
