import { InvariantError } from './errors.ts';
import type { Fact, Ledger } from './ledger.ts';
import type { Need } from './look.ts';
import type { NewMessage } from './message.ts';
import { type Plan, type PlanOptions, plan } from './plan.ts';
import type { Stash } from './ports.ts';

/** What needs are met with. None is needed: what cannot be met is a failed fact, and the next layer takes over. */
export interface Ports {
  readonly stash?: Stash;
}

const isAbort = (error: unknown, signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true || (error instanceof Error && error.name === 'AbortError');

async function meet(need: Need, ports: Ports, signal: AbortSignal | undefined): Promise<Fact> {
  try {
    signal?.throwIfAborted();
    return { type: 'stashed', key: need.key, ref: await ports.stash!.put(need.text) };
  } catch (error) {
    if (isAbort(error, signal)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    return { type: 'failed', key: need.key, need: need.type, code: 'stash-failed', why };
  }
}

/** Plans until nothing is needed any more. Every round must bring a new fact, so it ends. */
export async function settle<Made extends { readonly needs: readonly Need[] }>(
  make: (facts: ReadonlyMap<string, Fact>) => Made,
  ports: Ports,
  signal?: AbortSignal,
): Promise<{ readonly made: Made; readonly facts: ReadonlyMap<string, Fact> }> {
  const facts = new Map<string, Fact>();
  for (;;) {
    signal?.throwIfAborted();
    const made = make(facts);
    const open = made.needs.filter((need) => !facts.has(need.key));
    if (made.needs.length === 0) return { made, facts };
    if (open.length === 0)
      throw new InvariantError(
        'walk',
        'a met need is not asked for again',
        made.needs.map((need) => need.key).join(', '),
      );
    for (const fact of await Promise.all(open.map((need) => meet(need, ports, signal)))) facts.set(fact.key, fact);
  }
}

/** The effectful whole for hosts that keep transcript and ledger themselves: plan, meet, plan again. */
export async function compact(
  transcript: readonly NewMessage[],
  ledger: Ledger,
  options: Omit<PlanOptions, 'facts' | 'hasStash'> & { readonly ports?: Ports; readonly signal?: AbortSignal },
): Promise<Plan> {
  const ports = options.ports ?? {};
  const make = (facts: ReadonlyMap<string, Fact>): Plan =>
    plan(transcript, ledger, { ...options, facts, hasStash: ports.stash !== undefined });
  return (await settle(make, ports, options.signal)).made;
}
