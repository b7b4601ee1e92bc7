import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { failure, type Tool, tool } from './tool.ts';
import { type Writing, writeWithin } from './writing.ts';

export const editFileTool = (writing: Writing): Tool =>
  tool({
    name: 'edit_file',
    description:
      'Replaces a text in a file by another. old_text must stand there exactly once, letter by letter; with all: true every occurrence is replaced.',
    input: z.object({
      path: z.string().min(1),
      old_text: z.string().min(1),
      new_text: z.string(),
      all: z.boolean().optional(),
    }),
    async run({ path, old_text, new_text, all = false }, { signal }) {
      const name = writing.folder.name(path);
      const before = await readFile(writing.folder.at(path), 'utf8').catch(() => undefined);
      if (before === undefined) return failure(`${name} cannot be read: is it there?`);
      const pieces = before.split(old_text);
      const count = pieces.length - 1;
      if (count === 0) return failure(`old_text does not stand in ${name}: read the file and copy it exactly.`);
      if (count > 1 && !all)
        return failure(`old_text stands in ${name} ${count} times: add lines around it, or pass all: true.`);
      const refusal = await writeWithin(writing, 'edit_file', path, pieces.join(new_text), signal);
      if (refusal !== undefined) return failure(refusal);
      const line = pieces[0]!.split('\n').length;
      return { text: `Replaced ${count} in ${name}${count === 1 ? `, line ${line}` : ''}.` };
    },
  });
