import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FOLDER = new URL('../src/digest/', import.meta.url);
/** Types, and functions that make messages. */
const ALLOWED =
  /^(?:type )?(?:CallPart|Json|Message|NewMessage|Part|ResultPart)$|^(?:assistant|call|result|results|user)$/;
const ALLOWED_FILES = /^\.\/[\w-]+\.ts$|^\.\.\/(?:random|held\/interval)\.ts$/;

it('what judges the digest uses no code that decides what the digest says', () => {
  for (const file of readdirSync(FOLDER)) {
    const source = readFileSync(new URL(file, FOLDER), 'utf8');
    for (const [, names = '', from = ''] of source.matchAll(/^import (?:type )?\{([^}]*)\} from '([^']+)'/gm)) {
      if (from !== '@palimpsest/core') expect(from, file).toMatch(ALLOWED_FILES);
      else
        for (const name of names.split(',').map((one) => one.trim()))
          if (name !== '') expect(name, file).toMatch(ALLOWED);
    }
  }
});
