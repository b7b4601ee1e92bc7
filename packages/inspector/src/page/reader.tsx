import { useEffect, useState } from 'preact/hooks';
import type { ReadText } from '../model/inspection.ts';
import { formatNumber } from './format.ts';
import { source } from './state.ts';

/** A text of the session, asked for when it is to be read, and shown as text. */
export function Reader({ course, name }: { readonly course: string; readonly name: string }) {
  const [pages, setPages] = useState<readonly ReadText[]>([]);
  const [told, setTold] = useState<string | undefined>('Reading…');
  const read = pages.reduce((sum, page) => sum + page.text.length, 0);
  const more = (pages.at(-1)?.chars ?? 0) - read;
  useEffect(() => {
    let isWanted = true;
    setPages([]);
    setTold('Reading…');
    source.text(course, name).then(
      (page) => {
        if (!isWanted) return;
        setPages(page === undefined ? [] : [page]);
        setTold(page === undefined ? 'This text is not in the file.' : undefined);
      },
      (error: Error) => isWanted && setTold(error.message),
    );
    return () => {
      isWanted = false;
    };
  }, [course, name]);
  const readOn = async (): Promise<void> => {
    const page = await source.text(course, name, read);
    if (page !== undefined) setPages([...pages, page]);
  };
  return (
    <div class="reader">
      {told !== undefined && <p class="note">{told}</p>}
      {pages.map((page, i) => (
        <pre key={i} dir="auto">
          {page.text}
        </pre>
      ))}
      {more > 0 && pages.length > 0 && (
        <button type="button" onClick={readOn}>
          {formatNumber(more)} more characters
        </button>
      )}
    </div>
  );
}
