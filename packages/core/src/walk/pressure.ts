import type { Budget } from '../size/budget.ts';
import { estimateFor, type Meter } from '../size/meter.ts';
import { coldTrigger } from '../size/money.ts';
import type { Circumstances } from '../view/circumstances.ts';
import type { Over, PressureCause } from '../view/look.ts';
import type { SlotList } from '../view/slot-list.ts';

/** Which measures are under pressure: from the trigger on, until the target is reached. */
export interface Pressure {
  readonly tokens: boolean;
  readonly bytes: boolean;
  readonly images: boolean;
  readonly messages: boolean;
  /** What presses on tokens: the limit, or money alone. */
  readonly cause?: PressureCause;
}

export const noPressure: Pressure = { tokens: false, bytes: false, images: false, messages: false };

/** A view as it is held against the budget: its messages, its calibrated tokens, and what is sent besides. */
export interface Measured {
  readonly view: SlotList;
  readonly tokens: number;
  readonly given: Pick<Circumstances, 'budget' | 'overhead'>;
}

/** The same with what money depends on. */
interface Pressing extends Measured {
  readonly given: Pick<Circumstances, 'budget' | 'overhead' | 'cache' | 'trigger'>;
}

const bytesSent = ({ view, given }: Measured): number => view.sizes.bytes + given.overhead.bytes;

/** The pressure on a view. Once there, it stays for the rest of the walk. */
export function takePressure(measured: Pressing, was: Pressure): Pressure {
  const { view, given } = measured;
  const { limits, triggerMessages } = given.budget;
  const cause = was.cause === 'limit' ? 'limit' : (findCause(measured) ?? was.cause);
  return {
    tokens: cause !== undefined,
    ...(cause === undefined ? {} : { cause }),
    bytes: was.bytes || bytesSent(measured) > (limits.bytes ?? Infinity),
    images: was.images || view.sizes.images > (limits.images ?? Infinity),
    messages: was.messages || view.slots.length > triggerMessages,
  };
}

/** What presses on the tokens of a view. Only an automatic walk minds money: the others were asked for. */
function findCause({ tokens, given }: Pressing): PressureCause | undefined {
  const { budget, cache } = given;
  if (tokens >= (budget.ceiling ?? budget.trigger)) return 'limit';
  if (given.trigger === 'auto' && tokens > coldTrigger(budget, cache)) return 'cold';
  return tokens >= budget.trigger ? 'price' : undefined;
}

/** Limits besides tokens are brought this far below, so that not every turn meets them again. */
const SLACK = 0.75;

/** Where each measure is to end. */
interface Goals {
  readonly tokens: number;
  readonly bytes: number;
  readonly images: number;
  readonly messages: number;
}

function measureExcess(measured: Measured, meter: Meter, pressure: Pressure, goals: Goals): Over {
  const { view, tokens } = measured;
  const above = (pressed: boolean, value: number, goal: number): number => (pressed ? Math.max(0, value - goal) : 0);
  return {
    tokens: estimateFor(meter, above(pressure.tokens, tokens, goals.tokens)),
    bytes: above(pressure.bytes, bytesSent(measured), goals.bytes),
    images: above(pressure.images, view.sizes.images, goals.images),
    messages: above(pressure.messages, view.slots.length, goals.messages),
  };
}

/** How much must go, by the measures under pressure. */
export function measureOver(measured: Measured, meter: Meter, pressure: Pressure): Over {
  const { limits, target, targetMessages } = measured.given.budget;
  const lowerLimit = (limit: number | undefined): number => Math.floor((limit ?? Infinity) * SLACK);
  return measureExcess(measured, meter, pressure, {
    tokens: target,
    bytes: lowerLimit(limits.bytes),
    images: lowerLimit(limits.images),
    messages: targetMessages,
  });
}

/** How much must go at the least: to just below the trigger (or where the floor begins to act), and to the limits themselves. */
export function measureNeeded(measured: Measured, meter: Meter, pressure: Pressure): Over {
  const { limits, target, trigger, ceiling = trigger, floorFrom = ceiling, triggerMessages } = measured.given.budget;
  return measureExcess(measured, meter, pressure, {
    tokens: Math.max(target, floorFrom - 1),
    bytes: limits.bytes ?? Infinity,
    images: limits.images ?? Infinity,
    messages: triggerMessages,
  });
}

/** Whether a view is within the trigger and all limits. */
export function fitsBudget(measured: Measured): boolean {
  const { view, tokens, given } = measured;
  const { limits, trigger, ceiling = trigger, triggerMessages }: Budget = given.budget;
  return (
    tokens <= ceiling &&
    bytesSent(measured) <= (limits.bytes ?? Infinity) &&
    view.sizes.images <= (limits.images ?? Infinity) &&
    view.slots.length <= triggerMessages
  );
}
