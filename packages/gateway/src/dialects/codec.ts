import type { Message } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/json';
import { type ApiName, apis, type Wire } from '@palimpsest/wire';

const wireOf = (api: ApiName): Wire<Fields> => apis[api].wire as unknown as Wire<Fields>;

/** The messages of a body. */
export const decodeBody = (api: ApiName, body: Fields): readonly Message[] => wireOf(api).decode(body).messages;

/** A body with other messages. */
export const encodeBody = (api: ApiName, messages: readonly Message[], body: Fields): Fields =>
  wireOf(api).encode(messages, body).body;
