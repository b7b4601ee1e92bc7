import { type CallPart, type Clock, result as resultPart, results, type Session } from '@palimpsest/core';
import type { HookedCall } from '../hooks/agent-hooks.ts';
import type { HookEar } from '../hooks/hear-hooks.ts';
import type { Tool, ToolAnswer, ToolRun } from '../tools/tool.ts';
import type { Listener } from './agent-event.ts';

interface CallParts {
  readonly session: Session;
  readonly tools: readonly Tool[];
  readonly emit: Listener;
  readonly clock: Clock;
  /** Blanks the keys that an output may show. */
  readonly blankKeys: (text: string) => string;
  readonly hooks: HookEar;
}

const STOPPED = 'Stopped by the user before it was done.';
const NOT_RUN = 'Not run: the user interrupted.';

/**
 * Runs the calls of one message in order and saves each result as soon as it is there, before anybody is told: a crash
 * loses none that was shown. All are answered, whatever happens: a call without a result would be refused by every provider. Answers with the
 * compaction that one of them asked for.
 */
export async function runCalls(
  calls: readonly CallPart[],
  { session, tools, emit, clock, blankKeys, hooks }: CallParts,
  signal: AbortSignal,
): Promise<ToolAnswer['compaction']> {
  let compaction: ToolAnswer['compaction'];
  for (const { callId, tool: name, input } of calls) {
    const tool = tools.find((one) => one.name === name);
    if (!signal.aborted) emit({ type: 'call-started', callId, tool: name, input });
    const onOutput = (more: string): void => emit({ type: 'output-added', callId, text: blankKeys(more) });
    const answer = await runHooked(hooks, { tool: name, input, signal }, () =>
      runCall(tool, name, input, { signal, onOutput }),
    );
    compaction ??= answer.compaction;
    const isError = answer.isError === true;
    const text = answer.text === '' ? '(no output)' : blankKeys(answer.text);
    session.append({ ...results([resultPart(callId, text, isError)]), at: clock.now() });
    try {
      await session.saved();
    } finally {
      emit({ type: 'call-ended', callId, tool: name, input, text, isError });
    }
  }
  return compaction;
}

/** A hook may refuse the call, and what hooks want the model to know stands behind its result. */
async function runHooked(hooks: HookEar, call: HookedCall, run: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
  if (call.signal.aborted) return run();
  try {
    const before = await hooks.beforeTool(call);
    if (before.block !== undefined) return { text: `Not run: a hook refused it: ${before.block}`, isError: true };
    const answer = await run();
    if (call.signal.aborted) return answer;
    const after = await hooks.afterTool({ ...call, text: answer.text, isError: answer.isError === true });
    const context = [before.context, after.context].filter((words) => words !== undefined).join('\n');
    return context === '' ? answer : { ...answer, text: `${answer.text}\n<hook>\n${context}\n</hook>` };
  } catch (error) {
    if (!call.signal.aborted) throw error;
    return { text: STOPPED, isError: true };
  }
}

async function runCall(
  tool: Tool | undefined,
  name: string,
  input: CallPart['input'],
  run: ToolRun,
): Promise<ToolAnswer> {
  const { signal } = run;
  if (signal.aborted) return { text: NOT_RUN, isError: true };
  if (tool === undefined) return { text: `There is no tool "${name}".`, isError: true };
  try {
    return await tool.run(input, run);
  } catch (error) {
    if (!signal.aborted) throw error;
    return { text: STOPPED, isError: true };
  }
}
