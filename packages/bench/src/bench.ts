export type Print = (line: string) => void;

/** One measurement, in one file under `benches/`. What it saw is data first, and then printed with its bars. */
export interface Bench<Seen = unknown> {
  readonly name: string;
  /** The options that it knows, without their dashes. */
  readonly takes?: readonly string[];
  /** Measures; `note` is for what has to be said on the way. */
  run(args: readonly string[], note: Print): Promise<Seen>;
  /** Prints what was seen, and answers whether the bars were met. */
  print(seen: Seen, print: Print): boolean;
}

/** A bench was told what it cannot work with; the message says what to say instead. */
export class WrongArgs extends Error {}

/** Refuses options that a bench does not know. */
export function judgeArgs({ name, takes = [] }: Bench, args: readonly string[]): void {
  const known = takes.map((one) => `--${one}`);
  const unknown = args.find((arg) => arg.startsWith('--') && !known.includes(arg));
  if (unknown === undefined) return;
  const all = known.length === 0 ? 'none' : known.join(', ');
  throw new WrongArgs(`${unknown} is no option of the bench ${name}, which knows ${all}.`);
}

/** Runs a bench, prints what it saw, and answers whether its bars were met. */
export const runBench = async (bench: Bench, args: readonly string[], print: Print): Promise<boolean> =>
  bench.print(await bench.run(args, print), print);
