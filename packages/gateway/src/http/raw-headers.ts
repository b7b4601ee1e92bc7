/** Names and values in turn, in the order and the spelling in which they came: name, value, name, value. */
export type RawHeaders = readonly string[];

/** The first value under a name; names are the same in any case of letters. */
export function findHeader(headers: RawHeaders, name: string): string | undefined {
  for (let i = 0; i + 1 < headers.length; i += 2) if (headers[i]?.toLowerCase() === name) return headers[i + 1];
  return undefined;
}

/** What `keep` says of each pair: its value, another one, or undefined to leave it out. */
export function mapHeaders(
  headers: RawHeaders,
  keep: (name: string, value: string) => string | undefined,
): readonly string[] {
  const made: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    const value = keep(name.toLowerCase(), headers[i + 1] ?? '');
    if (value !== undefined) made.push(name, value);
  }
  return made;
}

export const omitHeaders = (headers: RawHeaders, names: ReadonlySet<string>): readonly string[] =>
  mapHeaders(headers, (name, value) => (names.has(name) ? undefined : value));

/** Another value in the place of one that is there; behind all others where it is not. */
export function setHeader(headers: RawHeaders, name: string, value: string): readonly string[] {
  if (findHeader(headers, name) === undefined) return [...headers, name, value];
  return mapHeaders(headers, (one, old) => (one === name ? value : old));
}

/** They are about one connection, and a gateway has two. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
];

/** All but those that end at this hop, and those that the `connection` header names as such. */
export function omitHopByHop(headers: RawHeaders): readonly string[] {
  const named = (findHeader(headers, 'connection') ?? '').toLowerCase().split(',');
  return omitHeaders(headers, new Set([...HOP_BY_HOP, ...named.map((one) => one.trim())]));
}
