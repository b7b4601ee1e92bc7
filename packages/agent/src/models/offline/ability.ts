import type { Json } from '@palimpsest/core';
import type { Scene, SeenCall, SeenResult } from './scene.ts';

export interface PlannedCall {
  readonly tool: string;
  readonly input: { readonly [key: string]: Json };
}

/** One step of a request, understood. Everything is asked of the view anew each time: nothing is remembered here. */
export interface Step {
  /** Calls that are still to be made; none when it is done. */
  calls(scene: Scene): readonly PlannedCall[];
  /** Said with the calls. */
  announceCalls?(scene: Scene): string;
  /** Some call of it is in view, so all steps before it are done. */
  isBegun(scene: Scene): boolean;
  answer(scene: Scene): string;
}

export interface Ability {
  readonly example: string;
  read(sentence: string): Step | undefined;
}

const isSame = (call: SeenCall, { tool, input }: PlannedCall): boolean =>
  call.tool === tool && JSON.stringify(call.input) === JSON.stringify(input);

export const findCall = (calls: readonly SeenCall[], planned: PlannedCall): SeenCall | undefined =>
  calls.findLast((call) => isSame(call, planned));

/** A step that is one call and what its result says. */
export const oneCall = (
  planned: PlannedCall,
  saying: string,
  answer: (result: SeenResult, scene: Scene) => string,
): Step => ({
  calls: (scene) => (findCall(scene.calls, planned) === undefined ? [planned] : []),
  announceCalls: () => saying,
  isBegun: (scene) => findCall(scene.calls, planned) !== undefined,
  answer(scene) {
    const result = findCall(scene.calls, planned)?.result;
    return result === undefined ? 'It was done before what I can see here.' : answer(result, scene);
  },
});

/** A step that needs no tool: the view tells. */
export const answerFromView = (answer: (scene: Scene) => string): Step => ({
  calls: () => [],
  isBegun: () => false,
  answer,
});

/** The beginning of a text, and how much more there is. */
export function excerpt(text: string, lines: number): string {
  const all = text.trimEnd().split('\n');
  const rest = all.length - lines;
  return [
    ...all.slice(0, lines).map((line) => `  ${line.slice(0, 120)}`),
    ...(rest > 0 ? [`  … ${rest} more ${rest === 1 ? 'line' : 'lines'}`] : []),
  ].join('\n');
}

export const describeHidden = (result: SeenResult): string =>
  result.reference === undefined ? 'out of view' : `out of view; recall ${result.reference} reads it`;
