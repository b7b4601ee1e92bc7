import type { Folder } from '../world/folder.ts';

/** Something to type, and what will be seen then. */
export interface Suggestion {
  readonly words: string;
  readonly why: string;
}

/** Where a folder's files mostly lie, best first; the folder itself where there is none of them. */
const PLACES = ['src', 'lib', 'app', 'docs', 'test'] as const;
/** In the prepared shop it is asked for by its last name. */
const PREFERRED = 'coupons.ts';
/** Fewer would not fill the window. */
const ENOUGH = 25;
const MOST_LOOKED_AT = 400;

/** What a newcomer can type in this folder, in order: each of them works here, and has something to show. */
export async function suggestSteps(folder: Folder): Promise<readonly Suggestion[]> {
  const names: string[] = [];
  for await (const name of folder.files('.', new AbortController().signal)) {
    names.push(name);
    if (names.length === MOST_LOOKED_AT) break;
  }
  const place = PLACES.find((one) => names.some((name) => name.startsWith(`${one}/`)));
  const inside = place === undefined ? names : names.filter((name) => name.startsWith(`${place}/`));
  const file = inside.find((name) => name.endsWith(`/${PREFERRED}`)) ?? inside[0];
  const remember = { words: 'remember: never touch db/migrations', why: 'a rule: no compaction loses it' };
  const rules = { words: 'what must you never touch?', why: 'nothing was forgotten' };
  const help = { words: '/help', why: 'every command, and the keys' };
  if (file === undefined) return [remember, rules, help];
  const fills = inside.length >= ENOUGH;
  const name = inside.filter((one) => one.endsWith(`/${PREFERRED}`)).length === 1 ? PREFERRED : file;
  return [
    remember,
    {
      words: place === undefined ? 'read every file' : `read every file in ${place}`,
      why: fills ? 'fills the window until it is compacted (◆)' : 'all of it comes into view',
    },
    ...(fills ? [] : [{ words: '/compact all', why: 'a summary takes the place of all that was said' }]),
    { words: '/receipt', why: 'what was hidden, and where it is' },
    { words: `what was in ${name}?`, why: 'it is out of view: the agent recalls it' },
    { words: '/undo', why: 'takes the compaction back: the very view before it' },
    rules,
    help,
  ];
}
