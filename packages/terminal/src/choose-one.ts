import { listenToKeys } from './keyboard.ts';
import { newLiveArea } from './live-area.ts';
import { oneLine } from './printable.ts';
import { clip, wrap } from './text-width.ts';
import type { Writer } from './writer.ts';

export interface Choice {
  readonly name: string;
  /** What comes of it, in a sentence. */
  readonly about: string;
}

interface ChooseParts {
  readonly question: string;
  readonly choices: readonly Choice[];
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly out: Writer;
}

const KEYS = 'up and down, or a number, then Enter · q leaves';
const INDENT = '     ';

/** Lets a person choose one of a short list; undefined where they leave. The list is gone afterwards, the choice stays. */
export function chooseOne({ question, choices, stdin, stdout, out }: ChooseParts): Promise<number | undefined> {
  const area = newLiveArea(out);
  const { paint } = out;
  let at = 0;
  const draw = (): void => {
    const columns = Math.max(20, (out.columns() ?? 80) - 1);
    const rows = choices.flatMap(({ name, about }, i) => [
      i === at
        ? paint.cyan(clip(`❯ ${i + 1}  ${oneLine(name)}`, columns))
        : clip(`  ${i + 1}  ${oneLine(name)}`, columns),
      ...wrap(oneLine(about), columns - INDENT.length).map((line) => paint.dim(`${INDENT}${line}`)),
    ]);
    area.paint([paint.bold(clip(question, columns)), ...rows, paint.dim(clip(KEYS, columns))], {
      line: rows.length + 1,
      column: 0,
    });
  };
  return new Promise((resolve) => {
    const onResize = (): void => {
      area.resize();
      draw();
    };
    const end = (chosen: number | undefined): void => {
      keys.close();
      stdout.off('resize', onResize);
      const name = chosen === undefined ? undefined : choices[chosen]?.name;
      if (name !== undefined) area.print([`${question} ${paint.cyan(oneLine(name))}`]);
      area.close();
      resolve(chosen);
    };
    const move = (by: number): void => {
      at = (at + by + choices.length) % choices.length;
      draw();
    };
    const keys = listenToKeys(stdin, out, (typed, { name, ctrl }) => {
      const number = Number(typed);
      if (ctrl === true ? name === 'c' || name === 'd' : name === 'escape' || typed === 'q') end(undefined);
      else if (name === 'return' || name === 'enter') end(at);
      else if (name === 'up' || typed === 'k') move(-1);
      else if (name === 'down' || typed === 'j' || name === 'tab') move(1);
      else if (Number.isInteger(number) && choices[number - 1] !== undefined) end(number - 1);
    });
    stdout.on('resize', onResize);
    draw();
  });
}
