import { useState } from 'preact/hooks';
import { formatNumber } from './format.ts';

const PAGE = 200;

interface TableTwinProps {
  readonly title: string;
  readonly head: readonly string[];
  readonly count: number;
  readonly row: (place: number) => readonly string[];
}

/** The numbers of a chart, behind a line that opens them. Long ones come in pages. */
export function TableTwin({ title, head, count, row }: TableTwinProps) {
  const [isOpen, setOpen] = useState(false);
  const [page, setPage] = useState(0);
  const from = page * PAGE;
  const places = Array.from({ length: Math.max(0, Math.min(PAGE, count - from)) }, (_, i) => from + i);
  return (
    <details class="twin" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && (
        <div class="scroll-x">
          <table>
            <caption class="hush">{title}</caption>
            <thead>
              <tr>
                {head.map((word) => (
                  <th key={word} scope="col">
                    {word}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {places.map((place) => {
                const [first, ...cells] = row(place);
                return (
                  <tr key={place}>
                    <th scope="row">{first}</th>
                    {cells.map((cell, i) => (
                      <td key={head[i + 1]}>{cell}</td>
                    ))}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {isOpen && count > PAGE && (
        <p class="pages">
          <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>
            before
          </button>
          {formatNumber(from + 1)}–{formatNumber(Math.min(count, from + PAGE))} of {formatNumber(count)}
          <button type="button" disabled={from + PAGE >= count} onClick={() => setPage(page + 1)}>
            next
          </button>
        </p>
      )}
    </details>
  );
}
