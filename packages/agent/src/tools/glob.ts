import { z } from 'zod';
import type { Folder } from '../world/folder.ts';
import { globPattern } from './glob-pattern.ts';
import { type Tool, tool } from './tool.ts';

const USUAL_LIMIT = 200;

/** A pattern without a slash is meant for names anywhere. */
const matcher = (pattern: string): RegExp =>
  globPattern(pattern.includes('/') ? pattern.replace(/^\.\//, '') : `**/${pattern}`);

export const globTool = (folder: Folder): Tool =>
  tool({
    name: 'glob',
    description:
      'Lists files by pattern (**, *, ?, {a,b}), sorted by name. A pattern without a slash matches names at any depth. Long lists come in parts: pass the last name as "after".',
    input: z.object({
      pattern: z.string().min(1),
      after: z.string().optional().describe('list only names behind this one'),
      limit: z.number().int().positive().max(1_000).optional().describe(`usually ${USUAL_LIMIT}`),
    }),
    async run({ pattern, after, limit = USUAL_LIMIT }, { signal }) {
      const wanted = matcher(pattern);
      const all: string[] = [];
      for await (const name of folder.files('.', signal)) if (wanted.test(name)) all.push(name);
      // By code units, as "after" compares.
      all.sort();
      const from = after === undefined ? 0 : all.findIndex((name) => name > after);
      if (all.length === 0) return { text: `No file matches ${pattern}.` };
      const head = `${all.length} ${all.length === 1 ? 'file matches' : 'files match'} ${pattern}`;
      if (from < 0) return { text: `${head}; none comes behind ${after}.` };
      const shown = all.slice(from, from + limit);
      const isRest = from + shown.length === all.length;
      const range = shown.length === all.length ? '' : ` (${from + 1} to ${from + shown.length} shown)`;
      const more = isRest ? '' : `\n… ${all.length - from - shown.length} more: pass after: "${shown.at(-1)}"`;
      return { text: `${head}${range}:\n${shown.join('\n')}${more}` };
    },
  });
