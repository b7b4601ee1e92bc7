import { type Message, runInTurns } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/json';
import { stepsOf } from '@palimpsest/core/steps';
import { type ApiName, apis, type Wire } from '@palimpsest/wire';

const wireOf = (api: ApiName): Wire<Fields> => apis[api].wire as unknown as Wire<Fields>;

/** The messages of a body. Others have their turn while a large one is read. */
export const decodeInTurns = async (api: ApiName, body: Fields): Promise<readonly Message[]> =>
  (await runInTurns(stepsOf(wireOf(api).decode<Fields>, body))).messages;

/** A body with other messages. */
export const encodeInTurns = async (api: ApiName, messages: readonly Message[], body: Fields): Promise<Fields> =>
  (await runInTurns(stepsOf(wireOf(api).encode<Fields>, messages, body))).body;
