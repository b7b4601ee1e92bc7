/** `--name 5` for each of the sizes that a bench has; the others stay. */
export function readSizes<Sizes extends Readonly<Record<string, number>>>(
  args: readonly string[],
  sizes: Sizes,
): Sizes {
  const stated = Object.keys(sizes).map((name) => {
    const at = args.indexOf(`--${name}`);
    return [name, at < 0 ? sizes[name] : Number(args[at + 1])];
  });
  return Object.fromEntries(stated) as Sizes;
}
