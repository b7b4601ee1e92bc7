import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AuditedCompaction, AuditPage } from '../model/inspection.ts';
import { tellUnread } from '../model/tell.ts';
import { formatCount, formatMoney, formatNumber, formatPercent } from './format.ts';
import { courseName, courses, goToCall, goToCliff, inspection, source } from './state.ts';

/** Why did my agent forget? The verdict first. */
export function AuditPanel() {
  const audit = useSignal<AuditPage | undefined>(undefined);
  const told = useSignal('Holding every compaction against what was needed after it…');
  useEffect(() => {
    source.audit().then(
      (page) => {
        audit.value = page;
        told.value =
          inspection.peek()?.format === 'palimpsest'
            ? OURS
            : 'This file was written without its audit: --audit puts it in.';
      },
      (error: Error) => {
        told.value = error.message;
      },
    );
  }, [audit, told]);
  const page = audit.value;
  if (page === undefined) return <p class="note">{told.value}</p>;
  return (
    <div>
      <p class="verdict">{page.sentence}</p>
      <ul class="because">
        {page.because.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      <p class="actions">
        <button type="button" onClick={() => saveMarkdown(page.markdown)}>
          Save as Markdown
        </button>
      </p>
      {page.compactions.map((one, i) => (
        <Compaction key={one.cliff} one={one} number={i + 1} kinds={page.kinds} />
      ))}
      <Breaks page={page} />
    </div>
  );
}

const OURS =
  'An audit is of what another agent lost. In a session of ours nothing is: whatever went is read by its reference.';

function saveMarkdown(text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/markdown' }));
  link.download = 'audit.md';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/** The audit is of the recording's own course. */
const showCliff = (cliff: number): void => {
  courseName.value = courses.peek()[0]?.name;
  goToCliff(cliff);
};

interface CompactionProps {
  readonly one: AuditedCompaction;
  readonly number: number;
  readonly kinds: readonly string[];
}

function Compaction({ one, number, kinds }: CompactionProps) {
  return (
    <section class="audited">
      <h3>
        Compaction {formatNumber(number)}{' '}
        <span class="quiet">
          after message {formatNumber(one.at)}, {formatNumber(one.tokensBefore)} → {formatNumber(one.tokens)} tokens
        </span>{' '}
        <button type="button" class="link" onClick={() => showCliff(one.cliff)}>
          look
        </button>
      </h3>
      {one.unread !== undefined && <p class="note">Cannot be judged: {tellUnread(one.unread)}.</p>}
      <div class="scroll-x">
        <table>
          <caption class="hush">What was kept of what was needed later</caption>
          <thead>
            <tr>
              <th scope="col">kept of</th>
              {kinds.map((kind) => (
                <th key={kind} scope="col">
                  {kind}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {one.kept.map(({ by, held }) => (
              <tr key={by}>
                <th scope="row">{by}</th>
                {held.map(([part, of], i) => (
                  <td key={kinds[i]} class={of > 0 && part < of / 2 ? 'bad' : ''}>
                    {formatPercent(part, of)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {one.lost.map(({ kind, texts, more }) => (
        <p key={kind} class="examples">
          <b>{kind}</b> lost:{' '}
          {texts.map((text) => (
            <code key={text} dir="auto">
              {text}
            </code>
          ))}
          {more > 0 && <span class="quiet">and {formatCount(more, 'more', 'more')}</span>}
        </p>
      ))}
      {one.again.map(({ what, times, tokens }) => (
        <p key={what} class="examples">
          <b>again</b> <code dir="auto">{what}</code>{' '}
          <span class="quiet">
            {formatCount(times, 'time')}, {formatNumber(tokens)} tokens
          </span>
        </p>
      ))}
    </section>
  );
}

function Breaks({ page: { breaks } }: { readonly page: AuditPage }) {
  if (breaks.length === 0) return null;
  const callAt = (at: number): number => courses.value[0]?.calls.at.indexOf(at) ?? -1;
  return (
    <section>
      <h3>Cache breaks that no compaction explains</h3>
      <ul>
        {breaks.map(({ at, why, money }) => (
          <li key={at}>
            <button
              type="button"
              class="link"
              disabled={callAt(at) < 0}
              onClick={() => {
                courseName.value = courses.peek()[0]?.name;
                goToCall(callAt(at));
              }}
            >
              call {formatNumber(callAt(at) + 1)}
            </button>{' '}
            {why}
            {money !== undefined && `, about ${formatMoney(money)}`}
          </li>
        ))}
      </ul>
    </section>
  );
}
