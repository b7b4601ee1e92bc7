import { useMemo } from 'preact/hooks';
import type { Course, PriceList } from '../model/inspection.ts';
import { addUpMoney, priceCall } from '../model/reckon.ts';
import { formatMoney } from './format.ts';
import { CallTable, Readout } from './readout.tsx';
import { course, prices } from './state.ts';
import { Band, ViewPlot } from './strip-plots.tsx';

function reckonMoney(
  shown: Course,
  list: PriceList,
): { readonly each: readonly number[]; readonly all: readonly number[] } {
  const draw = (value: number): number => (Number.isNaN(value) ? 0 : value);
  const each = shown.calls.at.map((_, call) => draw(priceCall(shown, call, list)));
  return { each, all: addUpMoney(shown, list).map(draw) };
}

/** The strip: what the model saw at every call, what was hidden, what the cache served, and what it cost. */
export function Strip() {
  const shown = course.value;
  const list = prices.value;
  const bands = useMemo(() => {
    if (shown === undefined) return undefined;
    const { hidden, cacheRead, cacheWrite, again } = shown.calls;
    const money = reckonMoney(shown, list);
    return {
      total: money.all.at(-1) ?? 0,
      hidden: [{ values: hidden, colour: 'hidden' }],
      cache: [
        { values: cacheRead.map((read, i) => read + (cacheWrite[i] ?? 0)), colour: 'again' },
        { values: cacheRead.map((read, i) => read + (cacheWrite[i] ?? 0) - (again[i] ?? 0)), colour: 'written' },
        { values: cacheRead, colour: 'read' },
      ],
      money: [
        { values: money.each, colour: 'money' },
        { values: money.all, colour: 'text', isLine: true as const, scale: 'sum' },
      ],
    };
  }, [shown, list]);
  if (shown === undefined || bands === undefined) return null;
  if (shown.calls.at.length === 0) return <p class="note">No model was called in this session.</p>;
  return (
    <section class="strip" aria-label="Over all calls">
      <h2 class="hush">Over all calls</h2>
      <ViewPlot shown={shown} />
      <Band
        shown={shown}
        series={bands.hidden}
        height={48}
        shape="hidden"
        isMirrored
        label="Tokens hidden at each call"
      />
      <Caption name="hidden" words="hidden, of what was said (own scale)" />
      <Band shown={shown} series={bands.cache} height={48} shape="cache" label="Cache reads and writes at each call" />
      <Caption
        name="read"
        words="read from cache"
        more={[
          ['written', 'written'],
          ['again', 'written again: a miss'],
        ]}
      />
      <Band
        shown={shown}
        series={bands.money}
        height={64}
        shape="money"
        values={formatMoney}
        hasCalls
        label="Money at each call"
      />
      <Caption
        name="money"
        words={Number.isNaN(list.input) ? "money at each call: the model's price is not known" : 'money at each call'}
        more={
          Number.isNaN(list.input)
            ? []
            : [['text', `in all, to ${formatMoney(bands.total)} at the end (a scale of its own)`]]
        }
      />
      <Readout />
      <CallTable shown={shown} list={list} />
    </section>
  );
}

function Caption({
  name,
  words,
  more = [],
}: {
  readonly name: string;
  readonly words: string;
  readonly more?: readonly (readonly [string, string])[];
}) {
  return (
    <p class="caption">
      {[[name, words] as const, ...more].map(([colour, told]) => (
        <span key={colour}>
          <i class={`dot dot-${colour}`} />
          {told}
        </span>
      ))}
    </p>
  );
}
