import type { RequestLine } from '@palimpsest/gateway';
import { formatNumber, oneLine } from '@palimpsest/terminal';

const formatMs = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`);

/** Where it was kept all the same, the provider had found it too long as it came. */
const tellPassed = ({ passed, session }: RequestLine): string => {
  if (passed === undefined) return '';
  return session === undefined ? `passed as it came: ${passed}` : `sent again, at first as it came: ${passed}`;
};

/** What of users' and clients' text went on other than as it was written; what newer text replaced is no loss. */
function describeMissing({ missing = {} }: RequestLine): string {
  const { replaced: _, 'tool-output': __, ...lost } = missing;
  const counts = Object.entries(lost).map(([reason, count]) => `${formatNumber(count)} ${reason}`);
  return counts.length === 0 ? '' : `text not word for word: ${counts.join(', ')}`;
}

/** A request in one line for people. */
export function requestText(line: RequestLine): string {
  const time = new Date(line.at).toISOString().slice(11, 19);
  const { tokens } = line;
  const parts = [
    `${time} ${line.method} ${line.path} ${line.status === 0 ? 'no answer' : line.status} ${formatMs(line.totalMs)}`,
    [line.upstream, line.model].filter((one) => one !== undefined).join(' '),
    line.session ?? '',
    tokens === undefined
      ? ''
      : tokens.before === tokens.after
        ? `${formatNumber(tokens.after)} tokens`
        : `${formatNumber(tokens.before)} → ${formatNumber(tokens.after)} tokens`,
    line.compaction === undefined
      ? ''
      : `compacted ${formatNumber(line.compaction.before)} → ${formatNumber(line.compaction.after)}`,
    describeMissing(line),
    line.recalls === undefined ? '' : `${line.recalls} looked up`,
    line.crowded ?? '',
    tellPassed(line),
    line.ended === undefined ? '' : `ended by the ${line.ended}${line.cause === undefined ? '' : ` (${line.cause})`}`,
  ];
  return oneLine(parts.filter((part) => part !== '').join(' · '));
}
