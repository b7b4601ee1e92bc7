import { allow, checkOptions } from '../check-options.ts';
import type { Carry } from '../ledger/carry.ts';
import type { Stash } from '../ledger/ports.ts';
import type { Hooks } from '../summary/hooks.ts';
import type { Clock, Summarizer } from '../summary/summarizer.ts';
import type { Ability } from '../view/circumstances.ts';

/** What needs are met with. None is needed: what cannot be met is a failed fact, and the next means takes over. */
export interface Ports {
  /** Where large results are saved besides the transcript, so that other tools can read them too. */
  readonly stash?: Stash;
  /** A model that writes the narrative of summaries; without it the digest is the summary. */
  readonly summarizer?: Summarizer;
  /** What the host wants taken across a summary; without it, the files read last. */
  readonly carry?: Carry;
  /** What the host has to say before and after a summary. */
  readonly hooks?: Hooks;
  /**
   * Core has no timers of its own: without a clock nothing has a deadline, and a port that never answers is waited for until
   * the caller's signal is aborted. Retries do not wait then either.
   */
  readonly clock?: Clock;
}

export const checkPorts = (caller: string, ports: Ports | undefined): void =>
  checkOptions<Ports>(`"ports" of ${caller}`, ports, {
    stash: allow.objectWith('put'),
    summarizer: allow.objectWith('summarize'),
    carry: allow.objectWith('carry'),
    hooks: allow.object,
    clock: allow.objectWith('now', 'wait'),
  });

/** What can be asked of the ports at hand. */
export function abilitiesOf({ stash, summarizer, carry, hooks }: Ports): ReadonlySet<Ability> {
  const can = new Set<Ability>();
  if (stash !== undefined) can.add('stash');
  if (summarizer !== undefined) can.add('summary');
  if (carry !== undefined) can.add('carry');
  if (hooks?.before !== undefined) can.add('hooks');
  return can;
}
