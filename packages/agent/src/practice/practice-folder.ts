import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AgentError } from '../agent-error.ts';
import { shopFiles } from './shop-files.ts';

/** A small shop to try the agent in, below the agent's own folder. What is there already stays as it is. */
export async function preparePractice(home: string): Promise<string> {
  const root = join(home, 'practice', 'corner-shop');
  try {
    for (const [path, text] of shopFiles()) {
      const file = join(root, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
    }
  } catch (error) {
    throw new AgentError('cannot-write', `the practice folder ${root} could not be written: ${String(error)}`, {
      cause: error,
    });
  }
  return root;
}
