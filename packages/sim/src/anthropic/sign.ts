import { asString, type Fields, omitFields } from '@palimpsest/core/json';
import { canonicalize, hash } from '../prompt/hash.ts';
import { isThinking, type Placed } from './blocks.ts';

/** Not a secret, only the simulator's mark: a signature that it did not make is not one. */
const MARK = 'sim-signature';

const readContent = (block: Fields): string =>
  block.type === 'redacted_thinking' ? '' : (asString(block.thinking) ?? '');

/** Two halves: one for the thinking itself, one for the conversation before it. */
export const sign = (thinking: string, prefix: string): string =>
  `${hash(MARK, thinking)}${hash(MARK, 'prefix', prefix)}${hash(MARK, thinking, prefix)}`;

export type SignatureState = 'good' | 'false' | 'moved';

export function judgeSignature(block: Fields, prefix: string): SignatureState {
  const signature = asString(block.type === 'redacted_thinking' ? block.data : block.signature) ?? '';
  const content = readContent(block);
  if (signature === sign(content, prefix)) return 'good';
  return signature.startsWith(hash(MARK, content)) ? 'moved' : 'false';
}

/** The conversation up to and including a block; where the breakpoints are is no part of it. */
export const extendPrefix = (before: string, { role, block }: Pick<Placed, 'role' | 'block'>): string =>
  hash(before, role, canonicalize(omitFields(block, 'cache_control')));

export const hashPrefix = (placed: readonly Placed[]): string => placed.reduce(extendPrefix, '');

/** Every thinking block with the state of its signature. */
export function* judgeThinking(
  placed: readonly Placed[],
): Generator<{ readonly placed: Placed; readonly state: SignatureState }, void> {
  const last = placed.findLastIndex(({ block }) => isThinking(block.type));
  let prefix = '';
  for (const one of placed.slice(0, last + 1)) {
    if (isThinking(one.block.type)) yield { placed: one, state: judgeSignature(one.block, prefix) };
    prefix = extendPrefix(prefix, one);
  }
}
