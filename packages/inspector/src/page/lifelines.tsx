import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Course, type Found, type Hit, KINDS, STATES } from '../model/inspection.ts';
import { findItem, findLeaving, findReach, stateAt } from '../model/reckon.ts';
import { tellLife } from '../model/tell.ts';
import { formatCount, formatNumber } from './format.ts';
import { ExcerptReader, Reader } from './reader.tsx';
import { Rows } from './rows.tsx';
import { course, goToCall, goToCliff, inspection, query, selectedCall, selectedMessage, source } from './state.ts';
import { STATE_WORDS } from './words.ts';

const ROW = 26;

/** A row for every message: what views showed of it, from call to call. */
export function Lifelines() {
  const shown = course.value;
  const found = useSignal<Found | undefined>(undefined);
  const told = useSignal('');
  const kind = useSignal('all');
  const wanted = query.value;
  useEffect(() => {
    const words = wanted.trim();
    if (words === '') {
      found.value = undefined;
      told.value = '';
      return undefined;
    }
    const later = setTimeout(async () => {
      try {
        found.value = await source.search(words);
        if (found.value.named !== undefined) selectedMessage.value = found.value.named;
        told.value = '';
      } catch (error) {
        told.value = (error as Error).message;
      }
    }, 150);
    return () => clearTimeout(later);
  }, [wanted, found, told]);
  const messages = inspection.value?.messages;
  const hits = useMemo(() => new Map(found.value?.hits.map((hit) => [hit.at, hit])), [found.value]);
  const places = useMemo(() => {
    const all = found.value?.hits.map(({ at }) => at) ?? messages?.kinds.map((_, place) => place) ?? [];
    return [...new Set(all)].filter(
      (place) => kind.value === 'all' || KINDS[messages?.kinds[place] ?? 0] === kind.value,
    );
  }, [messages, found.value, kind.value]);
  if (shown === undefined || messages === undefined) return null;
  const chosen = selectedMessage.value;
  return (
    <div>
      <div class="picker">
        <label class="grow">
          Search{' '}
          <input
            id="search"
            type="search"
            placeholder="all that was ever said, or #15"
            value={wanted}
            onInput={(event) => {
              query.value = event.currentTarget.value;
              selectedMessage.value = undefined;
            }}
          />
        </label>
        <label>
          of{' '}
          <select value={kind.value} onChange={(event) => (kind.value = event.currentTarget.value)}>
            <option value="all">everybody</option>
            {['user', 'assistant', 'calls', 'results'].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <span class="quiet" role="status">
          {told.value || tellFound(found.value, places.length)}
        </span>
      </div>
      <Legend />
      <Rows
        count={places.length}
        height={ROW}
        most={ROW * 12.5}
        label="Lifelines of messages"
        sought={chosen === undefined ? undefined : places.indexOf(chosen)}
        render={(at) => <Lifeline shown={shown} place={places[at] ?? 0} hit={hits.get(places[at] ?? 0)} />}
      />
      {chosen !== undefined && <Life shown={shown} place={chosen} hit={hits.get(chosen)} />}
    </div>
  );
}

function tellFound(found: Found | undefined, rows: number): string {
  if (found === undefined) return '';
  if (found.hits.length === 0) return 'Nothing that was said is about it.';
  const how = found.match === 'some' ? 'none holds all of it; those that hold most come first' : 'best first';
  return `${formatCount(rows, 'message')}, ${how}${found.isCut ? '; there are more' : ''}`;
}

function Legend() {
  return (
    <p class="caption">
      {STATES.slice(1).map((state) => (
        <span key={state}>
          <i class={`dot state-${state}`} />
          {STATE_WORDS[state]}
        </span>
      ))}
    </p>
  );
}

/** The runs of a message as boxes, in hundredths of the row. */
function listBoxes({ lifelines, calls }: Course, place: number) {
  const runs = lifelines[place] ?? [];
  const count = Math.max(1, calls.at.length);
  return Array.from({ length: runs.length / 2 }, (_, i) => {
    const [from = 0, state = 0, to = count] = [runs[i * 2], runs[i * 2 + 1], runs[i * 2 + 2]];
    return { state: STATES[state] ?? 'unsaid', left: (100 * from) / count, width: (100 * (to - from)) / count };
  });
}

interface LifelineProps {
  readonly shown: Course;
  readonly place: number;
  readonly hit: Hit | undefined;
}

function Lifeline({ shown, place, hit }: LifelineProps) {
  const messages = inspection.value?.messages;
  const isPinned = inspection.value?.pinned.includes(place) === true;
  const now = stateAt(shown.lifelines[place] ?? [], selectedCall.value);
  const count = Math.max(1, shown.calls.at.length);
  return (
    <button
      type="button"
      class={`life ${selectedMessage.value === place ? 'open' : ''}`}
      aria-label={`message ${place + 1}, ${STATE_WORDS[now]} at call ${selectedCall.value + 1}: ${messages?.titles[place] ?? ''}`}
      onClick={() => (selectedMessage.value = place)}
    >
      <span class="figure place">#{formatNumber(place + 1)}</span>
      <i class={`dot dot-kind-${KINDS[messages?.kinds[place] ?? 0]}`} />
      <span class="item-what" dir="auto">
        {isPinned ? '📌 ' : ''}
        {hit?.line ?? messages?.titles[place]}
      </span>
      <span class="lane" aria-hidden="true">
        {listBoxes(shown, place).map(({ state, left, width }, i) => (
          <i key={i} class={`state-${state}`} style={{ left: `${left}%`, width: `${width}%` }} />
        ))}
        <i class="now" style={{ left: `${(100 * selectedCall.value) / count}%` }} />
      </span>
    </button>
  );
}

/** The compaction, with what it took of a message open. */
function goToTaking({ cliffs }: Course, cliff: number, place: number): void {
  const item = findItem(cliffs[cliff]?.items ?? [], place);
  goToCliff(cliff, item && { ref: item.ref, place });
}

/** Can the agent still get it, and how? */
function Reached({ shown, place }: { readonly shown: Course; readonly place: number }) {
  const { state, ref } = findReach(shown, place);
  const { recallBy, messages } = inspection.value ?? {};
  const name = messages?.ids[place];
  if (state === 'unsaid' || state === 'whole')
    return <p class="reach">The agent has it: it stands in view as it was said, and nothing is needed to read it.</p>;
  return (
    <p class="reach">
      {state === 'excerpt' ? 'The rest is kept' : 'It is kept'}, and the agent can still get it where it has a recall
      tool, which reads it by{' '}
      {ref === undefined ? (
        'words of it'
      ) : (
        <>
          the reference <code>{ref}</code>
        </>
      )}
      {recallBy !== undefined && name !== undefined && (
        <>
          . At a terminal: <code>{`${recallBy} ${name}`}</code>
          {ref !== undefined && (
            <>
              , or with all that went with it <code>{`${recallBy} ${ref}`}</code>
            </>
          )}
        </>
      )}
      .
    </p>
  );
}

/** One message: what became of it, in words, and what it says. */
function Life({ shown, place, hit }: LifelineProps) {
  const runs = shown.lifelines[place] ?? [];
  const leaving = findLeaving(shown, place);
  // What was never shown whole is read first as it was shown.
  const wasWhole = runs.some((state, i) => i % 2 === 1 && STATES[state] === 'whole');
  const stretch = wasWhole ? undefined : shown.stretches.find((one) => one.place === place && one.made === undefined);
  const sought = hit && { query: query.value, line: hit.line };
  return (
    <div class="opened life-story">
      <p class="lead">
        Message #{formatNumber(place + 1)}: {tellLife(shown, place)}{' '}
        {leaving?.cliff !== undefined && (
          <button type="button" onClick={() => goToTaking(shown, leaving.cliff ?? 0, place)}>
            The compaction that took it
          </button>
        )}
      </p>
      {shown.name === 'session' && <Reached shown={shown} place={place} />}
      <ol class="runs">
        {Array.from({ length: runs.length / 2 }, (_, i) => (
          <li key={runs[i * 2]}>
            <button type="button" class="link" onClick={() => goToCall(runs[i * 2] ?? 0)}>
              from call {formatNumber((runs[i * 2] ?? 0) + 1)}
            </button>{' '}
            {STATE_WORDS[STATES[runs[i * 2 + 1] ?? 0] ?? 'unsaid']}
          </li>
        ))}
      </ol>
      {hit !== undefined && (
        <p class="hit" dir="auto">
          “{hit.line}”
        </p>
      )}
      {stretch === undefined ? (
        <Reader course={shown.name} name={`#${place + 1}`} sought={sought} />
      ) : (
        <ExcerptReader key={stretch.place} course={shown.name} stretch={stretch} sought={sought} />
      )}
    </div>
  );
}
