import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly file: string;
}

/** The skills of a folder: `NAME/SKILL.md` each, with name and description in its front matter or as its first lines. */
export async function readSkills(dir: string): Promise<readonly Skill[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => !entry.isFile()).map((entry) => entry.name);
  const found = await Promise.all(names.sort().map((name) => readSkill(name, join(dir, name, 'SKILL.md'))));
  return found.filter((skill) => skill !== undefined);
}

async function readSkill(folder: string, file: string): Promise<Skill | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { fields, body } = splitFrontMatter(text);
  const firstLine = body.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#'));
  return { name: fields.name ?? folder, description: fields.description ?? firstLine?.trim() ?? '', file };
}

/** `key: value` lines between two lines of `---`; quotes around a value are not part of it. */
function splitFrontMatter(text: string): { readonly fields: Readonly<Record<string, string>>; readonly body: string } {
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/.exec(text);
  if (match === null) return { fields: {}, body: text };
  const fields: Record<string, string> = {};
  for (const line of match[1]!.split(/\r?\n/)) {
    const pair = /^(\w+)\s*:\s*(.*)$/.exec(line);
    if (pair !== null) fields[pair[1]!] = pair[2]!.trim().replace(/^(["'])(.*)\1$/, '$2');
  }
  return { fields, body: text.slice(match[0].length) };
}

export const readSkillText = async ({ file }: Skill): Promise<string> => {
  const { body } = splitFrontMatter(await readFile(file, 'utf8'));
  return body.trim();
};
