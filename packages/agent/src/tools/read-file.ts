import { readFile, stat } from 'node:fs/promises';
import { keepHead } from '@palimpsest/terminal';
import { z } from 'zod';
import type { Folder } from '../world/folder.ts';
import type { ReadMemory } from './read-memory.ts';
import { failure, type Tool, tool } from './tool.ts';

const USUAL_LINES = 2_000;
const MOST_CHARS = 256_000;
const LARGEST_FILE_BYTES = 20_000_000;

export const readFileTool = (folder: Folder, memory: ReadMemory): Tool =>
  tool({
    name: 'read_file',
    description: `Reads a text file, or a part of it: offset is the first line (from 1), limit how many (usually ${USUAL_LINES}). A part that you were shown and that has not changed is not shown again.`,
    input: z.object({
      path: z.string().min(1),
      offset: z.number().int().positive().optional(),
      limit: z.number().int().positive().optional(),
    }),
    async run({ path, offset = 1, limit = USUAL_LINES }) {
      const file = folder.at(path);
      const name = folder.name(path);
      const found = await stat(file).catch(() => undefined);
      if (found === undefined) return failure(`There is no file ${name}.`);
      if (found.isDirectory()) return failure(`${name} is a folder: list it with glob "${name}/*".`);
      if (found.size > LARGEST_FILE_BYTES)
        return failure(`${name} has ${found.size} bytes: look into it with grep or bash.`);
      const whole = await readFile(file, 'utf8');
      if (whole.slice(0, 8_000).includes('\0')) return failure(`${name} is no text file (${found.size} bytes).`);
      const lines = whole.split('\n');
      if (lines.at(-1) === '') lines.pop();
      if (offset > Math.max(1, lines.length))
        return failure(`${name} has ${lines.length} lines; there is no line ${offset}.`);
      const content = keepHead(lines.slice(offset - 1, offset - 1 + limit).join('\n'), MOST_CHARS);
      const last = offset + content.split('\n').length - 1;
      if (memory.knows(file, `${offset}:${limit}`, content))
        return { text: `${name} has not changed since you read it above.` };
      if (lines.length === 0) return { text: `${name} is empty.` };
      const more = last < lines.length ? `; read on with offset ${last + 1}` : '';
      return { text: `${name} (lines ${offset} to ${last} of ${lines.length}${more})\n${content}` };
    },
  });
