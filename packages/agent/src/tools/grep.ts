import { readFile, stat } from 'node:fs/promises';
import { keepHead } from '@palimpsest/terminal';
import { z } from 'zod';
import type { Folder } from '../world/folder.ts';
import { globPattern } from './glob-pattern.ts';
import { failure, type Tool, tool } from './tool.ts';

const MOST_MATCHES = 200;
const LONGEST_LINE_CHARS = 300;
const LARGEST_FILE_BYTES = 2_000_000;

export const grepTool = (folder: Folder): Tool =>
  tool({
    name: 'grep',
    description:
      'Searches the lines of files for a regular expression (JavaScript) and answers with file:line: text. Give path to search one folder or file, files to search only names that match a glob.',
    input: z.object({
      pattern: z.string().min(1),
      path: z.string().optional(),
      files: z.string().optional().describe('a glob such as *.ts'),
      ignore_case: z.boolean().optional(),
    }),
    async run({ pattern, path = '.', files, ignore_case }, { signal }) {
      let wanted: RegExp;
      try {
        wanted = new RegExp(pattern, ignore_case === true ? 'i' : '');
      } catch (error) {
        return failure(`${(error as Error).message}: escape what is meant literally.`);
      }
      const names = files === undefined ? undefined : globPattern(files.includes('/') ? files : `**/${files}`);
      const found: string[] = [];
      const inFiles = new Set<string>();
      for await (const name of folder.files(path, signal)) {
        if (names?.test(name) === false) continue;
        for (const [at, line] of (await linesOf(folder.at(name))).entries()) {
          if (!wanted.test(line)) continue;
          if (found.length === MOST_MATCHES)
            return { text: `${headOf(found, inFiles, true)}\n${found.join('\n')}\n… more: narrow the search.` };
          found.push(`${name}:${at + 1}: ${keepHead(line.trim(), LONGEST_LINE_CHARS)}`);
          inFiles.add(name);
        }
      }
      return {
        text: found.length === 0 ? `No line matches ${pattern}.` : `${headOf(found, inFiles)}\n${found.join('\n')}`,
      };
    },
  });

const headOf = (found: readonly string[], inFiles: ReadonlySet<string>, isMore = false): string =>
  `${isMore ? 'The first ' : ''}${found.length} ${found.length === 1 ? 'match' : 'matches'} in ${inFiles.size} ${inFiles.size === 1 ? 'file' : 'files'}:`;

async function linesOf(path: string): Promise<readonly string[]> {
  const size = (await stat(path).catch(() => undefined))?.size ?? Infinity;
  if (size > LARGEST_FILE_BYTES) return [];
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.slice(0, 8_000).includes('\0') ? [] : text.split('\n');
}
