import { asString, type Fields } from '@palimpsest/core/json';
import { hash } from '../prompt/hash.ts';

/** Google documents these two for calls that another model made. */
const STAND_INS = ['context_engineering_is_the_way_to_go', 'skip_thought_signature_validator'];

export const signCall = (name: string, args: unknown): string =>
  `${hash('sim-thought', name, JSON.stringify(args ?? {}))}${hash('sim-thought', name)}`;

export function isSigned(part: Fields, call: Fields): boolean {
  const signature = asString(part.thoughtSignature);
  return (
    signature !== undefined && (STAND_INS.includes(signature) || signature === signCall(String(call.name), call.args))
  );
}
