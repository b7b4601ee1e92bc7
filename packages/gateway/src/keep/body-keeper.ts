import { estimateMessage, estimateText } from '@palimpsest/core';
import { type Fields, isFields, omitFields, parseJson } from '@palimpsest/core/json';
import { createKeeper, type Keeper, type KeeperOptions, type KeptBody, type KeptRequest } from '@palimpsest/sdk/keeper';
import { apis } from '@palimpsest/wire';
import { decodeBody } from '../dialects/codec.ts';
import { BodyError } from '../http/body-error.ts';
import { type ExactNumbers, findExactNumbers, NO_NUMBERS } from '../http/exact-numbers.ts';
import { inflateBody } from '../http/inflate-body.ts';
import { createSender } from '../http/send-upstream.ts';
import { writeBody } from '../http/write-body.ts';
import { addTool } from '../recall/add-tool.ts';
import { answerRound } from '../recall/answer-round.ts';
import { nameAnswer, type Round, showParts } from '../recall/hidden-rounds.ts';
import { appendRounds, restoreRounds } from '../recall/restore-rounds.ts';
import { createStoredRounds } from '../recall/stored-rounds.ts';
import type { BodyKeeper, KeepAnswer, KeptView, ToKeep, ToOpen, WrittenBody } from './body-types.ts';
import { isUntouched } from './is-untouched.ts';
import { omitManagement } from './omit-management.ts';
import { sendSummary } from './send-summary.ts';
import { findServerHistory } from './server-history.ts';

/** What a body keeper goes by. */
export interface BodyKeeperOptions {
  readonly store?: KeeperOptions['store'];
  readonly live?: KeeperOptions['live'];
  readonly summaries?: 'upstream' | undefined;
  readonly connectMs: number;
}

interface OpenBody {
  readonly api: ToOpen['api'];
  /** Undefined once it is dropped. */
  fields: Fields | undefined;
  plain: Buffer | undefined;
  numbers: ExactNumbers | undefined;
  kept: KeptRequest | undefined;
  /** How it was kept last. */
  how: ToKeep | undefined;
}

const SPARE_LIVE = { conversations: 200, bytes: 128 * 2 ** 20 };
const SAID = ['messages', 'input', 'contents', 'system', 'instructions', 'systemInstruction', 'tools'] as const;

