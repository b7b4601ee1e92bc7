import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ReadText, Stretch } from '../model/inspection.ts';
import { nameExcerpt } from '../model/name-excerpt.ts';
import { findHit, findWords } from '../model/snip.ts';
import { formatNumber } from './format.ts';
import { source } from './state.ts';

/** What a search looked for, and the line that it found in this text. */
export interface Sought {
  readonly query: string;
  readonly line: string;
}

/** So many pages are read by themselves until what was sought is there. */
const MOST_PAGES = 40;

interface ReaderProps {
  readonly course: string;
  readonly name: string;
  readonly sought?: Sought | undefined;
}

/** A text of the session, asked for when it is to be read, and shown as text. What was sought is marked and in sight. */
export function Reader({ course, name, sought }: ReaderProps) {
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
    try {
      const page = await source.text(course, name, read);
      if (page !== undefined) setPages([...pages, page]);
    } catch (error) {
      setTold((error as Error).message);
    }
  };
  const hit = useMemo(() => {
    if (sought === undefined) return undefined;
    const text = pages.map((page) => page.text).join('');
    return findHit(text, sought.query, sought.line) ?? (more === 0 ? findWords(text, sought.query) : undefined);
  }, [pages, sought?.query, sought?.line]);
  useEffect(() => {
    const mark = box.current?.querySelector('mark');
    if (mark != null && box.current !== null) box.current.scrollTop = mark.offsetTop - box.current.offsetTop - 60;
    else if (sought !== undefined && isThere && more > 0 && pages.length < MOST_PAGES) void readOn();
  }, [hit, pages, sought?.line]);
  return (
    <div class="reader" ref={box}>
      {told !== undefined && <p class="note">{told}</p>}
      {pages.map(({ text }, i) => {
        const start = pages.slice(0, i).reduce((sum, page) => sum + page.text.length, 0);
        return <Page key={i} text={text} from={(hit?.from ?? 0) - start} to={(hit?.to ?? 0) - start} />;
      })}
      {more > 0 && pages.length > 0 && (
        <button type="button" onClick={readOn}>
          {formatNumber(more)} more characters
        </button>
      )}
    </div>
  );
}

/** A page of a text, with what was sought in it marked. */
function Page({ text, from, to }: { readonly text: string; readonly from: number; readonly to: number }) {
  const [start, end] = [Math.max(0, from), Math.max(0, to)];
  const marked = text.slice(start, end);
  return (
    <pre dir="auto">
      {text.slice(0, start)}
      {marked !== '' && <mark>{marked}</mark>}
      {text.slice(end)}
    </pre>
  );
}

/** An excerpt as the model saw it, and the whole of it one click away. */
export function ExcerptReader({ course, stretch, sought }: Omit<ReaderProps, 'name'> & { readonly stretch: Stretch }) {
  // A search goes over all that was said, so what it found may stand in the rest.
  const [isWhole, setWhole] = useState(sought !== undefined);
  const name = isWhole ? `#${stretch.place + 1}` : nameExcerpt(stretch);
  return (
    <div>
      <p>
        {isWhole ? 'As it was said, whole.' : `What the model saw of it: ${formatNumber(stretch.tokens)} tokens.`}{' '}
        <button type="button" class="link whole" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'what the model saw' : 'the whole of it'}
        </button>
      </p>
      <Reader course={course} name={name} sought={sought} />
    </div>
  );
}
