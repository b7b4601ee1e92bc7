import type { Ability, PlannedCall, Step } from '../ability.ts';
import { describeHidden, excerpt, findCall } from '../ability.ts';
import type { Scene } from '../scene.ts';
import { isFileName, pathIn } from '../sentences.ts';

const SHOWN_LINES = 4;

export const read: Ability = {
  example: 'read README.md, then read package.json',
  read(sentence) {
    const match = /^(?:read|open|show(?: me)?|cat|look at|print) (?:the files? )?(.+)$/i.exec(sentence);
    const paths = (match?.[1] ?? '').split(/,\s*|\s+and\s+/).map(pathIn);
    if (match === null) return undefined;
    const files = paths.filter((path): path is string => path !== undefined && isFileName(path));
    return files.length === paths.length ? readStep(files) : undefined;
  },
};

function readStep(paths: readonly string[]): Step {
  const planned = paths.map((path): PlannedCall => ({ tool: 'read_file', input: { path } }));
  // Where a summary took the place of the calls, it tells the last of them: the files before it were read too.
  const countRead = ({ lastReadBefore }: Scene): number => paths.lastIndexOf(lastReadBefore ?? '') + 1;
  return {
    calls: (scene) => planned.filter((call, i) => i >= countRead(scene) && findCall(scene.calls, call) === undefined),
    announceCalls: () => `Reading ${paths.join(' and ')}.`,
    isBegun: (scene) => countRead(scene) > 0 || planned.some((call) => findCall(scene.calls, call) !== undefined),
    answer: (scene) => paths.map((path, i) => describeRead(path, planned[i]!, scene)).join('\n'),
  };
}

function describeRead(path: string, planned: PlannedCall, { calls, allCalls }: Scene): string {
  const result = findCall(calls, planned)?.result;
  if (result === undefined) return `${path} was read before what I can see here.`;
  if (result.isError) return result.text;
  if (result.state === 'hidden') return `${path} was read; its text is ${describeHidden(result)}.`;
  if (/has not changed since you read it above\.$/.test(result.text)) {
    const earlier = allCalls.find((call) => call.tool === 'read_file' && call.input.path === path)?.result;
    return earlier?.state === 'whole' && earlier !== result
      ? `${result.text}\n${excerpt(bodyOf(earlier.text), SHOWN_LINES)}`
      : result.text;
  }
  const [head = ''] = result.text.split('\n');
  const lines = /of (\d+)[;)]/.exec(head)?.[1];
  const part = result.state === 'part' ? ' (a part is in view)' : '';
  return `${path} has ${lines ?? 'no'} ${lines === '1' ? 'line' : 'lines'}${part}:\n${excerpt(bodyOf(result.text), SHOWN_LINES)}`;
}

/** Without the line that names the file. */
export const bodyOf = (text: string): string => text.slice(text.indexOf('\n') + 1);
