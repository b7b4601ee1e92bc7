import { WrongArgs } from './bench.ts';

/** `--name 5` for each of the sizes that a bench has; the others stay. */
export function readSizes<Sizes extends Readonly<Record<string, number>>>(
  args: readonly string[],
  sizes: Sizes,
): Sizes {
  const all = Object.keys(sizes).map((name) => {
    const at = args.indexOf(`--${name}`);
    const stated = at < 0 ? sizes[name]! : Number(args[at + 1]);
    if (!(stated >= 0)) throw new WrongArgs(`--${name} takes a number, such as ${sizes[name]}.`);
    return [name, stated];
  });
  return Object.fromEntries(all) as Sizes;
}
