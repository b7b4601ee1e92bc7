import { type MissingText, type PresetName, presets } from '@palimpsest/core';
import { asString, type Fields } from '@palimpsest/core/json';
import type { RequestLine } from '../account/request-line.ts';
import { DIALECTS } from '../dialects/dialect.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { makeOutbound } from '../exchange/forward.ts';
import { findModelInPath } from '../exchange/route.ts';
import type { GatewayState } from '../gateway-state.ts';
import { BodyError } from '../http/body-error.ts';
import { findHeader, type RawHeaders } from '../http/raw-headers.ts';
import { describeFailure, keepRequest } from '../keep/keep-request.ts';
import { createKeptTurn, type KeptTurn } from '../keep/kept-turn.ts';
import type { BodyHandle } from '../keep/open-body.ts';
import { MOST_NAME_CHARS } from '../keep/windows.ts';
import type { Round } from '../recall/hidden-rounds.ts';
import { askWindow } from './ask-window.ts';
import { findOwners, type Owners } from './owners.ts';
import type { Settled } from './pass-request.ts';

/** A body that says something which could be kept. */
export interface Asked {
  readonly body: BodyHandle;
  /** Its fields without what was said. */
  readonly brief: Fields;
  /** Fields that are left out of what is sent. */
  readonly omitted: readonly string[];
  readonly model: string;
  readonly window: number | undefined;
  readonly owners: Owners;
  /** The gateway's own recall is among the tools, and these rounds of this request went before: no other recall knows its references. */
  readonly rounds?: readonly Round[];
}

const LISTS: Readonly<Record<string, string>> = {
  anthropic: 'messages',
  'openai-chat': 'messages',
  gemini: 'contents',
};

/** What a body asks for; undefined for one that says nothing that could be kept, or that could not be read now. */
export async function readAsked(
  state: GatewayState,
  exchange: Exchange,
  { route, destination }: Settled,
  body: BodyHandle,
): Promise<Asked | undefined> {
  const opened = await body.open().catch((error: unknown) => notePassed(exchange, describeFailure(error)));
  if (opened === undefined) return undefined;
  const { refused, size, brief } = opened;
  if (refused !== undefined) throw new BodyError(refused.status, refused.message);
  if (size === undefined) {
    const coding = findHeader(exchange.headers, 'content-encoding') ?? '';
    return notePassed(exchange, `its body cannot be decompressed (${coding.slice(0, 40)})`);
  }
  if (brief === undefined) return undefined;
  const model = asString(brief.model) ?? findModelInPath(destination.pathname) ?? '';
  const owners = findOwners(state, exchange, brief);
  exchange.line.model = model.slice(0, MOST_NAME_CHARS);
  exchange.line.tenant = owners.tenant.slice(0, 8);
  // The body may name the account behind a login.
  if (exchange.tenant !== undefined) exchange.tenant = owners.tenant;
  const list = LISTS[route.api];
  if (list !== undefined && !Array.isArray(brief[list])) return undefined;
  const stated = Number(findHeader(exchange.headers, 'x-palimpsest-window') ?? Number.NaN);
  const isStated = Number.isSafeInteger(stated) && stated > 0;
  const window = isStated ? stated : state.windows.find(model, destination.upstream.name);
  return { body, brief, omitted: [], model, owners, window };
}

/** A body with more bytes than these for each token of its window is too long, or as good as: hardly a text takes more for a token. */
const MOST_BYTES = 4;

/** What goes in the place of a body; undefined where it goes as it came. `no-tool`: it cannot have the recall tool. */
export async function keepAsked(
  state: GatewayState,
  exchange: Exchange,
  settled: Settled,
  { body, omitted, model, window: stated, owners, rounds }: Asked,
  kind: 'keep' | 'spare' = 'keep',
): Promise<KeptTurn | 'no-tool' | undefined> {
  const { route, destination, change } = settled;
  const { headers, signal } = exchange;
  const limits = state[kind];
  if (limits === undefined || isSwitchedOff(exchange)) return undefined;
  const window = stated ?? (await askWindow(state, exchange, settled, { model, tenant: owners.tenant }));
  if (window === undefined) return notePassed(exchange, `the window of ${exchange.line.model} is not known (--window)`);
  const isTooLong = exchange.line.bytesIn > window * MOST_BYTES;
  const patienceMs = isTooLong ? (limits.longPatienceMs ?? limits.patienceMs) : limits.patienceMs;
  const how = {
    omitted,
    model,
    tenant: owners.tenant,
    group: owners.id,
    window,
    preset: findPreset(state, headers),
    betas: findHeader(headers, 'anthropic-beta'),
    credentials: describeOutbound(makeOutbound(exchange, destination, undefined, change)),
    isSpare: kind === 'spare',
    isUnmanaged: state.unmanaged.has(destination.upstream.name),
    ...(rounds === undefined ? {} : { rounds }),
  };
  const outcome = await keepRequest({ ...limits, patienceMs }, signal, (until) =>
    body.ask((keeper, id) => keeper.keep(id, how, until)),
  );
  if ('why' in outcome) return notePassed(exchange, outcome.why);
  const { kept } = outcome;
  if (kept.type === 'no-tool') return 'no-tool';
  if (kept.type === 'not-kept') return kept.why === undefined ? undefined : notePassed(exchange, kept.why);
  const turn = createKeptTurn(kept.view, body, DIALECTS[route.api].wire);
  noteKept(state, exchange, turn, owners);
  return turn;
}

