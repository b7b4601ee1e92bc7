import { type CallPart, type Clock, call, type Message, type Part, text } from '@palimpsest/core';
import type { Model } from '../model.ts';
import { ABOUT, tellLimits } from './abilities/about.ts';
import { abilities } from './abilities/index.ts';
import { answerFromView, type PlannedCall, type Step } from './ability.ts';
import { type Scene, sceneOf } from './scene.ts';
import { holdsPage, sentencesIn } from './sentences.ts';

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
  const steps = scene.pending.flatMap((request) => stepsFor(sentencesIn(request), holdsPage(request)));
  if (steps.length === 0) return { text: ABOUT, calls: [] };
  return scene.isWhole ? replaySteps(steps, scene) : guessSteps(steps, scene);
}

/** All that was called is in view: each step takes the calls that it made, so a step that comes twice is done twice. */
function replaySteps(steps: readonly Step[], scene: Scene): Answer {
  const answers: string[] = [];
  for (const { step, own } of takeCalls(steps, scene)) {
    if (!isOver(step, own)) return { text: step.announceCalls?.(own) ?? '', calls: step.calls(own) };
    answers.push(step.answer(own));
  }
  return { text: answers.join('\n\n'), calls: [] };
}

/** Each step with the calls that it made; what a digest tells is about the first of them. */
function* takeCalls(steps: readonly Step[], scene: Scene): Generator<{ readonly step: Step; readonly own: Scene }> {
  const { lastReadBefore: _told, ...later } = scene;
  let from = 0;
  for (const [i, step] of steps.entries()) {
    const sceneUntil = (to: number): Scene => ({ ...(i === 0 ? scene : later), calls: scene.calls.slice(from, to) });
    let to = from;
    while (to < scene.calls.length && !isOver(step, sceneUntil(to))) to++;
    yield { step, own: sceneUntil(to) };
    from = to;
  }
}

function countTaken(steps: readonly Step[], scene: Scene): number {
  let taken = 0;
  for (const { step, own } of takeCalls(steps, scene)) {
    taken += own.calls.length;
    if (!isOver(step, own)) break;
  }
  return taken;
}

/**
 * A layer has hidden what was done first. The steps that what is still in view can belong to are looked for, the latest that
 * fit: each call in its turn, and before them what a digest says was read last.
 */
function guessSteps(steps: readonly Step[], scene: Scene): Answer {
  const at = findTrace(steps, scene);
  if (at !== undefined) {
    const rest = replaySteps(steps.slice(at), scene);
    if (rest.calls.length > 0) return rest;
  }
  const begun = Math.max(
    0,
    steps.findLastIndex((step) => step.isBegun(scene)),
  );
  const next = at === undefined ? steps.slice(begun).find((step) => !isOver(step, scene)) : undefined;
  if (next !== undefined) return { text: next.announceCalls?.(scene) ?? '', calls: next.calls(scene) };
  return { text: steps.map((step) => step.answer(scene)).join('\n\n'), calls: [] };
}

/** The step that the oldest call in view belongs to, where all calls in view then fall into place. */
function findTrace(steps: readonly Step[], scene: Scene): number | undefined {
  const isTold = (step: Step): boolean => step.isBegun({ ...scene, calls: [] });
  const told = steps.some(isTold);
  const found = steps.findLastIndex(
    (step, i) => (!told || isTold(step)) && countTaken(steps.slice(i), scene) === scene.calls.length,
  );
  return found < 0 ? undefined : found;
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

/**
 * A step that names only what it is about, as in "read a.ts, then b.ts", is done as the one before it. Beside a pasted page, what is not
 * understood is a line of the page.
 */
function stepsFor(sentences: readonly string[], besidePage: boolean): readonly Step[] {
  let verb = '';
  const steps = sentences.map((sentence) => {
    const step = stepFor(sentence);
    if (step !== undefined) [verb = ''] = sentence.split(' ', 1);
    return step ?? (besidePage ? undefined : stepFor(`${verb} ${sentence}`));
  });
  const isAnyKnown = steps.some((step) => step !== undefined);
  return steps.flatMap((step, i): readonly Step[] => {
    if (step !== undefined) return [step];
    const isTold = !besidePage || (!isAnyKnown && i === steps.length - 1);
    return isTold ? [answerFromView(() => tellLimits(sentences[i]!))] : [];
  });
}

function stepFor(sentence: string): Step | undefined {
  for (const ability of abilities) {
    const step = ability.read(sentence);
    if (step !== undefined) return step;
  }
  return undefined;
}
