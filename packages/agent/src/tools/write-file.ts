import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { failure, type Tool, tool } from './tool.ts';
import { type Writing, writeWithin } from './writing.ts';

export const writeFileTool = (writing: Writing): Tool =>
  tool({
    name: 'write_file',
    description: 'Writes a file, with all folders on the way to it. What it held before is replaced as a whole.',
    input: z.object({ path: z.string().min(1), content: z.string() }),
    async run({ path, content }, { signal }) {
      const name = writing.folder.name(path);
      const before = await stat(writing.folder.at(path)).catch(() => undefined);
      if (before?.isDirectory() === true) return failure(`${name} is a folder.`);
      const refusal = await writeWithin(writing, 'write_file', path, content, signal);
      if (refusal !== undefined) return failure(refusal);
      const lines = content === '' ? 0 : content.replace(/\n$/, '').split('\n').length;
      return {
        text: `${before === undefined ? 'Wrote' : 'Replaced'} ${name} (${lines} ${lines === 1 ? 'line' : 'lines'}).`,
      };
    },
  });
