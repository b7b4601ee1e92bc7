export type Print = (line: string) => void;

/** One measurement, in one file under `benches/`. What it saw is data first, and then printed with its bars. */
export interface Bench<Seen = unknown> {
  readonly name: string;
  /** Measures; `note` is for what has to be said on the way. */
  run(args: readonly string[], note: Print): Promise<Seen>;
  /** Prints what was seen, and answers whether the bars were met. */
  print(seen: Seen, print: Print): boolean;
}

/** Runs a bench, prints what it saw, and answers whether its bars were met. */
export const runBench = async (bench: Bench, args: readonly string[], print: Print): Promise<boolean> =>
  bench.print(await bench.run(args, print), print);
