import { type CallPart, type Clock, call, type Message, type Part, text } from '@palimpsest/core';
import type { Model } from '../model.ts';
import { abilities } from './abilities/index.ts';
import { ABOUT } from './abilities/work.ts';
import { answerFromView, type PlannedCall, type Step } from './ability.ts';
import { type Scene, sceneOf } from './scene.ts';
import { sentencesIn } from './sentences.ts';

/** The window is up to you: a small one (16,000, the command's default) shows compaction soon. */
export interface OfflineModelOptions {
  readonly window: number;
  /** How long it rests after each word, so that a person can follow; nothing by default. */
  readonly paceMs?: number;
  readonly clock?: Clock;
}

interface Answer {
  readonly text: string;
  readonly calls: readonly PlannedCall[];
}

/**
 * No language model: a program that understands plain requests and calls the real tools. It remembers nothing between
 * calls, so that what it answers is what the view it is given still tells; same view, same answer.
 */
export function offlineModel({ window, paceMs = 0, clock }: OfflineModelOptions): Model {
  let callCount = 0;
  return {
    name: 'offline',
    window,
    isLanguageModel: false,
    async *stream({ messages }, { signal }) {
      const answer = answerTo(messages);
      for (const piece of answer.text.match(/\S+\s*/g) ?? []) {
        signal?.throwIfAborted();
        yield { type: 'text-added', text: piece };
        if (paceMs > 0) await clock?.wait(paceMs, signal);
      }
      const calls: readonly CallPart[] = answer.calls.map(({ tool, input }) =>
        call(`call-${++callCount}`, tool, input),
      );
      const parts: Part[] = answer.text === '' ? [...calls] : [text(answer.text), ...calls];
      yield { type: 'answer-ended', parts, stop: calls.length > 0 ? 'tool' : 'end', usage: {} };
    },
  };
}

export function answerTo(messages: readonly Message[]): Answer {
  const scene = sceneOf(messages);
  const steps = scene.pending.flatMap(sentencesIn).map(stepFor);
  if (steps.length === 0) return { text: ABOUT, calls: [] };
  return scene.isWhole ? replaySteps(steps, scene) : guessSteps(steps, scene);
}

/** All that was called is in view: each step takes the calls that it made, so a step that comes twice is done twice. */
function replaySteps(steps: readonly Step[], scene: Scene): Answer {
  const answers: string[] = [];
  let from = 0;
  for (const step of steps) {
    const sceneUntil = (to: number): Scene => ({ ...scene, calls: scene.calls.slice(from, to) });
    let to = from;
    while (to < scene.calls.length && !isOver(step, sceneUntil(to))) to++;
    const own = sceneUntil(to);
    if (!isOver(step, own)) return { text: step.announceCalls?.(own) ?? '', calls: step.calls(own) };
    answers.push(step.answer(own));
    from = to;
  }
  return { text: answers.join('\n\n'), calls: [] };
}

/** Whatever of a later step is in view, the earlier ones are done, though a layer has hidden the traces. */
function guessSteps(steps: readonly Step[], scene: Scene): Answer {
  const begun = Math.max(
    0,
    steps.findLastIndex((step) => step.isBegun(scene)),
  );
  const next = steps.slice(begun).find((step) => !isOver(step, scene));
  if (next !== undefined) return { text: next.announceCalls?.(scene) ?? '', calls: next.calls(scene) };
  return { text: steps.map((step) => step.answer(scene)).join('\n\n'), calls: [] };
}

function isOver(step: Step, scene: Scene): boolean {
  const calls = step.calls(scene);
  return calls.length === 0 || isStuck(calls, scene);
}

/** The same calls a third time in a row would bring the same results for ever. */
function isStuck(calls: readonly PlannedCall[], { calls: seen }: Scene): boolean {
  const spell = (list: readonly PlannedCall[]): string =>
    list.map(({ tool, input }) => JSON.stringify([tool, input])).join();
  return spell(seen.slice(-2 * calls.length)) === spell([...calls, ...calls]);
}

function stepFor(sentence: string): Step {
  for (const ability of abilities) {
    const step = ability.read(sentence);
    if (step !== undefined) return step;
  }
  return answerFromView(() => `I do not understand “${sentence}”. ${ABOUT}\nTry:\n${EXAMPLES}`);
}

const EXAMPLES = abilities.map(({ example }) => `  ${example}`).join('\n');