/** As far as a request for a summary repeats it. */
const describeOutbound = ({ origin, path, headers }: ReturnType<typeof makeOutbound>) => ({ origin, path, headers });

/** An answer of fewer tokens is cut off in its first words. */
const LEAST_ANSWER = 512;
const LEAST_SHARE = 0.05;
/** An estimate that no report has corrected is at most this multiple of the truth. */
const MOST_OVERESTIMATE = 1.6;

/** Notes where system prompt and tools leave no compaction anything to do, and refuses where they leave no room for an answer. */
export function requireRoom({ crowded, tokens }: KeptTurn, { line }: Exchange): void {
  if (crowded === undefined) return;
  const [fixed, window] = [crowded.fixed, crowded.window].map((count) => count.toLocaleString('en-US'));
  line.crowded = `the window of ${window} tokens is too small for this client, whose system prompt and tools take about ${fixed}`;
  const least = crowded.isMeasured ? tokens : tokens / MOST_OVERESTIMATE;
  if (crowded.window - least < Math.min(LEAST_ANSWER, crowded.window * LEAST_SHARE))
    throw new BodyError(400, `${line.crowded}; state a larger window (--window) or let the client send fewer tools`);
}

/** What the request asks for, else what the gateway was told. */
function findPreset({ options }: GatewayState, headers: RawHeaders): PresetName | undefined {
  const asked = findHeader(headers, 'x-palimpsest-preset') ?? '';
  return Object.hasOwn(presets, asked) ? (asked as PresetName) : options.preset;
}

export function isSwitchedOff({ headers }: Exchange): boolean {
  const off = findHeader(headers, 'x-palimpsest-off');
  return off !== undefined && off !== '0' && off !== 'false';
}

/** Told once, of the request's first round. */
function noteKept(state: GatewayState, { line, ownHeaders }: Exchange, kept: KeptTurn, owners: Owners): void {
  if (line.session !== undefined) return;
  line.session = kept.id;
  line.tokens = { before: kept.tokensBefore, after: kept.tokens };
  ownHeaders.push('x-palimpsest-session', kept.id, 'x-palimpsest-tokens', `${kept.tokensBefore}/${kept.tokens}`);
  const { missing } = kept;
  if (missing !== undefined) {
    line.missing = countReasons(missing);
    ownHeaders.push('x-palimpsest-missing', describeMissing(missing));
  }
  if (kept.receipt === undefined) return;
  line.compacted = true;
  line.compaction = { before: kept.receipt.tokensBefore, after: kept.receipt.tokensAfter };
  state.receipts.file(owners.all, { request: line.id, session: kept.id, at: line.at, receipt: kept.receipt });
  ownHeaders.push('x-palimpsest-compacted', 'true', 'x-palimpsest-receipt', `/palimpsest/receipts/${line.id}`);
}

/** How many texts of users and clients the request does not show as they were written, by the reason. */
function countReasons(missing: readonly MissingText[]): NonNullable<RequestLine['missing']> {
  const counts: Partial<Record<MissingText['reason'], number>> = {};
  for (const { reason } of missing) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

/** So many messages of a reason are named in a header. */
const MOST_NAMED = 8;

/** `no-room 2 (m4 m9), replaced 3`: each named message can be recalled. What newer text replaced, or a tool printed, is only counted. */
const describeMissing = (missing: readonly MissingText[]): string =>
  Object.entries(countReasons(missing))
    .map(([reason, count]) => {
      const isNamed = reason !== 'replaced' && reason !== 'tool-output';
      const ids = missing.filter((one) => isNamed && one.reason === reason).map(({ message }) => message);
      const named = [...new Set(ids)].slice(0, MOST_NAMED).join(' ');
      return named === '' ? `${reason} ${count}` : `${reason} ${count} (${named})`;
    })
    .join(', ')
    .replace(/[^\x20-\x7e]/g, '?');

/** The client and the log hear of it, once. */
export function notePassed({ line, ownHeaders }: Exchange, why: string): undefined {
  if (line.passed !== undefined) return;
  line.passed = why;
  // A header holds no more than plain characters.
  ownHeaders.push('x-palimpsest-passed', why.replace(/[^\x20-\x7e]/g, '?'));
}
