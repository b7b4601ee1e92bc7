import { type PresetName, presets } from '@palimpsest/core';
import { asString, type Fields } from '@palimpsest/core/json';
import type { KeptBody, KeptRequest } from '@palimpsest/sdk/keeper';
import { DIALECTS } from '../dialects/dialect.ts';
import { refuseClient } from '../exchange/answer-client.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { makeOutbound } from '../exchange/forward.ts';
import { findModelInPath } from '../exchange/route.ts';
import type { GatewayState } from '../gateway-state.ts';
import { BodyError } from '../http/body-error.ts';
import { findHeader, omitHeaders, type RawHeaders, setHeader } from '../http/raw-headers.ts';
import { keepRequest } from '../keep/keep-request.ts';
import { hearAnswer } from './hear-answer.ts';
import { findOwners, type Owners } from './owners.ts';
import { type Settled, sendOn } from './pass-request.ts';
import { type ReadRequest, readRequest } from './read-request.ts';

/** A request of a conversation: kept within its window where that can be, and passed on as it came where not. */
export async function converse(state: GatewayState, exchange: Exchange, settled: Settled): Promise<void> {
  const dialect = DIALECTS[settled.route.api];
  let read: ReadRequest;
  try {
    read = await readRequest(exchange, state.mostBodyBytes);
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    return refuseClient(exchange, dialect, { status: error.status, message: `palimpsest: ${error.message}` });
  }
  const asked = readAsked(state, exchange, settled, read);
  let kept = asked === undefined ? undefined : await keepAsked(state, exchange, settled, asked);
  let next: KeptBody | undefined = kept;
  for (let tries = 0; ; tries++) {
    const sent = next?.changed === true ? next : undefined;
    const inbound = await sendOn(state, exchange, settled, makeSent(exchange, settled, read, sent));
    if (inbound === undefined) return;
    const mayRetry = tries < MOST_TRIES && (kept !== undefined || asked?.window === undefined);
    const { smaller, overflow } = await hearAnswer(state, exchange, settled, inbound, kept, mayRetry);
    if (smaller === undefined && overflow === undefined) return;
    next = smaller;
    if (overflow?.maximum !== undefined && asked !== undefined) {
      state.windows.learn(asked.model, overflow.maximum);
      kept = await keepAsked(state, exchange, settled, { ...asked, window: overflow.maximum });
      next = kept;
    }
  }
}

/** The first answer and so many more. */
const MOST_TRIES = 4;

interface Asked {
  readonly body: Fields;
  readonly model: string;
  readonly window: number | undefined;
  readonly owners: Owners;
}

const LISTS: Readonly<Record<string, string>> = {
  anthropic: 'messages',
  'openai-chat': 'messages',
  gemini: 'contents',
};

/** What a body asks for; undefined for one that says nothing that could be kept. */
function readAsked(
  state: GatewayState,
  exchange: Exchange,
  { route, destination }: Settled,
  { body }: ReadRequest,
): Asked | undefined {
  if (body === undefined) return undefined;
  const fields = body as Fields;
  const model = asString(fields.model) ?? findModelInPath(destination.pathname) ?? '';
  const owners = findOwners(state, exchange, body);
  exchange.line.model = model;
  exchange.line.tenant = owners.tenant.slice(0, 8);
  const list = LISTS[route.api];
  if (list !== undefined && !Array.isArray(fields[list])) return undefined;
  const stated = Number(findHeader(exchange.headers, 'x-palimpsest-window') ?? Number.NaN);
  return { body: fields, model, owners, window: stated > 0 ? stated : state.windows.find(model) };
}

async function keepAsked(
  state: GatewayState,
  exchange: Exchange,
  { route }: Settled,
  { body, model, window, owners }: Asked,
): Promise<KeptRequest | undefined> {
  const { headers, line, signal } = exchange;
  const off = findHeader(headers, 'x-palimpsest-off');
  if (state.keep === undefined || (off !== undefined && off !== '0' && off !== 'false')) return undefined;
  if (window === undefined) return notePassed(exchange, `the window of ${model} is not known (--window)`);
  const preset = findHeader(headers, 'x-palimpsest-preset');
  const outcome = await keepRequest(state.keep, {
    api: route.api,
    body,
    model,
    tenant: owners.tenant,
    id: owners.id,
    window,
    preset: preset !== undefined && preset in presets ? (preset as PresetName) : undefined,
    betas: findHeader(headers, 'anthropic-beta'),
    credentials: headers,
    signal,
  });
  if ('why' in outcome) return notePassed(exchange, outcome.why);
  const { kept } = outcome;
  if (kept === undefined) return undefined;
  line.session = kept.id;
  line.tokens = { before: kept.tokensBefore, after: kept.tokens };
  exchange.ownHeaders.push(
    ...['x-palimpsest-session', kept.id, 'x-palimpsest-tokens', `${kept.tokensBefore}/${kept.tokens}`],
  );
  if (kept.receipt !== undefined) {
    line.compacted = true;
    state.receipts.file(owners.all, { request: line.id, session: kept.id, at: line.at, receipt: kept.receipt });
    exchange.ownHeaders.push(
      'x-palimpsest-compacted',
      'true',
      'x-palimpsest-receipt',
      `/palimpsest/receipts/${line.id}`,
    );
  }
  return kept;
}

function notePassed({ line, ownHeaders }: Exchange, why: string): undefined {
  line.passed = why;
  // A header holds no more than plain characters.
  ownHeaders.push('x-palimpsest-passed', why.replace(/[^\x20-\x7e]/g, '?'));
}

const BODY_HEADERS = new Set(['content-encoding', 'transfer-encoding']);

/** The client's own bytes, or a changed body in their place. */
function makeSent(exchange: Exchange, { destination, change }: Settled, { bytes }: ReadRequest, sent?: KeptBody) {
  const { line } = exchange;
  const isFirst = line.overheadMs === undefined;
  const body = sent === undefined ? bytes : Buffer.from(JSON.stringify(sent.body));
  const outbound = makeOutbound(exchange, destination, body, (headers) => {
    const own = omitHeaders(change(headers), new Set(sent === undefined ? ['transfer-encoding'] : BODY_HEADERS));
    const sized = setHeader(own, 'content-length', String(body.length));
    return sent === undefined ? sized : joinHeaders(sized, sent.headers);
  });
  if (isFirst) {
    line.overheadMs = exchange.elapsedMs();
    exchange.ownHeaders.push('x-palimpsest-overhead-ms', line.overheadMs.toFixed(1));
  }
  return outbound;
}

/** Lists with commas are joined; what stood in them keeps its order. */
function joinHeaders(headers: RawHeaders, added: Readonly<Record<string, string>>): RawHeaders {
  let joined = headers;
  for (const [name, value] of Object.entries(added)) {
    const before = findHeader(joined, name);
    const known = (before ?? '').split(',').map((one) => one.trim());
    const more = value.split(',').filter((one) => !known.includes(one.trim()));
    if (before === undefined) joined = setHeader(joined, name, value);
    else if (more.length > 0) joined = setHeader(joined, name, [before, ...more].join(','));
  }
  return joined;
}
