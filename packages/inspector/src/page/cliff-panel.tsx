import { useState } from 'preact/hooks';
import { type Cliff, type Course, KINDS } from '../model/inspection.ts';
import { priceCliff } from '../model/reckon.ts';
import { tellReason, tellUnread } from '../model/tell.ts';
import { formatCount, formatMoney, formatNumber, formatPercent } from './format.ts';
import { Reader } from './reader.tsx';
import {
  changeSession,
  course,
  goToCliff,
  goToMessage,
  inspection,
  isChanging,
  prices,
  selectedCliff,
  source,
  tab,
} from './state.ts';
import { TableTwin } from './table-twin.tsx';
import { Items } from './went-items.tsx';
import { KIND_WORDS } from './words.ts';

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Before and after one compaction, and each thing that went. */
export function CliffPanel() {
  const shown = course.value;
  const cliff = shown?.cliffs[selectedCliff.value];
  if (shown === undefined) return null;
  if (cliff === undefined)
    return <p class="note">Nothing was compacted in this course: the model saw all that was said.</p>;
  return (
    <div>
      <CliffPicker shown={shown} />
      <Sentence shown={shown} cliff={cliff} />
      <BeforeAfter cliff={cliff} />
      <Price shown={shown} />
      <Actions key={cliff.walk} shown={shown} cliff={cliff} />
      <Missing cliff={cliff} />
      <Items shown={shown} cliff={cliff} />
      <Added shown={shown} cliff={cliff} />
    </div>
  );
}

