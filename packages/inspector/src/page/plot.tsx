import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { theme } from './state.ts';

/** What one chart is made of, once its colours are known. */
export interface PlotProps {
  readonly height: number;
  readonly data: uPlot.AlignedData;
  /** Made anew where colours or the number of series change. */
  readonly options: () => Omit<uPlot.Options, 'width' | 'height'>;
  /** Another value: the chart is made anew, not only filled anew. */
  readonly shape: string;
  /** Whatever is drawn over the data changed. */
  readonly marks: string;
  readonly label: string;
  readonly onPick?: (index: number) => void;
  readonly onHover?: (index: number | undefined) => void;
}

/** Half of a mark, in pixels. */
const HEAD = 5;

/** A chart on a canvas. Screen readers are told its label; the numbers stand in a table beside it. */
export function Plot({ height, data, options, shape, marks, label, onPick, onHover }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const told = useRef({ onPick, onHover });
  told.current = { onPick, onHover };
  const dress = theme.value;
  useEffect(() => {
    const home = box.current;
    if (home === null) return undefined;
    const made = new uPlot(
      withHovering({ ...options(), width: home.clientWidth || 600, height }, (index) => told.current.onHover?.(index)),
      data,
      home,
    );
    plot.current = made;
    made.over.addEventListener('click', () => {
      const call = findCall(made);
      if (call !== undefined && made.select.width < 3) told.current.onPick?.(call);
    });
    // Marks stand above the chart itself, each at the beginning of its call.
    home.addEventListener('click', ({ clientX, clientY }) => {
      const { top, left, right } = made.over.getBoundingClientRect();
      if (clientY < top && clientX >= left - HEAD && clientX <= right)
        told.current.onPick?.(Math.max(0, Math.round(made.posToVal(clientX - left, 'x')) - 1));
    });
    const seen = new ResizeObserver(() => made.setSize({ width: home.clientWidth || 600, height }));
    seen.observe(home);
    return () => {
      seen.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [shape, dress, height]);
  useEffect(() => plot.current?.setData(data, true), [data]);
  useEffect(() => plot.current?.redraw(false), [marks]);
  return <div class="plot" ref={box} role="img" aria-label={label} />;
}

/** The call whose step the pointer is over, from 0: steps begin at the number of their call. */
function findCall(plot: uPlot): number | undefined {
  const { left = -1 } = plot.cursor;
  return left < 0 ? undefined : Math.max(0, Math.floor(plot.posToVal(left, 'x')) - 1);
}

function withHovering(options: uPlot.Options, onHover: (index: number | undefined) => void): uPlot.Options {
  const { hooks = {} } = options;
  return {
    ...options,
    hooks: {
      ...hooks,
      setCursor: [...(hooks.setCursor ?? []), (plot) => onHover(findCall(plot))],
    },
  };
}
