import { readFileSync, writeFileSync } from 'node:fs';
import { ROOT } from '../list-files.mjs';
import { readBlock, replaceBlock } from '../replace-block.mjs';
import { percentOf } from './report.mjs';

const PAGE = `${ROOT}docs/testing.md`;
const BLOCK = 'mutants';
const HEAD = ['| room | mutants | killed | reasoned | open |', '|---|---|---|---|---|'];

/** Puts the score of a room into its row of the table in docs/testing.md. */
export function recordScore(room, { total, killed, reasoned, open }) {
  const page = readFileSync(PAGE, 'utf8');
  const rows = readBlock(page, BLOCK)
    .split('\n')
    .slice(HEAD.length)
    .filter((row) => !row.startsWith(`| ${room} |`));
  rows.push(`| ${room} | ${total} | ${percentOf(killed, total)} | ${reasoned} | ${open} |`);
  writeFileSync(PAGE, replaceBlock(page, BLOCK, [...HEAD, ...rows.sort()].join('\n')));
}
