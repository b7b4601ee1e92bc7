import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Folder } from '../world/folder.ts';
import type { Permission } from '../world/permission.ts';
import type { ReadMemory } from './read-memory.ts';

export interface Writing {
  readonly folder: Folder;
  readonly memory: ReadMemory;
  readonly permission: Permission;
}

/** Writes inside the folder are the agent's work unless the permission says otherwise; those outside are asked for. Answers with a refusal, or nothing. */
export async function writeWithin(
  { folder, memory, permission }: Writing,
  tool: string,
  path: string,
  content: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const file = folder.at(path);
  if (await folder.holds(path)) {
    const ask = { tool, what: folder.name(path), why: 'it changes a file', content };
    const refusal = await permission.editRefusal?.(ask, signal);
    if (refusal !== undefined) return refusal;
  } else {
    const real = await folder.real(path);
    const what = real === file ? file : `${file} → ${real}`;
    const refusal = await permission.refusal({ tool, what, why: 'the file lies outside the folder', content }, signal);
    if (refusal !== undefined) return refusal;
  }
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  } catch (error) {
    throw new Error(`${folder.name(path)} could not be written: ${(error as Error).message}`, { cause: error });
  } finally {
    memory.forgetFile(file);
  }
  return undefined;
}
