import {
  type Budget,
  type BudgetOptions,
  budget,
  bytesOf,
  CompactionError,
  createPlanner,
  emptyLedger,
  estimateMessage,
  imagesIn,
  type Json,
  type Layer,
  type Ledger,
  type Message,
  type Plan,
  presets,
} from '@palimpsest/core';
import type { Decoded } from '@palimpsest/wire';
import type { Format } from './conversations/keep-options.ts';

/** `window` is enough. */
export interface CompactMessagesOptions extends BudgetOptions {
  /** What goes out beside the messages, so that it is counted. */
  readonly system?: string;
  readonly tools?: unknown;
  /** Its name decides what may become of reasoning. */
  readonly model?: string;
  /** `presets.default()` by default. */
  readonly layers?: readonly Layer[];
}

/**
 * The messages of a body, within the window: what a session would show that had seen the conversation grow. Pure: the same
 * messages give the same bytes, and messages that were added change what stands before them only where a compaction is due.
 */
export function compactBody<Body>(format: Format<Body>, body: Body, options: CompactMessagesOptions): Body {
  const decoded = format.decode(body);
  if (decoded.partial || listTold(decoded).length === 0) return body;
  const made = planGrowth(decoded, options);
  if (!made.fits)
    throw new CompactionError(
      'cannot-reduce',
      `compactMessages(): ${made.tokens} tokens are the least that system prompt, tools and the newest request take, ` +
        `and a window of ${options.window} has room for less. Send fewer tools, or take a model with a larger window.`,
    );
  return format.encode(made.view, body, { ids: decoded.messages.map(({ id }) => id) }).body;
}

/** Walks at the calls at which a session would have compacted, and at the end. */
function planGrowth(decoded: Decoded, options: CompactMessagesOptions): Plan {
  const { system = decoded.system, tools: given, model: _, layers = presets.default(), ...figures } = options;
  const tools = given === undefined ? decoded.tools : (JSON.parse(JSON.stringify(given)) as Json);
  // Nobody says what was paid and what is cached: size alone decides.
  const { money: __, ...sized }: Budget = budget({ ...figures, limits: { ...decoded.limits, ...figures.limits } });
  const messages = listTold(decoded);
  const planner = createPlanner(pinCompacted(decoded), {
    budget: sized,
    layers,
    system,
    tools,
    wire: decoded.rules,
    lenient: true,
    // What is hidden is with the caller alone: there is no session that a tool could read it from.
    canRecall: false,
  });
  let made = planner.plan(messages.slice(0, 1));
  let planned = 1;
  let sizes = sizeOfView(made.view);
  let last = planned;
  for (const next of listCalls(messages)) {
    sizes = addMessages(sizes, messages.slice(last, next));
    last = next;
    // Below the trigger nothing goes; what is decided about a new result by itself is the same later.
    const isFar = made.tokens + sizes.added < sized.trigger && isWithin(sizes, sized);
    if (isFar && next < messages.length) continue;
    made = planner.plan(messages.slice(planned, next));
    planned = next;
    sizes = sizeOfView(made.view);
  }
  return made;
}

/** What the body still tells: from the newest server-side compaction on. */
const listTold = ({ messages, from, boundary }: Decoded): readonly Message[] => messages.slice(from ?? boundary ?? 0);

/** What the server compacted lives on in one block alone. */
function pinCompacted({ messages, boundary }: Decoded): Ledger {
  const compacted = boundary === undefined ? undefined : messages[boundary];
  return compacted === undefined ? emptyLedger : { ...emptyLedger, entries: [{ type: 'pin', message: compacted.id }] };
}

/** What may press: of a view, and of what came since. */
interface Sizes {
  readonly messages: number;
  readonly images: number;
  readonly bytes: number;
  /** Tokens of what came since the view was made. */
  readonly added: number;
}

const sizeOfView = (messages: readonly Message[]): Sizes => ({
  messages: messages.length,
  images: sumOf(messages, imagesIn),
  bytes: sumOf(messages, bytesOf),
  added: 0,
});

const addMessages = (sizes: Sizes, more: readonly Message[]): Sizes => ({
  messages: sizes.messages + more.length,
  images: sizes.images + sumOf(more, imagesIn),
  bytes: sizes.bytes + sumOf(more, bytesOf),
  added: sizes.added + sumOf(more, estimateMessage),
});

/** The part of other limits below which they are surely not met. */
const FAR = 0.5;

/** Whether the limits besides tokens are far, so that these do not press. */
const isWithin = ({ messages, images, bytes }: Sizes, { limits, triggerMessages }: Budget): boolean =>
  messages < triggerMessages * FAR &&
  images <= (limits.images ?? Infinity) * FAR &&
  (limits.bytes === undefined || bytes < limits.bytes * FAR);

const sumOf = (messages: readonly Message[], count: (message: Message) => number): number =>
  messages.reduce((sum, message) => sum + count(message), 0);

/** How many messages there were at each call of the model, and are now. */
const listCalls = (messages: readonly Message[]): readonly number[] => [
  ...messages.flatMap(({ role }, i) => (role === 'assistant' && i > 0 ? [i] : [])),
  messages.length,
];
