import { type Fields, omitFields } from '@palimpsest/core/json';
import type { KeptBody, KeptRequest } from '@palimpsest/sdk/keeper';

/** What a preset would have the provider clear by itself is left to us, at an upstream that cannot. */
export function omitManagement(kept: KeptRequest): KeptRequest {
  const omit = (one: KeptBody): KeptBody => ({
    ...one,
    body: omitFields(one.body as Fields, 'context_management'),
    headers: {},
  });
  return {
    ...kept,
    ...omit(kept),
    async fail(refusal) {
      const smaller = await kept.fail(refusal);
      return smaller === undefined ? undefined : omit(smaller);
    },
  };
}
