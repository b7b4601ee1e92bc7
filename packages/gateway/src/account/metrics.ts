import type { RequestLine } from './request-line.ts';

/** Counts and times since the start, in the text format of Prometheus. */
export interface Metrics {
  begin(): void;
  end(line: RequestLine): void;
  /** What so many requests used could not be written down. */
  loseUsage(requests: number): void;
  /** `gauges` are read at the moment. */
  print(gauges?: Readonly<Record<string, number>>): string;
}

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

interface Histogram {
  readonly counts: number[];
  sum: number;
  count: number;
}

const newHistogram = (): Histogram => ({ counts: SECONDS.map(() => 0), sum: 0, count: 0 });

function addSeconds(histogram: Histogram, seconds: number): void {
  histogram.sum += seconds;
  histogram.count++;
  for (const [i, most] of SECONDS.entries()) if (seconds <= most) histogram.counts[i]!++;
}

const printHistogram = (name: string, help: string, { counts, sum, count }: Histogram): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} histogram`,
  ...SECONDS.map((most, i) => `${name}_bucket{le="${most}"} ${counts[i]}`),
  `${name}_bucket{le="+Inf"} ${count}`,
  `${name}_sum ${sum}`,
  `${name}_count ${count}`,
];

const HELP: Readonly<Record<string, string>> = {
  palimpsest_requests_total: 'Requests, by upstream and status.',
  palimpsest_compactions_total: 'Requests that went on smaller than ever before.',
  palimpsest_recalls_total: 'Lookups that were answered inside.',
  palimpsest_passed_total: 'Requests that went on as they came though they could be too long.',
  palimpsest_broken_total: 'Requests that ended before their time, by who ended them.',
  palimpsest_tokens_saved_total: 'Tokens that came and did not go on.',
  palimpsest_usage_tokens_total: 'Tokens as providers reported them, by kind.',
  palimpsest_usage_lost_total: 'Requests whose usage could not be written down.',
};

export function createMetrics(): Metrics {
  const counters = new Map<string, number>();
  const overhead = newHistogram();
  const firstByte = newHistogram();
  let open = 0;
  const add = (name: string, by: number, labels = ''): void => {
    const key = labels === '' ? name : `${name}{${labels}}`;
    counters.set(key, (counters.get(key) ?? 0) + by);
  };
  return {
    begin() {
      open++;
    },
    end(line) {
      open--;
      add('palimpsest_requests_total', 1, `upstream="${line.upstream ?? 'none'}",status="${line.status}"`);
      if (line.compacted) add('palimpsest_compactions_total', 1);
      if (line.passed !== undefined) add('palimpsest_passed_total', 1);
      if (line.ended !== undefined) add('palimpsest_broken_total', 1, `by="${line.ended}"`);
      if (line.recalls !== undefined) add('palimpsest_recalls_total', line.recalls);
      if (line.tokens !== undefined)
        add('palimpsest_tokens_saved_total', Math.max(0, line.tokens.before - line.tokens.after));
      for (const [kind, tokens] of Object.entries(line.usage ?? {}))
        add('palimpsest_usage_tokens_total', tokens, `kind="${kind}"`);
      if (line.overheadMs !== undefined) addSeconds(overhead, line.overheadMs / 1_000);
      if (line.firstByteMs !== undefined) addSeconds(firstByte, line.firstByteMs / 1_000);
    },
    loseUsage: (requests) => add('palimpsest_usage_lost_total', requests),
    print(gauges = {}) {
      const lines = Object.entries(HELP).flatMap(([name, help]) => [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} counter`,
        ...[...counters].filter(([key]) => key.split('{')[0] === name).map(([key, value]) => `${key} ${value}`),
      ]);
      const now = Object.entries({ palimpsest_requests_open: open, ...gauges }).flatMap(([name, value]) => [
        `# TYPE ${name} gauge`,
        `${name} ${value}`,
      ]);
      return [
        ...lines,
        ...now,
        ...printHistogram('palimpsest_overhead_seconds', 'Spent in the gateway before a request went on.', overhead),
        ...printHistogram('palimpsest_first_byte_seconds', "Until the answer's first byte.", firstByte),
        '',
      ].join('\n');
    },
  };
}
