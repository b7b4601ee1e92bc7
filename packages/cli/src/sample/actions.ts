import type { MediaPart } from '@palimpsest/core';
import type { Action } from './tale.ts';

const numberLines = (content: string): string =>
  content
    .trimEnd()
    .split('\n')
    .map((line, i) => `${String(i + 1).padStart(4)}  ${line}`)
    .join('\n');

export const read = (path: string): Action => ({
  tool: 'read_file',
  input: { path },
  run: (files) => {
    const content = files.get(path);
    return content === undefined ? { failed: `no such file: ${path}` } : numberLines(content);
  },
});

/** A search that is really made, line by line. */
export const grep = (pattern: string): Action => ({
  tool: 'grep',
  input: { pattern },
  run(files) {
    const found: string[] = [];
    for (const [path, content] of files)
      content.split('\n').forEach((line, i) => {
        if (line.includes(pattern)) found.push(`${path}:${i + 1}: ${line.trim()}`);
      });
    return found.length === 0 ? 'no matches' : found.join('\n');
  },
});

export const list = (folder: string): Action => ({
  tool: 'glob',
  input: { pattern: `${folder}/**` },
  run: (files) => [...files.keys()].filter((path) => path.startsWith(`${folder}/`)).join('\n'),
});

export const edit = (path: string, before: string, after: string): Action => ({
  tool: 'edit_file',
  input: { path, old_string: before, new_string: after },
  run(files) {
    const content = files.get(path);
    if (content === undefined || !content.includes(before))
      return { failed: `${path} does not hold the text to replace` };
    const places = content.split(before).length - 1;
    files.set(path, content.replaceAll(before, after));
    return `edited ${path}, ${places} ${places === 1 ? 'place' : 'places'}`;
  },
});

/** The host's guard: what the user said about this folder is enforced where the tools are. */
export const write = (path: string, content: string): Action => ({
  tool: 'write_file',
  input: { path, content },
  run(files) {
    if (path.startsWith('migrations/'))
      return { failed: `refused: ${path} is in a folder the user does not want touched` };
    files.set(path, content);
    return `wrote ${path}, ${content.length} characters`;
  },
});

export const shell = (command: string, output: string, failed = false): Action => ({
  tool: 'bash',
  input: { command },
  run: () => (failed ? { failed: output } : output),
});

export const fetchPage = (url: string, page: string): Action => ({
  tool: 'web_fetch',
  input: { url },
  run: () => page,
});

export const look = (url: string, picture: MediaPart): Action => ({
  tool: 'screenshot',
  input: { url },
  run: () => [{ type: 'text', text: `${url}, ${picture.width} × ${picture.height}` }, picture],
});
