/** One measurement: prints what it saw, and answers whether its bars were met. One file each, named in `main.ts`. */
export type Bench = (print: (line: string) => void, args: readonly string[]) => Promise<boolean>;
