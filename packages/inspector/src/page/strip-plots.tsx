import { useMemo, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { type Course, KINDS } from '../model/inspection.ts';
import { kindColour, readColour } from './colours.ts';
import { formatShort } from './format.ts';
import { Plot } from './plot.tsx';
import { course, goToCall, goToCliff, hoveredCall, selectedCall } from './state.ts';
import { KIND_WORDS } from './words.ts';

/** From the bottom of the stack to its top. */
const STACK = KINDS;
const GUTTER = 58;
const step = uPlot.paths.stepped?.({ align: 1 });

/** The calls as a chart has them: one more at the end, so that the last is as wide as the others. */
const extend = (values: readonly number[]): number[] => [...values, values.at(-1) ?? 0];
const callNumbers = ({ calls }: Course): number[] => [...calls.at.map((_, i) => i + 1), calls.at.length + 1];

function stackKinds({ calls }: Course): number[][] {
  const stacked: number[][] = [];
  let below = calls.at.map(() => 0);
  for (const kind of STACK) {
    const tokens = calls.kinds[KINDS.indexOf(kind)] ?? [];
    below = below.map((sum, i) => sum + (tokens[i] ?? 0));
    stacked.push(extend(below));
  }
  return stacked.reverse();
}

const sync = { key: 'calls', setSeries: false };
const cursor = { sync, drag: { x: true, y: false, setScale: true }, points: { show: false } } as const;

/** Where a scale is too small for its labels, each stands once. */
const dropRepeated = (labels: readonly string[]): string[] =>
  labels.map((label, i) => (i > 0 && label === labels[i - 1] ? '' : label));

const axesOf = (size: number, values: (value: number) => string, hasCalls: boolean): uPlot.Axis[] => {
  const [stroke, grid] = [readColour('quiet'), readColour('grid')];
  const font = '11px system-ui, sans-serif';
  return [
    {
      stroke,
      font,
      grid: { show: false },
      ticks: { show: false },
      show: hasCalls,
      size: 24,
      incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000],
    },
    {
      stroke,
      font,
      size: GUTTER,
      gap: 4,
      space: size,
      grid: { stroke: grid, width: 1 },
      ticks: { show: false },
      values: (_, all) => dropRepeated(all.map(values)),
    },
  ];
};

/** Compactions before the same call: one mark, and how many it stands for. */
interface Mark {
  readonly call: number;
  readonly count: number;
  /** One of them at least was not taken back. */
  readonly stands: boolean;
}

function listMarks({ cliffs }: Course): readonly Mark[] {
  const marks = new Map<number, Mark>();
  for (const { call, declared, undoneAt } of cliffs) {
    if (!declared) continue;
    const { count = 0, stands = false } = marks.get(call) ?? {};
    marks.set(call, { call, count: count + 1, stands: stands || undoneAt === undefined });
  }
  return [...marks.values()];
}

/** Vertical marks: compactions, and the call that is looked at. */
function drawMarks(plot: uPlot, shown: Course, hasHeads: boolean): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const [strong, faint, chosen] = [readColour('cliff'), readColour('cliff-faint'), readColour('chosen')];
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top - 10 * ratio, bbox.width, bbox.height + 10 * ratio);
  ctx.clip();
  const xOf = (call: number): number => plot.valToPos(call + 1, 'x', true);
  const marks = listMarks(shown);
  plot.root.dataset.marks = marks.map(({ call, count }) => `${call + 1}${count > 1 ? `×${count}` : ''}`).join(' ');
  for (const { call, count, stands } of marks) {
    const x = xOf(call);
    ctx.strokeStyle = stands ? strong : faint;
    ctx.setLineDash(stands ? [] : [3 * ratio, 3 * ratio]);
    ctx.lineWidth = ratio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    if (!hasHeads) continue;
    ctx.fillStyle = ctx.strokeStyle;
    ctx.beginPath();
    ctx.moveTo(x - 5 * ratio, bbox.top - 8 * ratio);
    ctx.lineTo(x + 5 * ratio, bbox.top - 8 * ratio);
    ctx.lineTo(x, bbox.top);
    ctx.fill();
    if (count > 1) writeCount(plot, x, count);
  }
  ctx.setLineDash([]);
  const from = xOf(selectedCall.peek());
  const to = xOf(selectedCall.peek() + 1);
  ctx.fillStyle = chosen;
  ctx.fillRect(from, bbox.top, Math.max(2 * ratio, to - from), bbox.height);
  ctx.restore();
}

/** Beside the head of a mark that stands for several; on its left where there is no room on its right. */
function writeCount({ ctx, bbox }: uPlot, x: number, count: number): void {
  const ratio = devicePixelRatio;
  const isAtEnd = x > bbox.left + bbox.width - 24 * ratio;
  ctx.font = `${10 * ratio}px system-ui, sans-serif`;
  ctx.textAlign = isAtEnd ? 'right' : 'left';
  ctx.textBaseline = 'bottom';
  ctx.fillText(`×${count}`, x + (isAtEnd ? -6 : 6) * ratio, bbox.top + ratio);
}

