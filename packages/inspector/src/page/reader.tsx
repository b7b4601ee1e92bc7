import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReadText, Stretch } from '../model/inspection.ts';
import { nameExcerpt } from '../model/name-excerpt.ts';
import { formatNumber } from './format.ts';
import { source } from './state.ts';

/** A text of the session, asked for when it is to be read, and shown as text. */
export function Reader({ course, name }: { readonly course: string; readonly name: string }) {
  const [pages, setPages] = useState<readonly ReadText[]>([]);
  const [told, setTold] = useState<string | undefined>('Reading…');
  const box = useRef<HTMLDivElement>(null);
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
  // What was opened is brought into sight once it is there.
  const isThere = pages.length > 0;
  useEffect(() => {
    const opened = box.current?.closest('.opened');
    if (isThere && opened?.querySelector('.reader') === box.current) opened?.scrollIntoView({ block: 'nearest' });
  }, [isThere, name]);
  const readOn = async (): Promise<void> => {
    const page = await source.text(course, name, read);
    if (page !== undefined) setPages([...pages, page]);
  };
  return (
    <div class="reader" ref={box}>
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

/** An excerpt as the model saw it, and the whole of it one click away. */
export function ExcerptReader({ course, stretch }: { readonly course: string; readonly stretch: Stretch }) {
  const [isWhole, setWhole] = useState(false);
  const name = isWhole ? `#${stretch.place + 1}` : nameExcerpt(stretch);
  return (
    <div>
      <p>
        {isWhole ? 'As it was said, whole.' : `What the model saw of it: ${formatNumber(stretch.tokens)} tokens.`}{' '}
        <button type="button" class="link whole" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'what the model saw' : 'the whole of it'}
        </button>
      </p>
      <Reader course={course} name={name} />
    </div>
  );
}
