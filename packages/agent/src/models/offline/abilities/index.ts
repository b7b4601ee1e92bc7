import type { Ability } from '../ability.ts';
import { newAbout } from './about.ts';
import { callTool } from './call-tool.ts';
import { list } from './list.ts';
import { read } from './read.ts';
import { readEvery } from './read-every.ts';
import { runCommand, runTests } from './run.ts';
import { search } from './search.ts';
import { whatWasIn } from './what-was-in.ts';
import { firstWords, remember, rules } from './words.ts';
import { compact, delegate, recall, skill, snip, todo } from './work.ts';
import { edit, write } from './write.ts';

/** In the order in which a sentence is held against them: the particular before the general. */
export const abilities: readonly Ability[] = [
  delegate,
  todo,
  firstWords,
  rules,
  remember,
  newAbout(() => abilities.map(({ example }) => example)),
  whatWasIn,
  readEvery,
  list,
  edit,
  write,
  runTests,
  runCommand,
  compact,
  snip,
  recall,
  skill,
  callTool,
  read,
  search,
];
