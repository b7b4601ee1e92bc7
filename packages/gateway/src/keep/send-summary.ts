import { Readable } from 'node:stream';
import type { SendUpstream } from '@palimpsest/sdk/keeper';
import { mapHeaders, type RawHeaders, setHeader } from '../http/raw-headers.ts';
import type { Outbound, Sender } from '../http/send-upstream.ts';
import { writeBody } from '../http/write-body.ts';

/** The newest request of a conversation, as far as a request for a summary repeats it. */
export type Credentials = Pick<Outbound, 'origin' | 'path' | 'headers'>;

/** Asks for a summary where the conversation's own requests go, with its client's own key. */
export const sendSummary =
  ({ send }: Sender): SendUpstream =>
  async (body, { credentials, headers: added, signal = new AbortController().signal }) => {
    const { origin, path, headers } = credentials as Credentials;
    const bytes = writeBody(body);
    const {
      status,
      headers: raw,
      body: answer,
    } = await send({
      origin,
      path: path.replace(/:generateContent(?:\?.*)?$/, ':streamGenerateContent?alt=sse'),
      method: 'POST',
      headers: Object.entries(added).reduce(
        (all: RawHeaders, [name, value]) => setHeader(all, name, value),
        setHeader(omitCodings(headers), 'content-length', String(bytes.length)),
      ),
      body: bytes,
      signal,
    });
    const pairs: [string, string][] = [];
    mapHeaders(raw, (name, value) => void pairs.push([name, value]));
    const stream = Readable.toWeb(Readable.from(answer)) as ReadableStream<Uint8Array>;
    return new Response(stream, { status, headers: pairs.filter(([name]) => !HOPS.has(name)) });
  };

const HOPS = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive']);
const CODINGS = new Set(['content-encoding', 'accept-encoding', 'transfer-encoding']);

const omitCodings = (headers: RawHeaders): RawHeaders =>
  mapHeaders(headers, (name, value) => (CODINGS.has(name) ? undefined : value));
