import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatNumber } from './format.ts';

interface RowsProps {
  readonly count: number;
  /** Of one row, in pixels. */
  readonly height: number;
  /** Of the whole list, in pixels. */
  readonly most: number;
  readonly label: string;
  readonly render: (place: number) => ComponentChildren;
  /** The row that is to be in sight. */
  readonly sought?: number | undefined;
}

const SPARE = 8;

/** A long list, of which only what is in sight is in the document. */
export function Rows({ count, height, most, label, render, sought }: RowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const room = Math.min(most, Math.max(height, count * height));
  useEffect(() => {
    if (box.current === null || sought === undefined || sought < 0) return;
    const at = sought * height;
    const { scrollTop } = box.current;
    if (at < scrollTop || at + height > scrollTop + room) box.current.scrollTop = Math.max(0, at - room / 2);
  }, [sought, height, room]);
  const first = Math.max(0, Math.floor(top / height) - SPARE);
  const last = Math.min(count, Math.ceil((top + room) / height) + SPARE);
  // What scrolls out of sight is used again for what comes in.
  const pool = Math.ceil(room / height) + 2 * SPARE + 2;
  const places = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
  const below = Math.max(0, Math.floor((count * height - top - room) / height + 0.5));
  return (
    <>
      <div
        class="rows"
        ref={box}
        style={{ height: `${room}px` }}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      >
        <ul aria-label={label} style={{ height: `${count * height}px` }}>
          {places.map((place) => (
            <li
              key={place % pool}
              aria-setsize={count}
              aria-posinset={place + 1}
              style={{ top: `${place * height}px`, height: `${height}px` }}
            >
              {render(place)}
            </li>
          ))}
        </ul>
      </div>
      {count * height > room && (
        <p class="more" aria-hidden="true">
          {below > 0 ? `↓ ${formatNumber(below)} more below` : 'the end of the list'}
        </p>
      )}
    </>
  );
}
