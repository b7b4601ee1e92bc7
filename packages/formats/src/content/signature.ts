import type { Json } from '@palimpsest/core';

/**
 * A signature, and whose it is: under the name of the wire that can send it back. It is worth something to its own
 * provider only, and one that no wire knows is sent to none.
 */
export const signatureFields = (
  wire: string,
  signature: string | undefined,
  fields: { readonly [key: string]: Json } = {},
): { readonly signature?: string; readonly native?: Json } =>
  signature === undefined ? {} : { signature, native: { [wire]: fields } };
