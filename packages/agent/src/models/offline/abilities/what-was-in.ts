import type { Ability, PlannedCall, Step } from '../ability.ts';
import { excerpt, findCall } from '../ability.ts';
import type { Scene, SeenCall } from '../scene.ts';
import { pathIn } from '../sentences.ts';
import { bodyOf } from './read.ts';

const SHOWN_LINES = 12;

export const whatWasIn: Ability = {
  example: 'what was in src/a.ts?',
  read(sentence) {
    const match =
      /^(?:what|tell me what|show me what) (?:was|is|were|are|stood|stands) in (?:the file )?(\S+)$/i.exec(sentence) ??
      /^what (?:does|did) (\S+) (?:say|contain|hold|have)/i.exec(sentence);
    const path = pathIn(match?.[1] ?? '');
    return path === undefined ? undefined : stepFor(path);
  },
};

/** From the view where it is there; else through recall, by the reference a notice names or by a search. */
function stepFor(path: string): Step {
  const findInView = (scene: Scene): string | undefined => {
    const name = nameInView(scene, path);
    const call = scene.allCalls.findLast((one) => isAbout(one, name) && one.result?.state === 'whole' && tells(one));
    if (call !== undefined) return call.tool === 'write_file' ? String(call.input.content) : bodyOf(call.result!.text);
    return scene.carriedFiles.get(name);
  };
  const search: PlannedCall = { tool: 'recall', input: { query: path } };
  const planReading = (scene: Scene): PlannedCall | undefined => {
    const name = nameInView(scene, path);
    const notice = scene.allCalls.findLast((call) => isAbout(call, name) && call.result?.reference !== undefined);
    const reference = notice?.result?.reference ?? foundIn(findCall(scene.calls, search)?.result?.text ?? '', path);
    return reference === undefined ? undefined : { tool: 'recall', input: { reference } };
  };
  return {
    calls(scene) {
      if (findInView(scene) !== undefined) return [];
      const planned = planReading(scene);
      if (planned === undefined) return findCall(scene.calls, search) === undefined ? [search] : [];
      return findCall(scene.calls, planned) === undefined ? [planned] : [];
    },
    announceCalls: (scene) =>
      planReading(scene) === undefined
        ? `${path} is not in view; I look for it in what was compacted.`
        : 'I read it back.',
    isBegun: (scene) => findCall(scene.calls, search) !== undefined || isRead(scene, planReading(scene)),
    answer(scene) {
      const inView = findInView(scene);
      if (inView !== undefined)
        return `${nameInView(scene, path)}, as the view shows it:\n${excerpt(inView, SHOWN_LINES)}`;
      const planned = planReading(scene);
      const result = planned === undefined ? undefined : findCall(scene.calls, planned)?.result;
      if (result === undefined || result.isError) return `Nothing that was read or written here is known as ${path}.`;
      const body = result.text.split('\n').slice(1).join('\n');
      const [name = ''] = body.split(' (', 1);
      const told = isNamed(name, path) ? { name, text: bodyOf(body) } : { name: path, text: body };
      return `${told.name}, through recall ${planned!.input.reference}:\n${excerpt(told.text, SHOWN_LINES)}`;
    },
  };
}

const isRead = (scene: Scene, planned: PlannedCall | undefined): boolean =>
  planned !== undefined && findCall(scene.calls, planned) !== undefined;

/** By its whole path, or by its last names. */
const isNamed = (file: string, path: string): boolean => file === path || file.endsWith(`/${path}`);

/** The file of the view that is meant: the one of that very path, else the newest with these last names. */
function nameInView({ allCalls, carriedFiles }: Scene, path: string): string {
  const names = [...carriedFiles.keys(), ...allCalls.filter(isFileCall).map(({ input }) => String(input.path))];
  return names.includes(path) ? path : (names.findLast((name) => isNamed(name, path)) ?? path);
}

const isFileCall = ({ tool, result }: SeenCall): boolean =>
  ['read_file', 'write_file'].includes(tool) && result?.isError !== true;

const isAbout = (call: SeenCall, name: string): boolean => isFileCall(call) && call.input.path === name;

const tells = ({ tool, result }: SeenCall): boolean =>
  tool === 'write_file' || !/has not changed since you read it above\.$/.test(result!.text);

/** The best result of reading the file among what a search found, by its whole path before its last names. */
function foundIn(list: string, path: string): string | undefined {
  const found = [...list.matchAll(/^— (\S+) · result of read_file (\S+)\n(.*)$/gm)].filter(
    ([, , read = '', body = '']) => isNamed(read, path) && !/has not changed since/.test(body),
  );
  return (found.find(([, , read]) => read === path) ?? found[0])?.[1];
}
