import { useEffect, useState } from 'preact/hooks';
import type { Cliff, ProvenStatement, SummaryText } from '../model/inspection.ts';
import { tellUnread } from '../model/tell.ts';
import { formatCount, formatNumber } from './format.ts';
import { Reader } from './reader.tsx';
import { course, goToCliff, goToMessage, inspection, selectedCall, selectedCliff, source, tab } from './state.ts';

const WRITERS: Readonly<Record<string, string>> = {
  model: 'a model',
  draft: 'a model, ahead of time',
  digest: 'code alone (a digest)',
  user: 'a model, edited by the user',
  agent: "the recording's own agent",
};

/** A summary beside what it was made of: statement by statement the place that proves it. */
export function SummaryPanel() {
  const shown = course.value;
  const with_ = shown?.cliffs.flatMap((cliff, place) => (cliff.summary === undefined ? [] : [place])) ?? [];
  // The one that was chosen; else the one that the chosen call saw.
  const callOf = (one: number): number => shown?.cliffs[one]?.call ?? 0;
  const last = (shown?.calls.at.length ?? 1) - 1;
  const isChosen =
    with_.includes(selectedCliff.value) && Math.min(callOf(selectedCliff.value), last) === selectedCall.value;
  const place = isChosen
    ? selectedCliff.value
    : (with_.findLast((one) => callOf(one) <= selectedCall.value) ?? with_[0]);
  const unread = tellAllUnread(shown?.cliffs ?? []);
  const [read, setRead] = useState<SummaryText | undefined>(undefined);
  const [told, setTold] = useState<string | undefined>(undefined);
  useEffect(() => {
    setRead(undefined);
    if (shown === undefined || place === undefined) return;
    setTold('Looking for where each statement comes from…');
    source.summary(shown.name, place).then(
      (summary) => {
        setRead(summary);
        setTold(summary === undefined ? 'Its text is not here.' : undefined);
      },
      (error: Error) => setTold(error.message),
    );
  }, [shown, place]);
  if (shown === undefined || place === undefined)
    return <p class="note">{unread ?? 'No summary was written in this course.'}</p>;
  const cliff = shown.cliffs[place];
  return (
    <div>
      <div class="picker">
        <label>
          The summary before call{' '}
          <select
            value={place}
            onChange={(event) => {
              goToCliff(Number(event.currentTarget.value));
              tab.value = 'summary';
            }}
          >
            {with_.map((one) => (
              <option key={one} value={one}>
                {formatNumber((shown.cliffs[one]?.call ?? 0) + 1)}
              </option>
            ))}
          </select>
        </label>
        <span class="quiet">written by {WRITERS[cliff?.summary?.by ?? ''] ?? 'nobody'}</span>
      </div>
      {unread !== undefined && <p class="note">{unread}</p>}
      {told !== undefined && <p class="note">{told}</p>}
      {read !== undefined && <Proven read={read} />}
    </div>
  );
}

/** That summaries were made and cannot be read, where it is so. */
function tellAllUnread(cliffs: readonly Cliff[]): string | undefined {
  const behind = cliffs.filter((cliff) => cliff.unread !== undefined);
  const [first] = behind;
  if (first?.unread === undefined) return undefined;
  const where = behind.map(({ call }) => formatNumber(call + 1)).join(', ');
  return `Before ${behind.length === 1 ? 'call' : 'calls'} ${where} ${tellUnread(first.unread)}.`;
}

function Proven({ read }: { readonly read: SummaryText }) {
  const [open, setOpen] = useState<number | undefined>(undefined);
  const unproven = read.statements.filter(({ places }) => places.length === 0).length;
  const shown = course.value;
  return (
    <div>
      <p class="lead">
        Of {formatCount(read.statements.length, 'statement')} {formatNumber(read.statements.length - unproven)} lead to
        a place in the transcript, <b class={unproven > 0 ? 'bad' : 'good'}>{formatNumber(unproven)} to none</b>.
        {read.flagged.length > 0 && ` Names that were never said: ${read.flagged.slice(0, 8).join(', ')}.`}
        {read.failure !== undefined && ` No model wrote it: ${read.failure}.`}
      </p>
      <div class="columns">
        <ol class="statements">
          {read.statements.map((statement, i) => (
            <Statement
              key={`${statement.section} ${statement.text}`}
              statement={statement}
              before={read.statements[i - 1]}
              open={open}
              onOpen={setOpen}
            />
          ))}
        </ol>
        <div class="beside">
          {open === undefined || shown === undefined ? (
            <>
              <p class="quiet">All that the view shows of it. A place beside a statement opens the original here.</p>
              <pre dir="auto">{read.text}</pre>
            </>
          ) : (
            <>
              <p>
                <b>#{formatNumber(open + 1)}</b> <span dir="auto">{inspection.value?.messages.titles[open]}</span>{' '}
                <button type="button" class="link" onClick={() => goToMessage(open)}>
                  lifeline
                </button>{' '}
                <button type="button" class="link" onClick={() => setOpen(undefined)}>
                  back to the summary
                </button>
              </p>
              <Reader course={shown.name} name={`#${open + 1}`} />
            </>
          )}
        </div>
      </div>
      <Left title="Retired" texts={read.retired} />
      <Left title="No room any more" texts={read.aged} />
    </div>
  );
}

interface StatementProps {
  readonly statement: ProvenStatement;
  readonly before: ProvenStatement | undefined;
  readonly open: number | undefined;
  readonly onOpen: (place: number) => void;
}

function Statement({ statement: { section, text, places }, before, open, onOpen }: StatementProps) {
  return (
    <li class={places.length === 0 ? 'unproven' : ''}>
      {section !== '' && section !== before?.section && <h4 dir="auto">{section}</h4>}
      <span dir="auto">{text}</span>{' '}
      {places.length === 0 ? (
        <em>unproven</em>
      ) : (
        places.map(({ at, by }) => (
          <button
            key={at}
            type="button"
            class="link"
            aria-pressed={open === at}
            title={by === 'quote' ? 'its words stand there' : 'its names stand there'}
            onClick={() => onOpen(at)}
          >
            #{formatNumber(at + 1)}
          </button>
        ))
      )}
    </li>
  );
}

function Left({ title, texts }: { readonly title: string; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <details>
      <summary>
        {title}: {formatCount(texts.length, 'statement')}
      </summary>
      <ul>
        {texts.map((text) => (
          <li key={text} dir="auto">
            {text}
          </li>
        ))}
      </ul>
    </details>
  );
}
