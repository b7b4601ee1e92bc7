import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type uPlot from 'uplot';
import type { Course, PriceList } from '../model/inspection.ts';
import { addUpCourse, viewTokens } from '../model/reckon.ts';
import { readColour } from './colours.ts';
import { formatMoney, formatNumber, formatPercent, formatShort } from './format.ts';
import { Plot } from './plot.tsx';
import { chosenPrices, courseName, courses, imagined, inspection, prices, selectedCliff, source } from './state.ts';

const PRESETS = ['default', 'claude-code', 'open-code', 's08'] as const;
const FIELDS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;
const FIELD_WORDS = { input: 'input', output: 'output', cacheRead: 'cache read', cacheWrite: 'cache write' } as const;

/** The same messages under another preset, in another window, at other prices. */
export function WhatIf() {
  const own = inspection.value?.courses[0];
  const all = courses.value;
  if (own === undefined) return null;
  return (
    <div>
      {source.imagine === undefined ? (
        <p class="note">
          A single file holds the courses that were reckoned when it was written; the served page reckons others.
        </p>
      ) : (
        <Form window={own.budget.window ?? ANY_WINDOW} isStated={own.budget.window !== undefined} />
      )}
      <PriceForm />
      <Curves all={all} />
      <Outcomes all={all} list={prices.value} />
    </div>
  );
}

/** What is reckoned with where nobody knows the session's own. */
const ANY_WINDOW = 200_000;

function Form({ window, isStated }: { readonly window: number; readonly isStated: boolean }) {
  const preset = useSignal<string>('default');
  const size = useSignal(window);
  const told = useSignal(isStated ? '' : 'The window of the session is not recorded: this one is a guess.');
  const reckon = async (): Promise<void> => {
    told.value = 'Walking through every call…';
    try {
      const made = await source.imagine?.(preset.value, size.value);
      if (made !== undefined) imagined.value = [...imagined.value.filter(({ name }) => name !== made.name), made];
      told.value = '';
    } catch (error) {
      told.value = (error as Error).message;
    }
  };
  return (
    <form
      class="picker"
      onSubmit={(event) => {
        event.preventDefault();
        void reckon();
      }}
    >
      <label>
        Preset{' '}
        <select id="preset" value={preset.value} onChange={(event) => (preset.value = event.currentTarget.value)}>
          {PRESETS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        Window{' '}
        <input
          type="number"
          min={2000}
          step={1000}
          value={size.value}
          onChange={(event) => (size.value = Number(event.currentTarget.value))}
        />
      </label>
      <button type="submit">Reckon</button>
      <span role="status" class="quiet">
        {told.value}
      </span>
    </form>
  );
}

function PriceForm() {
  const list = prices.value;
  return (
    <div class="picker">
      <span class="quiet">$ for a million tokens:</span>
      {FIELDS.map((field) => (
        <label key={field}>
          {FIELD_WORDS[field]}{' '}
          <input
            type="number"
            min={0}
            step={0.05}
            class="narrow"
            value={Number.isNaN(list[field]) ? '' : list[field]}
            onChange={(event) => {
              chosenPrices.value = { ...list, name: 'yours', [field]: Number(event.currentTarget.value) };
            }}
          />
        </label>
      ))}
    </div>
  );
}

const LINES = ['course-0', 'course-1', 'course-2', 'course-3', 'course-4', 'course-5'];

function Curves({ all }: { readonly all: readonly Course[] }) {
  const most = Math.max(1, ...all.map(({ calls }) => calls.at.length));
  const data = useMemo<uPlot.AlignedData>(
    () => [
      Array.from({ length: most }, (_, i) => i + 1),
      ...all.map((one) =>
        Array.from({ length: most }, (_, i) => (i < one.calls.at.length ? viewTokens(one, i) : null)),
      ),
    ],
    [all, most],
  );
  const options = () => ({
    legend: { show: false },
    padding: [8, 8, 0, 0] as uPlot.Padding,
    cursor: { points: { show: false } },
    scales: {
      x: { time: false },
      y: { range: (_: uPlot, _low: number, high: number): [number, number] => [0, high * 1.05] },
    },
    axes: [
      { stroke: readColour('quiet'), grid: { show: false } },
      {
        stroke: readColour('quiet'),
        size: 58,
        grid: { stroke: readColour('grid'), width: 1 },
        values: (_: uPlot, values: number[]) => values.map(formatShort),
      },
    ],
    series: [
      {},
      ...all.map((one, i) => ({
        label: one.name,
        stroke: readColour(LINES[i % LINES.length] ?? 'text'),
        width: 1.5,
        points: { show: false },
      })),
    ],
  });
  return (
    <>
      <Plot
        height={180}
        data={data}
        options={options}
        shape={all.map(({ name }) => name).join()}
        marks=""
        label="Tokens of the view at each call, one line for each course. The table below has what they come to."
      />
      <p class="caption">
        {all.map(({ name }, i) => (
          <span key={name}>
            <i class={`dot dot-${LINES[i % LINES.length]}`} />
            {name}
          </span>
        ))}
      </p>
    </>
  );
}

const compareMoney = (money: number, own: number): string =>
  own === 0 || money === own || Number.isNaN(money)
    ? '–'
    : `${money < own ? '−' : '+'}${formatPercent(Math.abs(money - own), own)}`;

function Outcomes({ all, list }: { readonly all: readonly Course[]; readonly list: PriceList }) {
  const rows = all.map((one) => ({ one, totals: addUpCourse(one, list) }));
  const own = rows[0]?.totals.money ?? 0;
  return (
    <div class="scroll-x">
      <table class="outcomes">
        <caption class="hush">What each course comes to</caption>
        <thead>
          <tr>
            {[
              'course',
              'window',
              'money',
              'against its own',
              'tokens',
              'cached',
              'compactions',
              'largest view',
              '',
            ].map((word) => (
              <th key={word} scope="col">
                {word}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ one, totals }) => (
            <tr key={one.name}>
              <th scope="row">{one.name}</th>
              <td>{one.budget.window === undefined ? 'not recorded' : formatNumber(one.budget.window)}</td>
              <td>{formatMoney(totals.money)}</td>
              <td>{compareMoney(totals.money, own)}</td>
              <td>{formatShort(totals.tokens)}</td>
              <td>{formatPercent(totals.cacheRead, totals.tokens)}</td>
              <td>{formatNumber(totals.compactions)}</td>
              <td>{formatNumber(totals.largest)}</td>
              <td>
                <button
                  type="button"
                  class="link"
                  onClick={() => {
                    courseName.value = one.name;
                    selectedCliff.value = Math.max(
                      0,
                      one.cliffs.findLastIndex(({ declared }) => declared),
                    );
                  }}
                >
                  look
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
