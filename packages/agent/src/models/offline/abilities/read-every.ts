import type { Ability, PlannedCall, Step } from '../ability.ts';
import type { Scene, SeenCall } from '../scene.ts';
import { pathIn } from '../sentences.ts';

/** So many files a round, and so many names of a long list at a time: a list of thousands would fill the window. */
const BATCH = 6;
const LIST = 60;

export const readEvery: Ability = {
  example: 'read every file in src',
  read(sentence) {
    const match =
      /^(?:read|open|look at|go through) (?:every|each|all)(?: of)?(?: the)? (?:(\S+) )?files?(?: (?:in|of|under|below) (?:the )?(?:folder )?(.+?)(?: folder)?)?$/i.exec(
        sentence,
      );
    if (match === null) return undefined;
    const place = match[2] === undefined || /^(?:this|the|here|folder)$/i.test(match[2]) ? '' : pathIn(match[2]);
    if (place === undefined) return undefined;
    const ending =
      match[1] === undefined || /source|text/i.test(match[1]) ? '*' : `*.${match[1].replace(/^\*?\./, '')}`;
    return readEveryStep(place.replace(/\/+$/, ''), ending);
  },
};

interface List {
  readonly names: readonly string[];
  readonly total: number;
  /** The number of its first name. */
  readonly first: number;
  readonly isRest: boolean;
}

function readEveryStep(place: string, ending: string): Step {
  const pattern = place === '' ? `**/${ending}` : `${place}/**/${ending}`;
  const isOurs = (path: unknown): path is string =>
    typeof path === 'string' && (place === '' || path.startsWith(`${place}/`));
  const isList = (call: SeenCall): boolean => call.tool === 'glob' && call.input.pattern === pattern;
  const isRead = (call: SeenCall): boolean => call.tool === 'read_file' && isOurs(call.input.path);

  const newestList = ({ calls }: Scene): List | undefined => {
    const result = calls.findLast(
      (call) => isList(call) && call.result?.state === 'whole' && !call.result.isError,
    )?.result;
    return result === undefined ? undefined : listIn(result.text);
  };
  /** In the order of names, the last one that was read is as far as it got. */
  const lastRead = ({ calls, lastReadBefore }: Scene): string | undefined => {
    const shown = calls.filter(isRead).map((call) => String(call.input.path));
    if (shown.length > 0) return shown.sort().at(-1);
    return calls.some(isList) || !isOurs(lastReadBefore) ? undefined : lastReadBefore;
  };
  const next = (scene: Scene): { readonly batch: readonly string[]; readonly list: List | undefined } => {
    const list = newestList(scene);
    const last = lastRead(scene) ?? '';
    return { list, batch: (list?.names ?? []).filter((name) => name > last).slice(0, BATCH) };
  };

  return {
    calls(scene): readonly PlannedCall[] {
      const { list, batch } = next(scene);
      if (batch.length > 0) return batch.map((path) => ({ tool: 'read_file', input: { path } }));
      if (list?.isRest === true) return [];
      const last = lastRead(scene);
      return [{ tool: 'glob', input: { pattern, ...(last === undefined ? {} : { after: last }), limit: LIST } }];
    },
    announceCalls(scene) {
      const { list, batch } = next(scene);
      if (list === undefined || batch.length === 0)
        return `Which files come next in ${place === '' ? 'this folder' : place}?`;
      const from = list.first + list.names.indexOf(batch[0]!);
      return `Files ${from} to ${from + batch.length - 1} of ${list.total}.`;
    },
    isBegun: (scene) => scene.calls.some((call) => isList(call) || isRead(call)),
    answer(scene) {
      const list = newestList(scene);
      if (list === undefined || list.total === 0)
        return `There is no file to read in ${place === '' ? 'this folder' : place}.`;
      const shown = scene.calls.filter((call) => isRead(call) && call.result?.state === 'whole').length;
      const inView =
        shown >= list.total
          ? 'All of their text is in view.'
          : `The text of ${shown} is still in view; the others can be recalled: ask "what was in FILE?".`;
      return `I have read all ${list.total} files in ${place === '' ? 'this folder' : place}, the last was ${lastRead(scene)}. ${inView}`;
    },
  };
}

function listIn(text: string): List {
  const [head = '', ...names] = text.split('\n');
  const total = Number(/^(\d+) files? match/.exec(head)?.[1] ?? 0);
  const first = Number(/\((\d+) to \d+ shown\)/.exec(head)?.[1] ?? 1);
  const isRest = !names.some((name) => name.startsWith('… '));
  return { names: names.filter((name) => !name.startsWith('… ')), total, first, isRest };
}
