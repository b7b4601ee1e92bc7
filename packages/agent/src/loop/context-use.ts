import {
  type CallPart,
  callsOf,
  estimateMessage,
  estimatePart,
  estimateText,
  type Json,
  type Message,
  plan,
  type Session,
} from '@palimpsest/core';

/** One thing that takes room in the window, such as the results of one tool. */
export interface UseLine {
  readonly name: string;
  readonly tokens: number;
}

/** How full the window is, and with what. */
export interface ContextUse {
  readonly lines: readonly UseLine[];
  /** As the session reckons it: measured where the provider reported. */
  readonly tokens: number;
  readonly window: number;
  readonly trigger: number;
  /** Until the trigger. */
  readonly percentLeft: number;
}

/** What is sent besides the messages, here always both. */
interface Besides {
  readonly system: string;
  readonly tools: Json;
}

/** The view as it stands, without making a new one: no layer is asked, so nothing is compacted by looking. */
export function currentView(session: Session): readonly Message[] {
  const { budget } = session.status();
  return plan(session.transcript(), session.ledger(), { budget, layers: [], lenient: true }).view;
}

/** Where the tokens are, in the order in which they stand in a request. Estimates: providers report only the sum. */
export function contextUse(session: Session, besides: Besides): ContextUse {
  const { tokens, budget, percentLeft } = session.status();
  const sums = new Map<string, number>();
  const add = (name: string, more: number): void => void sums.set(name, (sums.get(name) ?? 0) + more);
  let calls: readonly CallPart[] = [];
  for (const message of currentView(session)) {
    if (message.role === 'assistant') calls = callsOf(message);
    for (const part of message.parts) add(nameOf(message, part, calls), estimatePart(part));
    add(OTHERS, estimateMessage(message) - message.parts.reduce((sum, part) => sum + estimatePart(part), 0));
  }
  const fixed = [
    { name: 'system prompt', tokens: estimateText(besides.system) },
    { name: 'tool definitions', tokens: estimateText(JSON.stringify(besides.tools)) },
  ];
  const named = [...sums].map(([name, count]) => ({ name, tokens: count })).filter((line) => line.tokens > 0);
  // It stands between all of them.
  const rest = [...named.filter(({ name }) => name !== OTHERS), ...named.filter(({ name }) => name === OTHERS)];
  return { lines: [...fixed, ...rest], tokens, window: budget.window, trigger: budget.trigger, percentLeft };
}

const OTHERS = 'around messages';

function nameOf(message: Message, part: Message['parts'][number], calls: readonly CallPart[]): string {
  if (part.type === 'result')
    return `results of ${calls.find((call) => call.callId === part.callId)?.tool ?? 'unknown tools'}`;
  if (part.type === 'call') return 'tool calls';
  if (part.type === 'reasoning') return 'reasoning';
  if (message.origin === 'palimpsest') return 'summary and notices';
  if (message.origin === 'harness') return 'folder instructions and notes';
  return message.role === 'assistant' ? 'model' : 'user';
}
