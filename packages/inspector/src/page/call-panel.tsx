import { useMemo, useState } from 'preact/hooks';
import { type Course, KINDS, type MessageTable } from '../model/inspection.ts';
import { listSeen, priceCall, type SeenRow, stateAt, viewTokens } from '../model/reckon.ts';
import { formatMoney, formatNumber, formatPercent, formatTime } from './format.ts';
import { ExcerptReader, Reader } from './reader.tsx';
import { Rows } from './rows.tsx';
import { course, goToCall, goToMessage, inspection, prices, selectedCall } from './state.ts';
import { KIND_WORDS, STATE_WORDS } from './words.ts';

const ROW = 34;

/** One call: what it cost, and message by message what its view showed. */
export function CallPanel() {
  const shown = course.value;
  const call = selectedCall.value;
  const messages = inspection.value?.messages;
  const [isAll, setAll] = useState(false);
  const [open, setOpen] = useState<string | undefined>(undefined);
  const rows = useMemo(
    () => (shown === undefined || messages === undefined ? [] : listRows(shown, messages, call, isAll)),
    [shown, messages, call, isAll],
  );
  if (shown === undefined || messages === undefined || shown.calls.at[call] === undefined)
    return <p class="note">No model was called.</p>;
  const { calls } = shown;
  const reported = calls.reported[call] ?? undefined;
  const tokens = viewTokens(shown, call);
  return (
    <div>
      <CallPicker shown={shown} call={call} />
      {calls.refused.includes(call) && (
        <p class="lead">
          <b class="bad">The provider refused it as too long.</b> No model saw it, and it cost nothing; the compaction
          behind it made a smaller one.
        </p>
      )}
      <p class="lead">
        {calls.refused.includes(call) ? 'It held' : 'The model saw'} <b>{formatNumber(tokens)}</b> tokens;{' '}
        <b>{formatNumber(calls.hidden[call] ?? 0)}</b> of what had been said were hidden. The cache served{' '}
        {formatPercent(calls.cacheRead[call] ?? 0, tokens)}; the prompt cost{' '}
        {formatMoney(priceCall(shown, call, prices.value))}.
        {reported !== undefined &&
          ` The provider reported ${formatNumber(reported[0] + reported[1] + reported[2])} in, of which ${formatNumber(reported[1])} from its cache, and ${formatNumber(reported[3])} out.`}
      </p>
      <label class="check">
        <input type="checkbox" checked={isAll} onChange={(event) => setAll(event.currentTarget.checked)} /> also what
        was hidden
      </label>
      <Rows
        count={rows.length}
        height={ROW}
        most={ROW * 12.5}
        label={`What the view of call ${call + 1} held`}
        render={(at) => {
          const row = rows[at];
          return row === undefined ? null : (
            <SeenItem
              row={row}
              messages={messages}
              isOpen={open === nameRow(row)}
              onOpen={() => setOpen(open === nameRow(row) ? undefined : nameRow(row))}
            />
          );
        }}
      />
      <p class="quiet">The numbers are of what the model saw; together they come to {formatNumber(tokens)}.</p>
      {rows.map((row) => (nameRow(row) === open ? <OpenRow key={open} shown={shown} row={row} /> : null))}
    </div>
  );
}

const nameRow = ({ place, stretch }: SeenRow): string => `${place} ${stretch?.made?.id ?? ''} ${stretch?.from ?? ''}`;

interface SeenItemProps {
  readonly row: SeenRow;
  readonly messages: MessageTable;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function SeenItem({ row: { place, tokens, state, stretch }, messages, isOpen, onOpen }: SeenItemProps) {
  const made = stretch?.made;
  return (
    <button type="button" class="item" aria-expanded={isOpen} onClick={onOpen}>
      <span class="figure place">{made !== undefined ? 'made' : place < 0 ? '' : `#${formatNumber(place + 1)}`}</span>
      <i class={`dot dot-kind-${made?.kind ?? KINDS[messages.kinds[place] ?? 0]}`} />
      <span class="item-what" dir="auto">
        {made?.title ?? messages.titles[place] ?? 'what stands before all messages: system text, tool definitions'}
      </span>
      {made === undefined ? (
        <span class={`state state-${state}`}>{STATE_WORDS[state]}</span>
      ) : (
        <span class="item-why">{KIND_WORDS[made.kind]}</span>
      )}
      <span class="figure">{isSeen(state) ? formatNumber(tokens) : '–'}</span>
    </button>
  );
}

function OpenRow({ shown, row: { place, stretch } }: { readonly shown: Course; readonly row: SeenRow }) {
  const made = stretch?.made;
  if (place < -1) return <p class="note">What stands before all messages is counted here, and kept nowhere.</p>;
  return (
    <div class="opened">
      <p>
        {made === undefined ? `#${formatNumber(place + 1)}` : 'Nobody said this: it stands for what went.'}{' '}
        {made === undefined && (
          <button type="button" class="link" onClick={() => goToMessage(place)}>
            lifeline
          </button>
        )}
      </p>
      {stretch === undefined ? (
        <Reader course={shown.name} name={`#${place + 1}`} />
      ) : made === undefined ? (
        <ExcerptReader course={shown.name} stretch={stretch} />
      ) : (
        <Reader course={shown.name} name={made.id} />
      )}
    </div>
  );
}

function CallPicker({ shown: { calls }, call }: { readonly shown: Course; readonly call: number }) {
  return (
    <div class="picker">
      <button type="button" onClick={() => goToCall(call - 1)} disabled={call === 0} aria-label="the call before">
        ←
      </button>
      <label>
        Call{' '}
        <input
          type="number"
          min={1}
          max={calls.at.length}
          value={call + 1}
          onChange={(event) => goToCall(Number(event.currentTarget.value) - 1)}
        />{' '}
        of {formatNumber(calls.at.length)}
      </label>
      <button
        type="button"
        onClick={() => goToCall(call + 1)}
        disabled={call + 1 >= calls.at.length}
        aria-label="the next call"
      >
        →
      </button>
      <span class="quiet">{formatTime(calls.times[call])}</span>
    </div>
  );
}

const isSeen = (state: SeenRow['state']): boolean => state === 'whole' || state === 'excerpt';

/** What the call saw; where it is wanted, also what it did not. */
function listRows(course: Course, messages: MessageTable, call: number, isAll: boolean): readonly SeenRow[] {
  const seen = listSeen(course, messages, call);
  if (!isAll) return seen;
  const places = new Set(seen.flatMap(({ place, stretch }) => (stretch?.made === undefined ? [place] : [])));
  const rest: SeenRow[] = [];
  for (let place = 0; place < (course.calls.at[call] ?? 0); place++)
    if (!places.has(place)) rest.push({ place, tokens: 0, state: stateAt(course.lifelines[place] ?? [], call) });
  return [...seen, ...rest].sort((one, other) => one.place - other.place);
}