function CliffPicker({ shown }: { readonly shown: Course }) {
  const declared = shown.cliffs.flatMap((cliff, place) => (cliff.declared ? [place] : []));
  const others = shown.cliffs.length - declared.length;
  const here = declared.indexOf(selectedCliff.value);
  const before = here < 0 ? declared.findLast((place) => place < selectedCliff.value) : declared[here - 1];
  const next = here < 0 ? declared.find((place) => place > selectedCliff.value) : declared[here + 1];
  return (
    <div class="picker">
      <button
        type="button"
        disabled={before === undefined}
        onClick={() => goToCliff(before ?? 0)}
        aria-label="the compaction before"
      >
        ←
      </button>
      <label>
        Compaction{' '}
        <select value={selectedCliff.value} onChange={(event) => goToCliff(Number(event.currentTarget.value))}>
          {shown.cliffs.map((cliff, place) => (
            <option key={place} value={place}>
              {cliff.declared ? `${declared.indexOf(place) + 1}` : '–'} · before call {formatNumber(cliff.call + 1)} ·{' '}
              {formatNumber(sum(cliff.before))} → {formatNumber(sum(cliff.after))}
              {cliff.declared ? '' : ' (cache kept)'}
              {cliff.undoneAt === undefined ? '' : ' (taken back)'}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        disabled={next === undefined}
        onClick={() => goToCliff(next ?? 0)}
        aria-label="the next compaction"
      >
        →
      </button>
      <span class="quiet">
        {formatCount(declared.length, 'compaction')}
        {others > 0 && `, ${formatCount(others, 'smaller change')} that kept the cache`}
      </span>
      {declared.length > 2 && <Extremes shown={shown} declared={declared} />}
    </div>
  );
}

/** The compactions that people look for first. */
function Extremes({ shown, declared }: { readonly shown: Course; readonly declared: readonly number[] }) {
  const findMost = (weigh: (place: number) => number): number =>
    declared.reduce((most, place) => (weigh(place) > weigh(most) ? place : most), declared[0] ?? 0);
  const countFreed = (place: number): number =>
    sum(shown.cliffs[place]?.before ?? []) - sum(shown.cliffs[place]?.after ?? []);
  const findCost = (place: number): number => priceCliff(shown, place, prices.value)?.costNow ?? 0;
  return (
    <span class="quiet">
      {[['largest', findMost(countFreed)] as const, ['dearest', findMost(findCost)] as const].map(([word, place]) => (
        <button key={word} type="button" class="link" onClick={() => goToCliff(place)}>
          the {word}: {declared.indexOf(place) + 1}
        </button>
      ))}
    </span>
  );
}

function Sentence({ shown, cliff }: { readonly shown: Course; readonly cliff: Cliff }) {
  const [before, after] = [sum(cliff.before), sum(cliff.after)];
  const why = tellReason(cliff, shown.budget);
  const layers = [...new Set(cliff.items.map(({ layer }) => layer))];
  return (
    <p class="lead">
      Before call {formatNumber(cliff.call + 1)} the view went from <b>{formatNumber(before)}</b> to{' '}
      <b>{formatNumber(after)}</b> tokens ({formatPercent(before - after, before)} less), by{' '}
      {layers.join(', ') || 'no layer'}; trigger: {cliff.trigger}.{why === '' ? '' : ` Why now: ${why}.`}
      {cliff.undoneAt !== undefined && ` It was taken back before call ${formatNumber(cliff.undoneAt + 1)}.`}
      {cliff.call >= shown.calls.at.length && ' No call came after it.'}
      {cliff.unread !== undefined && ` The view behind it held more than is counted: ${tellUnread(cliff.unread)}.`}
    </p>
  );
}

function Bar({
  title,
  weights,
  most,
}: {
  readonly title: string;
  readonly weights: readonly number[];
  readonly most: number;
}) {
  return (
    <div class="bar-row">
      <span class="bar-title">{title}</span>
      <span class="bar" aria-hidden="true">
        {KINDS.map((kind, i) => (
          <i
            key={kind}
            class={`dot-kind-${kind}`}
            title={`${KIND_WORDS[kind]} ${formatNumber(weights[i] ?? 0)}`}
            style={{ width: `${(100 * (weights[i] ?? 0)) / Math.max(1, most)}%` }}
          />
        ))}
      </span>
      <span class="figure">{formatNumber(sum(weights))}</span>
    </div>
  );
}

function BeforeAfter({ cliff }: { readonly cliff: Cliff }) {
  const most = Math.max(sum(cliff.before), sum(cliff.after));
  const kinds = KINDS.map((kind, i) => ({ kind, before: cliff.before[i] ?? 0, after: cliff.after[i] ?? 0 })).filter(
    ({ before, after }) => before + after > 0,
  );
  return (
    <div class="before-after">
      <Bar title="before" weights={cliff.before} most={most} />
      <Bar title="after" weights={cliff.after} most={most} />
      <p class="caption">
        {kinds.map(({ kind, before, after }) => (
          <span key={kind}>
            <i class={`dot dot-kind-${kind}`} />
            {KIND_WORDS[kind]} {formatNumber(before)} → {formatNumber(after)}
          </span>
        ))}
      </p>
      <TableTwin
        title="Before and after, as a table"
        head={['kind', 'before', 'after']}
        count={kinds.length}
        row={(place) => {
          const { kind = 'system', before = 0, after = 0 } = kinds[place] ?? {};
          return [KIND_WORDS[kind], formatNumber(before), formatNumber(after)];
        }}
      />
    </div>
  );
}

function Price({ shown }: { readonly shown: Course }) {
  const price = priceCliff(shown, selectedCliff.value, prices.value);
  if (price === undefined) return null;
  const { costNow, savedPerCall, callsToPayBack, callsAfter, gained } = price;
  if (Number.isNaN(costNow))
    return <p class="price">What it cost and saved is not known: “What if” takes the model's price.</p>;
  const window = shown.cliffs[selectedCliff.value]?.room?.window ?? shown.budget.window ?? Number.POSITIVE_INFINITY;
  const isTooLarge = sum(shown.cliffs[selectedCliff.value]?.before ?? []) > window;
  return (
    <p class="price">
      {costNow < 0 ? (
        <>
          It saved <b>{formatMoney(-costNow)}</b> at the next call already (more than what had to be written again went
          before it had ever been in the cache)
        </>
      ) : (
        <>
          It cost <b>{formatMoney(costNow)}</b> at the next call (what stands in the place of what went, and all behind
          it, were written into the cache
          {shown.cliffs[selectedCliff.value]?.asked === undefined ? '' : '; and the summary was asked for'})
        </>
      )}{' '}
      and saved <b>{formatMoney(savedPerCall)}</b> at each call.{' '}
      {callsToPayBack === 0
        ? 'It paid at once.'
        : Number.isFinite(callsToPayBack)
          ? `It pays after ${formatCount(callsToPayBack, 'call')}; ${formatNumber(callsAfter)} came.`
          : 'It never pays.'}{' '}
      In the end:{' '}
      <b class={gained < 0 ? 'bad' : 'good'}>
        {gained < 0 ? `${formatMoney(-gained)} lost` : `${formatMoney(gained)} saved`}
      </b>
      .
      {shown.cliffs[selectedCliff.value]?.trigger === 'overflow'
        ? ' Without it the conversation could not have gone on.'
        : isTooLarge &&
          ` That is against sending all of it, which the window of ${formatNumber(window)} could not have taken.`}
    </p>
  );
}

function Actions({ shown, cliff }: { readonly shown: Course; readonly cliff: Cliff }) {
  const [told, setTold] = useState('');
  const { walk } = cliff;
  const isNewest = walk !== undefined && walk === inspection.value?.undoable;
  const canUndo = source.change !== undefined && shown.name === 'session' && isNewest;
  const undo = async (): Promise<void> => {
    if (walk === undefined || isChanging.peek()) return;
    setTold((await changeSession('undo', walk)) ?? 'Taken back. The next view shows all of it again.');
  };
  return (
    <p class="actions">
      {cliff.summary !== undefined && (
        <button type="button" onClick={() => (tab.value = 'summary')}>
          Its summary, with provenance
        </button>
      )}
      {canUndo && (
        <button type="button" class="undo" disabled={isChanging.value} onClick={undo}>
          Take it back (undo)
        </button>
      )}
      <span role="status">{told}</span>
    </p>
  );
}

/** What users and clients wrote and the view no longer shows word for word. */
function Missing({ cliff }: { readonly cliff: Cliff }) {
  const { missing = [] } = cliff;
  if (missing.length === 0) return null;
  return (
    <div>
      <h3>
        Not word for word <span class="quiet">{formatCount(missing.length, 'text')} that you or the client wrote</span>
      </h3>
      <ul>
        {missing.map(({ at, reason }, place) => (
          <li key={place}>
            <button type="button" class="link" onClick={() => goToMessage(at)}>
              {inspection.value?.messages.titles[at] ?? `message ${at + 1}`}
            </button>{' '}
            <span class="quiet">{MISSING_WORDS[reason] ?? reason}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const MISSING_WORDS: Readonly<Record<string, string>> = {
  shortened: 'head and tail are shown',
  folded: 'folded into the summary, as this preset does',
  'no-room': 'there was no room for it',
};

/** What stands in the place of what went. */
function Added({ shown, cliff }: { readonly shown: Course; readonly cliff: Cliff }) {
  const [open, setOpen] = useState<string | undefined>(undefined);
  if (cliff.made.length === 0) return null;
  return (
    <div>
      <h3>What stands in its place</h3>
      {cliff.made.map((made) => (
        <div key={made.id} class="original">
          <p>
            <i class={`dot dot-kind-${made.kind}`} />
            <button
              type="button"
              class="link"
              aria-expanded={open === made.id}
              onClick={() => setOpen(open === made.id ? undefined : made.id)}
            >
              {KIND_WORDS[made.kind]}
            </button>{' '}
            <span class="figure">{formatNumber(made.tokens)}</span> <span dir="auto">{made.title}</span>
          </p>
          {open === made.id && <Reader course={shown.name} name={made.id} />}
        </div>
      ))}
    </div>
  );
}
