import { padEnd, padStart } from '@palimpsest/terminal';

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The value as it is written beside the bar. */
  readonly told: string;
}

/** Eighths of a column. */
const PARTS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

function drawBar(share: number, columns: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * columns * 8);
  return '█'.repeat(eighths >> 3) + (PARTS[eighths & 7] ?? '');
}

/** One line a bar, the longest as long as there is room. `from` is where bars begin: small differences of large values are seen then. */
export function drawBarChart(bars: readonly Bar[], columns: number, from = 0): readonly string[] {
  const label = Math.max(...bars.map((bar) => bar.label.length)) + 1;
  const told = Math.max(...bars.map((bar) => bar.told.length)) + 1;
  const most = Math.max(...bars.map((bar) => bar.value)) - from;
  const room = Math.max(8, columns - label - told - 1);
  return bars.map(
    (bar) =>
      `${padEnd(bar.label, label)}${padStart(bar.told, told)} ${drawBar(most <= 0 ? 0 : (bar.value - from) / most, room)}`,
  );
}