/** In memory, or with a store; everything that is JSON is read and written here. */
export function createBodyKeeper({ store, live, summaries, connectMs }: BodyKeeperOptions): BodyKeeper {
  const sender = summaries === undefined ? undefined : createSender(connectMs);
  const keeper = createKeeper({
    ...(store === undefined ? {} : { store }),
    ...(live === undefined ? {} : { live }),
    ...(sender === undefined ? {} : { summarizer: 'upstream', send: sendSummary(sender) }),
  });
  let spare: Keeper | undefined = store === undefined ? keeper : undefined;
  const hidden = createStoredRounds(store);
  const open = new Map<string, OpenBody>();

  const find = (id: string): OpenBody & { readonly fields: Fields } => {
    const found = open.get(id);
    if (found?.fields === undefined) throw unknownBody();
    return found as OpenBody & { readonly fields: Fields };
  };
  const findKept = (id: string): KeptRequest => {
    const kept = open.get(id)?.kept;
    if (kept === undefined) throw unknownBody();
    return kept;
  };
  const numbersOf = (body: OpenBody): ExactNumbers => {
    body.numbers ??= body.plain === undefined ? NO_NUMBERS : findExactNumbers(body.plain);
    return body.numbers;
  };
  const write = (body: OpenBody, { body: fields, ...kept }: KeptBody, isAlways: boolean): WrittenBody => ({
    ...kept,
    bytes: kept.changed || isAlways ? writeBody(fields, numbersOf(body)) : undefined,
  });

  /** The body with the tool and all hidden rounds; undefined where it cannot have them. */
  async function addRounds(
    { api }: OpenBody,
    fields: Fields,
    tenant: string,
    rounds: readonly Round[],
  ): Promise<Fields | undefined> {
    const withTool = addTool(api, fields);
    if (withTool === undefined) return undefined;
    await hidden.whenReady(tenant);
    const restored = restoreRounds(api, withTool, tenant, hidden);
    return rounds.length === 0 ? restored : appendRounds(api, restored, rounds);
  }

  async function keep(
    body: OpenBody & { readonly fields: Fields },
    how: ToKeep,
    signal: AbortSignal,
  ): Promise<KeepAnswer> {
    const { api } = body;
    const { omitted, tenant, group, betas, isSpare, isUnmanaged, rounds, ...rest } = how;
    const own = omitFields(body.fields, ...omitted);
    const asked = rounds === undefined ? own : await addRounds(body, own, tenant, rounds);
    if (asked === undefined) return { type: 'no-tool' };
    if (isSpare) spare ??= createKeeper({ live: SPARE_LIVE });
    const found = await (isSpare && spare !== undefined ? spare : keeper).keep({
      ...rest,
      wire: api,
      body: asked,
      tenant,
      id: group,
      canRecall: rounds !== undefined,
      ...(betas === undefined ? {} : { headers: { 'anthropic-beta': betas } }),
      signal,
    });
    if (found === undefined) return { type: 'not-kept', why: findServerHistory(api, own) };
    if (signal.aborted) {
      found.release();
      throw signal.reason;
    }
    const kept = isUnmanaged ? omitManagement(found) : found;
    body.kept?.release();
    body.kept = kept;
    body.how = how;
    const changed = kept.changed && !isUntouched(asked, kept, kept);
    return {
      type: 'kept',
      view: describeKept(kept, write(body, { ...pickBody(kept), changed }, rounds !== undefined)),
    };
  }

  return {
    async open({ id, api, bytes, coding, mostBytes }) {
      try {
        const plain = await inflateBody(
          Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength),
          coding,
          mostBytes,
        );
        const value = plain === undefined ? undefined : parseJson(plain.toString('utf8'));
        const fields = isFields(value) ? value : undefined;
        if (fields !== undefined)
          open.set(id, { api, fields, plain, numbers: undefined, kept: undefined, how: undefined });
        return { size: plain?.length, brief: fields === undefined ? undefined : makeBrief(fields) };
      } catch (error) {
        if (!(error instanceof BodyError)) throw error;
        if (error.status === 400) return { size: undefined, brief: undefined };
        return { refused: { status: error.status, message: error.message }, size: undefined, brief: undefined };
      }
    },
    keep: async (id, how, signal) => keep(find(id), how, signal),
    async shrink(id, failure) {
      const body = open.get(id);
      const smaller = await findKept(id).fail(failure);
      return smaller === undefined || body === undefined
        ? undefined
        : write(body, smaller, body.how?.rounds !== undefined);
    },
    async note(id, reported) {
      open.get(id)?.kept?.note(reported);
    },
    async lookUp(id, parts, rounds) {
      const body = find(id);
      const outcome = await answerRound(parts, findKept(id), rounds.length);
      const all = [...rounds, outcome.round];
      const isPlain = all.length === 1 && outcome.round.results.length === 0;
      if (outcome.type === 'last' && !isPlain) {
        const before = decodeBody(body.api, body.fields).at(-1);
        hidden.remember(body.how?.tenant ?? '', nameAnswer(body.api, showParts(all), before), all);
      }
      return outcome;
    },
    write: async (id, omitted) => {
      const body = find(id);
      return writeBody(omitFields(body.fields, ...omitted), numbersOf(body));
    },
    async count(id) {
      const { api, fields } = find(id);
      const { messages, system, tools } = apis[api].wire.decode(fields as never);
      const besides = estimateText(system) + (tools.length === 0 ? 0 : estimateText(JSON.stringify(tools)));
      return messages.reduce((sum, message) => sum + estimateMessage(message), besides);
    },
    async compact(id) {
      await findKept(id)
        .session.compact()
        .catch(() => undefined);
    },
    async drop(id) {
      const body = open.get(id);
      if (body === undefined) return;
      [body.fields, body.plain, body.numbers] = [undefined, undefined, undefined];
      if (body.kept === undefined) open.delete(id);
    },
    async end(id) {
      open.get(id)?.kept?.release();
      open.delete(id);
    },
    status: async () => keeper.status(),
    // Loaded where somebody looks: no request should wait for what makes pages.
    list: async (tenant) => (await import('./inspect-kept.ts')).listKept(keeper, tenant),
    inspect: async (...asked) => (await import('./inspect-kept.ts')).inspectKept(keeper, ...asked),
    async close() {
      await Promise.all([keeper.close(), hidden.close()]);
      await sender?.close();
    },
  };
}

const unknownBody = (): Error => Object.assign(new Error('this body is not known here'), { code: 'unknown-body' });

/** What a body says beside what was said in it. */
const makeBrief = (fields: Fields): Fields => ({
  ...omitFields(fields, ...SAID),
  ...Object.fromEntries(SAID.flatMap((name) => (Array.isArray(fields[name]) ? [[name, []]] : []))),
});

const pickBody = ({ body, changed, headers, names, tokens, receipt }: KeptRequest): KeptBody => ({
  body,
  changed,
  headers,
  tokens,
  ...(names === undefined ? {} : { names }),
  ...(receipt === undefined ? {} : { receipt }),
});

function describeKept(kept: KeptRequest, written: WrittenBody): KeptView {
  const { overhead, budget, paused, measured, missing } = kept.session.status();
  const isCrowded = paused === 'overhead';
  return {
    ...written,
    id: kept.id,
    tokensBefore: kept.tokensBefore,
    missing,
    crowded: isCrowded ? { window: budget.window, fixed: overhead.tokens, isMeasured: measured } : undefined,
  };
}
