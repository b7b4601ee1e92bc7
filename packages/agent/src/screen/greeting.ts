import { wordsOf } from '@palimpsest/core';
import { clip, formatNumber, oneLine, type Paint, toScreenText, wrap } from '@palimpsest/terminal';
import type { Agent } from '../loop/agent.ts';
import type { Suggestion } from '../practice/suggest-steps.ts';

/** The first thing a newcomer reads: what this is, on which model, what to try. */
export function greetingLines(
  agent: Agent,
  isResumed: boolean,
  steps: readonly Suggestion[],
  paint: Paint,
  columns: number,
): readonly string[] {
  const model = agent.model();
  const preset = agent.preset() ?? 'layers of the host';
  const led = preset === 'default' ? '' : ` · preset ${preset}`;
  const head = [
    paint.bold(
      clip(`Palimpsest agent · ${oneLine(model.name)} · window ${formatNumber(model.window)} tokens${led}`, columns),
    ),
    paint.dim(clip(oneLine(agent.root), columns)),
  ];
  if (isResumed) return [...head, ...lastWordsLines(agent, paint, columns)];
  const words =
    model.name === 'offline'
      ? 'This is the embedded offline model. It is not a language model: a small program that understands plain requests and calls the real tools. Its window is small on purpose, so that you can watch the conversation being compacted, and nothing being forgotten. With ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY set, a language model takes its place.'
      : 'Say what is to be done.';
  const tries = steps.length === 0 ? ['/help lists the commands'] : steps.map((step) => step.words);
  return [
    ...head,
    '',
    ...wrap(words, columns),
    '',
    paint.dim(steps.length === 0 ? 'Try:' : 'Try, in this order:'),
    ...tries.map((line) => `  ${paint.cyan(clip(oneLine(line), columns - 2))}`),
  ];
}

/** Where a session that goes on stood. */
export function lastWordsLines(agent: Agent, paint: Paint, columns: number): readonly string[] {
  const said = agent.session.transcript().findLast((message) => wordsOf(message).trim() !== '');
  const lines = (text: string, most: number): readonly string[] => wrap(toScreenText(text), columns - 4).slice(0, most);
  const last = agent.lastWords();
  return [
    ...(said === undefined
      ? []
      : [paint.dim('  You said last:'), ...lines(wordsOf(said), 3).map((line) => `    ${line}`)]),
    ...(last === '' ? [] : [paint.dim('  The model said last:'), ...lines(last, 4).map((line) => `    ${line}`)]),
  ];
}
