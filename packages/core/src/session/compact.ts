import { allow, checkOptions } from '../check-options.ts';
import type { Fact, Ledger } from '../ledger/ledger.ts';
import type { NewMessage } from '../message/message.ts';
import { type Plan, type PlanOptions, plan, planRules } from '../walk/plan.ts';
import { abilitiesOf, checkPorts, type Ports } from './ports.ts';
import { settleNeeds } from './settle.ts';

/** As for `plan()`; what can be asked for and the facts come from the ports. */
export interface CompactOptions extends Omit<PlanOptions, 'facts' | 'can'> {
  readonly ports?: Ports | undefined;
  /** Ends the waiting for a summary, a hook, carry or the stash: the call rejects at once, and nothing is decided. */
  readonly signal?: AbortSignal | undefined;
}

const { facts: _facts, can: _can, ...rules } = planRules;

/** The effectful whole for hosts that keep transcript and ledger themselves: plan, meet, plan again. */
export async function compact(
  transcript: readonly NewMessage[],
  ledger: Ledger,
  options: CompactOptions,
): Promise<Plan> {
  checkOptions<CompactOptions>(
    'compact()',
    options,
    { ...rules, ports: allow.object, signal: allow.objectWith('addEventListener', 'throwIfAborted') },
    ['budget'],
  );
  const { ports = {}, signal, ...planned } = options;
  checkPorts('compact()', ports);
  const can = abilitiesOf(ports);
  const make = (facts: ReadonlyMap<string, Fact>): Plan => plan(transcript, ledger, { ...planned, can, facts });
  return (await settleNeeds(make, ports, { signal, countText: options.countText })).made;
}
