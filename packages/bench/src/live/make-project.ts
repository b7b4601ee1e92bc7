import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The value that only file `n` has. */
export const factOf = (n: number): string => String(200_003 + n * 6_151);

const nameOf = (n: number): string => `part-${String(n).padStart(3, '0')}.ts`;

export const pathOf = (n: number): string => `lib/${nameOf(n)}`;

/** A folder of source files, each with one value that a model could be asked for later. */
export function makeProject(folder: string, files: number): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'lib'), { recursive: true });
  for (let n = 0; n < files; n++) {
    const steps = Array.from(
      { length: 36 },
      (_, i) => `  total += weigh(rows[${i}], ${n + i}); // step ${i} of part ${n}`,
    );
    const text = [
      `/** Part ${n} of the ledger. */`,
      `export const CEILING_${n} = ${factOf(n)};`,
      `export function settle${n}(rows: Row[]): number {`,
      '  let total = 0;',
      ...steps,
      `  return Math.min(total, CEILING_${n});`,
      '}',
      '',
    ];
    writeFileSync(join(folder, 'lib', nameOf(n)), text.join('\n'));
  }
}
