import { type Course, KINDS, type Kind, type PriceList } from '../model/inspection.ts';
import { priceCall, viewTokens } from '../model/reckon.ts';
import { formatMoney, formatNumber } from './format.ts';
import { course, hoveredCall, inspection, prices, selectedCall } from './state.ts';
import { TableTwin } from './table-twin.tsx';
import { KIND_WORDS } from './words.ts';

/** The numbers of the call under the pointer, or of the one that is looked at. */
export function Readout() {
  const shown = course.value;
  const call = hoveredCall.value ?? selectedCall.value;
  if (shown === undefined || shown.calls.at[call] === undefined) return null;
  const { calls } = shown;
  return (
    <div class="readout">
      <strong>
        call {formatNumber(call + 1)} <span class="figure">{formatNumber(viewTokens(shown, call))}</span>
      </strong>
      {KINDS.map((kind, i) => (
        <span key={kind} class={(calls.kinds[i]?.[call] ?? 0) === 0 ? 'none' : ''}>
          <i class={`dot dot-kind-${kind}`} />
          {KIND_WORDS[kind]}{' '}
          <span class="figure">{tellUncounted(shown, kind) ?? formatNumber(calls.kinds[i]?.[call] ?? 0)}</span>
        </span>
      ))}
      <span>
        <i class="dot dot-hidden" />
        hidden <span class="figure">{formatNumber(calls.hidden[call] ?? 0)}</span>
      </span>
      <span>
        <i class="dot dot-read" />
        cached <span class="figure">{formatNumber(calls.cacheRead[call] ?? 0)}</span>
      </span>
      <span>
        <i class="dot dot-money" />
        <span class="figure">{formatMoney(priceCall(shown, call, prices.value))}</span>
      </span>
    </div>
  );
}

/** Definitions of tools are not told apart: in a session of ours they count as system, other agents do not record them. */
function tellUncounted({ calls }: Course, kind: Kind): string | undefined {
  if (kind !== 'tools' || calls.kinds[KINDS.indexOf(kind)]?.some((tokens) => tokens > 0)) return undefined;
  return inspection.value?.format === 'palimpsest' ? 'within system' : 'not recorded';
}

/** The same as the charts, for those who read rather than look. */
export function CallTable({ shown, list }: { readonly shown: Course; readonly list: PriceList }) {
  const { calls } = shown;
  return (
    <TableTwin
      title="The numbers of every call, as a table"
      head={[
        'call',
        'view',
        ...KINDS.map((kind) => KIND_WORDS[kind]),
        'hidden',
        'cache read',
        'cache written',
        'again',
        'money',
      ]}
      count={calls.at.length}
      row={(call) => [
        formatNumber(call + 1),
        formatNumber(viewTokens(shown, call)),
        ...KINDS.map((kind, i) => tellUncounted(shown, kind) ?? formatNumber(calls.kinds[i]?.[call] ?? 0)),
        ...[calls.hidden, calls.cacheRead, calls.cacheWrite, calls.again].map((column) =>
          formatNumber(column[call] ?? 0),
        ),
        formatMoney(priceCall(shown, call, list)),
      ]}
    />
  );
}
