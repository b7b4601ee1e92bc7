import { clip, formatNumber, listenToKeys, newLiveArea, openWriter, type Paint } from '@palimpsest/terminal';
import { systemClock } from '@palimpsest/wire';
import type { Beat } from '../sample/play.ts';
import { playSample } from '../sample/play-sample.ts';
import { processStreams, type Terminal } from '../terminal.ts';

/** A person can follow it at this pace; a compaction is looked at for longer. */
const BEAT_MS = 45;
const RECEIPT_MS = 700;
const GAUGE = 40;

/** The sample with its gauge moving, until its end or until the person leaves: space pauses, f hurries, q leaves. */
export async function watchSample(terminal: Terminal): Promise<void> {
  const { stdin, stdout } = processStreams();
  const out = openWriter(stdout, terminal.environment);
  const area = newLiveArea(out);
  const left = new AbortController();
  const state = { beat: undefined as Beat | undefined, isPaused: false, isHurried: false, wake: (): void => {} };
  const columns = (): number => Math.max(20, (out.columns() ?? 80) - 1);
  const draw = (): void => {
    if (state.beat === undefined) return;
    const lines = ['', ...gaugeLines(state.beat, state.isPaused, out.paint, columns())];
    area.paint(lines, { line: lines.length - 1, column: 0 });
  };
  const keys = listenToKeys(stdin, out, (typed, { name, ctrl }) => {
    if (typed === 'q' || name === 'escape' || (ctrl === true && name === 'c')) left.abort();
    else if (name === 'space' || typed === ' ') state.isPaused = !state.isPaused;
    else if (typed === 'f') [state.isHurried, state.isPaused] = [!state.isHurried, false];
    state.wake();
    draw();
  });
  const rest = async (ms: number): Promise<void> => {
    if (!state.isHurried) await systemClock.wait(ms, left.signal);
    while (state.isPaused && !left.signal.aborted)
      await new Promise<void>((resolve) => {
        state.wake = resolve;
      });
    left.signal.throwIfAborted();
  };
  const onBeat = async (beat: Beat): Promise<void> => {
    state.beat = beat;
    draw();
    await rest(beat.isCompacted ? RECEIPT_MS : BEAT_MS);
  };
  const onResize = (): void => {
    area.resize();
    draw();
  };
  stdout.on('resize', onResize);
  const shown: Terminal = { ...terminal, print: (line = '') => area.print([line]), signal: left.signal };
  try {
    await playSample(shown, { onBeat });
  } catch (error) {
    if (!left.signal.aborted) throw error;
  } finally {
    stdout.off('resize', onResize);
    area.close();
    keys.close();
  }
}

/** Where the session is, how full its window, and what the keys do. */
function gaugeLines(beat: Beat, isPaused: boolean, paint: Paint, columns: number): readonly string[] {
  const { turn, call, tokens, window, trigger } = beat;
  const bar = Math.max(10, Math.min(GAUGE, columns - 36));
  const [full, mark] = [Math.min(bar, Math.round((tokens / window) * bar)), Math.round((trigger / window) * bar)];
  const cells = Array.from({ length: bar }, (_, i) => (i < full ? '█' : i === mark ? '│' : '░')).join('');
  const colour = tokens >= trigger ? paint.red : tokens >= trigger * 0.8 ? paint.yellow : paint.green;
  const keys = isPaused ? 'paused: space goes on · q leaves' : 'space pauses · f hurries · q leaves';
  return [
    clip(`turn ${turn}, call ${call}: the view has ${formatNumber(tokens)} of ${formatNumber(window)} tokens`, columns),
    `${colour(cells)} ${paint.dim(`compacts at ${formatNumber(trigger)}`)}`,
    paint.dim(clip(keys, columns)),
  ];
}
