import { useMemo, useState } from 'preact/hooks';
import { type Course, KINDS } from '../model/inspection.ts';
import { priceCall, stateAt, viewTokens } from '../model/reckon.ts';
import { formatMoney, formatNumber, formatPercent, formatTime } from './format.ts';
import { Reader } from './reader.tsx';
import { Rows } from './rows.tsx';
import { course, goToCall, goToMessage, inspection, prices, selectedCall } from './state.ts';
import { STATE_WORDS } from './words.ts';

const ROW = 34;

/** One call: what it cost, and message by message what its view showed. */
export function CallPanel() {
  const shown = course.value;
  const call = selectedCall.value;
  const messages = inspection.value?.messages;
  const [isAll, setAll] = useState(false);
  const [open, setOpen] = useState<number | undefined>(undefined);
  const places = useMemo(() => (shown === undefined ? [] : listPlaces(shown, call, isAll)), [shown, call, isAll]);
  if (shown === undefined || messages === undefined || shown.calls.at[call] === undefined)
    return <p class="note">No model was called.</p>;
  const { calls } = shown;
  const reported = calls.reported[call] ?? undefined;
  const tokens = viewTokens(shown, call);
  return (
    <div>
      <CallPicker shown={shown} call={call} />
      <p class="lead">
        The model saw <b>{formatNumber(tokens)}</b> tokens; <b>{formatNumber(calls.hidden[call] ?? 0)}</b> of what had
        been said were hidden. The cache served {formatPercent(calls.cacheRead[call] ?? 0, tokens)}; the prompt cost{' '}
        {formatMoney(priceCall(shown, call, prices.value))}.
        {reported !== undefined &&
          ` The provider reported ${formatNumber(reported[0] + reported[1] + reported[2])} in, of which ${formatNumber(reported[1])} from its cache, and ${formatNumber(reported[3])} out.`}
      </p>
      <label class="check">
        <input type="checkbox" checked={isAll} onChange={(event) => setAll(event.currentTarget.checked)} /> also what
        was hidden
      </label>
      <Rows
        count={places.length}
        height={ROW}
        most={ROW * 12}
        label={`What the view of call ${call + 1} held`}
        render={(at) => {
          const place = places[at] ?? 0;
          const state = stateAt(shown.lifelines[place] ?? [], call);
          return (
            <button
              type="button"
              class="item"
              aria-expanded={open === place}
              onClick={() => setOpen(open === place ? undefined : place)}
            >
              <span class="figure place">#{formatNumber(place + 1)}</span>
              <i class={`dot dot-kind-${KINDS[messages.kinds[place] ?? 0]}`} />
              <span class="item-what" dir="auto">
                {messages.titles[place]}
              </span>
              <span class={`state state-${state}`}>{STATE_WORDS[state]}</span>
              <span class="figure">{formatNumber(messages.tokens[place] ?? 0)}</span>
            </button>
          );
        }}
      />
      {open !== undefined && (
        <div class="opened">
          <p>
            #{formatNumber(open + 1)}, as it was said.{' '}
            <button type="button" class="link" onClick={() => goToMessage(open)}>
              lifeline
            </button>
          </p>
          <Reader course={shown.name} name={`#${open + 1}`} />
        </div>
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

function listPlaces({ lifelines, calls }: Course, call: number, isAll: boolean): readonly number[] {
  const said = calls.at[call] ?? 0;
  const places: number[] = [];
  for (let place = 0; place < said; place++) {
    const state = stateAt(lifelines[place] ?? [], call);
    if (isAll || state === 'whole' || state === 'excerpt') places.push(place);
  }
  return places;
}
