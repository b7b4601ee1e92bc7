/** Hands events on as soon as they are whole, so that a stream can be ended, or something put into it, between any two. */
export interface EventCutter {
  /** The whole events that a chunk completes; undefined where it completes none. */
  cut(chunk: Buffer): Buffer | undefined;
  /** The begun event at the end of the stream. */
  rest(): Buffer | undefined;
}

const ENDS = ['\n\n', '\r\n\r\n', '\r\r'] as const;
/** One less than the longest end: it may come in as many chunks as it has bytes. */
const OVERLAP = 3;

const NOTHING = Buffer.alloc(0);

/** Events are parted by an empty line. Their bytes are never changed. */
export function createEventCutter(): EventCutter {
  let begun: Buffer[] = [];
  /** The last bytes of the begun event. */
  let tail: Buffer = NOTHING;
  return {
    cut(chunk) {
      const searched = tail.length === 0 ? chunk : Buffer.concat([tail, chunk]);
      const end = Math.max(...ENDS.map((one) => findEnd(searched, one))) - tail.length;
      if (end <= 0) {
        begun.push(chunk);
        tail = searched.subarray(-OVERLAP);
        return undefined;
      }
      const whole = Buffer.concat([...begun, chunk.subarray(0, end)]);
      begun = end < chunk.length ? [chunk.subarray(end)] : [];
      tail = chunk.subarray(end).subarray(-OVERLAP);
      return whole;
    },
    rest: () => (begun.length === 0 ? undefined : Buffer.concat(begun)),
  };
}

/** Where the last event ends; -1 for none. */
function findEnd(bytes: Buffer, mark: string): number {
  const at = bytes.lastIndexOf(mark, undefined, 'latin1');
  return at < 0 ? -1 : at + mark.length;
}
