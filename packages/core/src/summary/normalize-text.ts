/** A text as it is compared: one kind of quotation mark, one blank for many, in lower case. */
export const normalizeText = (value: string): string =>
  value
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ')
    .toLowerCase();
