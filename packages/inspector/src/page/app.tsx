import { addUpCourse, addUpReported } from '../model/reckon.ts';
import { AuditPanel } from './audit-panel.tsx';
import { CallPanel } from './call-panel.tsx';
import { CliffPanel } from './cliff-panel.tsx';
import { formatCount, formatMoney, formatNumber, formatPercent, formatShort } from './format.ts';
import { KEYS } from './keys.ts';
import { Lifelines } from './lifelines.tsx';
import {
  course,
  courseName,
  courses,
  failure,
  inspection,
  prices,
  source,
  TABS,
  type Tab,
  tab,
  theme,
} from './state.ts';
import { Strip } from './strip.tsx';
import { SummaryPanel } from './summary-panel.tsx';
import { WhatIf } from './what-if.tsx';

const PANELS: Readonly<Record<Tab, () => preact.JSX.Element | null>> = {
  call: CallPanel,
  cliff: CliffPanel,
  lifelines: Lifelines,
  summary: SummaryPanel,
  'what if': WhatIf,
  audit: AuditPanel,
};

const TAB_WORDS: Readonly<Record<Tab, string>> = {
  call: 'Call',
  cliff: 'Compaction',
  lifelines: 'Lifelines',
  summary: 'Summary',
  'what if': 'What if',
  audit: 'Audit',
};

export function App() {
  if (failure.value !== undefined && inspection.value === undefined)
    return (
      <main>
        <p class="failure" role="alert">
          {failure.value}
        </p>
      </main>
    );
  if (inspection.value === undefined) return <p class="loading">Reading the session…</p>;
  const Panel = PANELS[tab.value];
  return (
    <>
      <Head />
      <main>
        <Figures />
        {inspection.value.notes.length > 0 && <Notes notes={inspection.value.notes} />}
        <Strip />
        <div class="tabs" role="tablist" aria-label="What to look at">
          {TABS.map((name, i) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`tab-${i}`}
              aria-selected={tab.value === name}
              aria-controls="panel"
              onClick={() => (tab.value = name)}
            >
              {TAB_WORDS[name]} <kbd>{i + 1}</kbd>
            </button>
          ))}
        </div>
        <section id="panel" class="panel" role="tabpanel" aria-labelledby={`tab-${TABS.indexOf(tab.value)}`}>
          <Panel />
        </section>
        <Reported />
      </main>
      <Foot />
    </>
  );
}

function Head() {
  const shown = inspection.value;
  if (shown === undefined) return null;
  return (
    <header>
      <h1 dir="auto">{shown.title}</h1>
      <span class="quiet">
        {shown.format}
        {shown.model === undefined ? '' : ` · ${shown.model}`} · {formatCount(shown.messages.ids.length, 'message')}
      </span>
      <span class="grow" />
      {courses.value.length > 1 && (
        <label>
          course{' '}
          <select
            id="course"
            value={course.value?.name}
            onChange={(event) => (courseName.value = event.currentTarget.value)}
          >
            {courses.value.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      {source.exportUrl !== undefined && (
        <a class="button" href={source.exportUrl} download="inspection.html">
          Save as one file
        </a>
      )}
      <button
        type="button"
        aria-label={`switch to ${theme.value === 'dark' ? 'light' : 'dark'} colours`}
        onClick={() => (theme.value = theme.value === 'dark' ? 'light' : 'dark')}
      >
        {theme.value === 'dark' ? '☀' : '☾'}
      </button>
    </header>
  );
}

function Notes({ notes }: { readonly notes: readonly string[] }) {
  return (
    <ul class="notes">
      {notes.map((note) => (
        <li key={note} dir="auto">
          {note}
        </li>
      ))}
    </ul>
  );
}

/** What the course comes to, in six figures. */
function Figures() {
  const shown = course.value;
  if (shown === undefined) return null;
  const totals = addUpCourse(shown, prices.value);
  const said = inspection.value?.messages.tokens.reduce((all, tokens) => all + tokens, 0) ?? 0;
  const hidden = shown.calls.hidden.at(-1) ?? 0;
  const figures = [
    [formatNumber(totals.calls), 'model calls'],
    [formatNumber(totals.compactions), 'compactions'],
    [formatShort(totals.largest), 'largest view, in tokens'],
    [formatPercent(hidden, said), 'of what was said is hidden at the end'],
    [formatPercent(totals.cacheRead, totals.tokens), 'of prompts served by the cache'],
    [formatMoney(totals.money), 'for prompts and summaries'],
  ];
  return (
    <dl class="figures">
      {figures.map(([figure, words]) => (
        <div key={words}>
          <dt>{words}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What the recording does not hold, what the provider says of the same calls, and why that is another sum. */
function Reported() {
  const shown = course.value;
  if (shown?.name !== 'recording') return null;
  const totals = addUpReported(shown, prices.value);
  const own = addUpCourse(shown, prices.value);
  return (
    <p class="quiet reported">
      The definitions of tools{shown.system === 0 ? ' and the system prompt' : ''} are not in the recording: every
      request held more than is counted here.
      {totals !== undefined && (
        <>
          {' '}
          The provider reported {formatNumber(totals.calls)} of {formatCount(own.calls, 'call')}:{' '}
          {formatShort(totals.prompts)} tokens of prompts and {formatShort(totals.answers)} of answers,{' '}
          <b>{formatMoney(totals.money)}</b> at the same prices; <code>palimpsest cost</code> adds that up. The{' '}
          {formatMoney(own.money)} above are reckoned, of prompts and summaries as they are estimated here and without
          answers. Farthest apart is call {formatNumber(totals.farthest.call + 1)}:{' '}
          {formatNumber(totals.farthest.reported)} tokens reported, {formatNumber(totals.farthest.counted)} counted.
        </>
      )}
    </p>
  );
}

const PRICED_AS: Readonly<Record<string, string>> = {
  example: 'an example, since the session does not say which model it was for',
  yours: 'as you stated',
};

function Foot() {
  const { name, input, output } = prices.value;
  return (
    <footer>
      {KEYS.map(([key, words]) => (
        <span key={key}>
          <kbd>{key}</kbd> {words}
        </span>
      ))}
      <span>
        Tokens are estimates. Money is for prompts and summaries,{' '}
        {name === 'unknown'
          ? `and unknown here: there is no list price for ${inspection.value?.model ?? 'a model that is not recorded'}`
          : `at ${formatMoney(input)} and ${formatMoney(output)} a million tokens, ${PRICED_AS[name] ?? `the list price of ${name}`}`}
        ; other prices under “What if”.
      </span>
    </footer>
  );
}