/** Window, trigger and target, where they lie within the chart. */
function drawLines(plot: uPlot, { budget }: Course): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const named = [
    ['window', budget.window],
    ['trigger', budget.trigger],
    ['target', budget.target],
  ] as const;
  ctx.save();
  ctx.font = `${11 * ratio}px system-ui, sans-serif`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'alphabetic';
  ctx.strokeStyle = readColour('line');
  ctx.setLineDash([6 * ratio, 4 * ratio]);
  ctx.lineWidth = ratio;
  for (const [name, tokens] of named) {
    if (tokens === undefined || tokens > (plot.scales.y?.max ?? 0)) continue;
    const y = plot.valToPos(tokens, 'y', true);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    const words = `${name} ${formatShort(tokens)}`;
    const { width } = ctx.measureText(words);
    const left = bbox.left + bbox.width - width - 8 * ratio;
    ctx.fillStyle = readColour('label');
    ctx.fillRect(left - 4 * ratio, y - 16 * ratio, width + 8 * ratio, 15 * ratio);
    ctx.fillStyle = readColour('text');
    ctx.fillText(words, left, y - 5 * ratio);
  }
  ctx.restore();
}

/** Where the window lies far above all views, it is named in words and not drawn: the views are to be seen. */
const rangeOf =
  (now: { readonly current: Course }) =>
  (_: uPlot, _least: number, most: number): [number, number] => {
    const { budget } = now.current;
    const lines = [budget.window, budget.trigger, budget.target].filter(
      (tokens): tokens is number => tokens !== undefined && tokens <= most * 2.2,
    );
    return [0, Math.max(1, most, ...lines) * 1.06];
  };

const pick = (shown: Course) => (index: number) => {
  const cliff = shown.cliffs.findLastIndex((one) => one.declared && one.call === index);
  if (cliff >= 0) goToCliff(cliff);
  else goToCall(Math.min(index, shown.calls.at.length - 1));
};

const hover = (index: number | undefined): void => {
  hoveredCall.value = index === undefined ? undefined : Math.min(index, (course.peek()?.calls.at.length ?? 1) - 1);
};

/** A chart is made once and filled anew as the session goes on: what it draws besides is read when it draws. */
function useNewest(shown: Course): { readonly current: Course } {
  const now = useRef(shown);
  now.current = shown;
  return now;
}

const marksOf = (shown: Course): string => `${shown.name} ${selectedCall.value}`;

/** The views, stacked by kind, with compactions as marks and the budget as lines. */
export function ViewPlot({ shown }: { readonly shown: Course }) {
  const data = useMemo<uPlot.AlignedData>(() => [callNumbers(shown), ...stackKinds(shown)], [shown]);
  const now = useNewest(shown);
  const options = () => ({
    padding: [12, 14, 0, 0] as uPlot.Padding,
    legend: { show: false },
    cursor,
    scales: { x: { time: false }, y: { range: rangeOf(now) } },
    axes: axesOf(34, formatShort, false),
    series: [
      {},
      ...STACK.toReversed().map((kind) => ({
        label: KIND_WORDS[kind],
        fill: kindColour(kind),
        width: 0,
        points: { show: false },
        ...(step === undefined ? {} : { paths: step }),
      })),
    ],
    hooks: {
      draw: [
        (plot: uPlot) => {
          drawMarks(plot, now.current, true);
          drawLines(plot, now.current);
        },
      ],
    },
  });
  return (
    <Plot
      height={180}
      data={data}
      options={options}
      shape={shown.name}
      marks={marksOf(shown)}
      label={`Tokens of the view at each of ${shown.calls.at.length} calls, by kind, with ${shown.cliffs.filter((one) => one.declared).length} compactions. The table below has the numbers.`}
      onPick={pick(shown)}
      onHover={hover}
    />
  );
}

interface BandProps {
  readonly shown: Course;
  readonly series: readonly {
    readonly values: readonly number[];
    readonly colour: string;
    readonly isLine?: true;
    readonly scale?: string;
  }[];
  readonly height: number;
  readonly label: string;
  readonly shape: string;
  readonly values?: (value: number) => string;
  readonly isMirrored?: true;
  readonly hasCalls?: true;
}

/** One of the narrow charts below the strip. */
export function Band({ shown, series, height, label, shape, values = formatShort, isMirrored, hasCalls }: BandProps) {
  const data = useMemo<uPlot.AlignedData>(
    () => [callNumbers(shown), ...series.map((one) => extend(one.values))],
    [series, shown],
  );
  const now = useNewest(shown);
  const options = () => ({
    padding: [4, 14, hasCalls ? 0 : 6, 0] as uPlot.Padding,
    legend: { show: false },
    cursor,
    scales: {
      x: { time: false },
      y: {
        dir: isMirrored ? (-1 as const) : (1 as const),
        range: (_: uPlot, _least: number, most: number): [number, number] => [0, Math.max(most, 1e-9) * 1.05],
      },
      sum: { range: (_: uPlot, _least: number, most: number): [number, number] => [0, Math.max(most, 1e-9) * 1.05] },
    },
    // Zero of a chart that hangs down stands where zero of the one above stands.
    axes: axesOf(22, (value) => (isMirrored && value === 0 ? '' : values(value)), hasCalls === true),
    series: [
      {},
      ...series.map(({ colour, isLine, scale = 'y' }) => ({
        scale,
        ...(isLine ? { stroke: readColour(colour), width: 1.5 } : { fill: readColour(colour), width: 0 }),
        points: { show: false },
        ...(step === undefined || isLine ? {} : { paths: step }),
      })),
    ],
    hooks: { draw: [(plot: uPlot) => drawMarks(plot, now.current, false)] },
  });
  return (
    <Plot
      height={height}
      data={data}
      options={options}
      shape={`${shown.name} ${shape}`}
      marks={marksOf(shown)}
      label={label}
      onPick={pick(shown)}
      onHover={hover}
    />
  );
}
