import { driveFixedPart, type FixedPartOutcome } from '@palimpsest/testing';
import type { Bench, Print } from '../bench.ts';
import { formatNumber, formatVerdict } from '../figures.ts';

const WINDOWS = [16_000, 60_000, 200_000] as const;
/** From nothing to 95 % of the window. */
const SHARES = Array.from({ length: 20 }, (_, i) => i / 20);
/** Of the window; undefined: not stated. */
const OUTPUTS = [undefined, 0.25, 0.5, 1] as const;
const ROUNDS = 60;

interface Cell extends FixedPartOutcome {
  readonly window: number;
  readonly share: number;
}

/** Whatever is sent besides the messages: do the newest request and the rules stay, or is it said why they cannot? */
export const limitsBench: Bench<readonly Cell[]> = {
  name: 'limits',
  async run() {
    const cells: Cell[] = [];
    for (const window of WINDOWS)
      for (const share of SHARES)
        for (const output of OUTPUTS) {
          const maxOutput = output === undefined ? {} : { maxOutput: window * output };
          cells.push({ window, share, ...(await driveFixedPart({ window, share, ...maxOutput }, ROUNDS)) });
        }
    return cells;
  },
  print(cells, print) {
    print(`Sessions of ${ROUNDS} rounds with three requests and three rules, default preset, no model;`);
    print(`max_tokens unstated, a quarter, half and all of the window. n = ${cells.length} sessions,`);
    print(
      `${formatNumber(sumOf(cells, 'views'))} views. Per window: compactions; words lost; views under the status "overhead".`,
    );
    print('');
    print(`| fixed part | ${WINDOWS.map(formatNumber).join(' | ')} |`);
    print(`|---|${WINDOWS.map(() => '---').join('|')}|`);
    for (const share of SHARES) printRow(cells, share, print);
    const isMet = sumOf(cells, 'lost') + sumOf(cells, 'unfit') === 0;
    print('');
    print(
      `The newest request and every rule verbatim, or the status: ${formatVerdict(isMet)} (${sumOf(cells, 'lost')} lost, ${sumOf(cells, 'unfit')} that do not fit).`,
    );
    return isMet;
  },
};

function printRow(cells: readonly Cell[], share: number, print: Print): void {
  const columns = WINDOWS.map((window) => {
    const own = cells.filter((cell) => cell.window === window && cell.share === share);
    return `${sumOf(own, 'compactions')}; ${sumOf(own, 'lost')}; ${sumOf(own, 'typed')} of ${sumOf(own, 'views')}`;
  });
  print(`| ${Math.round(share * 100)} % | ${columns.join(' | ')} |`);
}

const sumOf = (cells: readonly Cell[], figure: keyof FixedPartOutcome): number =>
  cells.reduce((sum, cell) => sum + cell[figure], 0);
