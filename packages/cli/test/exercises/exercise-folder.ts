import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 1);

const DAYS = 6;

/** A folder like the one of the course: a README, a program, a lesson, and what was noted in six days: long, middling, short. */
export function layOutExercises(root: string): void {
  for (const dir of ['s01', 'notes', 'week', 'log']) mkdirSync(join(root, dir), { recursive: true });
  const write = (name: string, lines: readonly string[]): void =>
    writeFileSync(join(root, name), `${lines.join('\n')}\n`);
  write('README.md', [
    '# A mill',
    '',
    ...numbers(30).map((n) => `${n}. Grind the corn, carry sack ${n}, note its weight.`),
  ]);
  write(
    'code.py',
    numbers(40).flatMap((n) => [`def step_${n}(sacks):`, `    return sacks + ${n}`, '']),
  );
  write('s01/README.md', [
    '# Lesson 1',
    '',
    ...numbers(30).map((n) => `- Ask the model, run its tools, ask again (${n}).`),
  ]);
  for (const day of numbers(DAYS)) {
    const line = (n: number): string =>
      `${day}.${n} The mill ground ${n * day} sacks; the weir stood at ${n % 7} feet.`;
    write(`notes/day-${day}.md`, [`# Day ${day}`, ...numbers(780).map(line)]);
    write(`week/day-${day}.md`, [`# Day ${day}`, ...numbers(220).map(line)]);
    write(`log/day-${day}.md`, [`# Day ${day}`, ...numbers(60).map(line)]);
  }
}

/** What somebody says in twenty turns and more. */
export const TALK: readonly string[] = numbers(22).map((n) => `read log/day-${((n - 1) % DAYS) + 1}.md`);

/** The middling notes, one after the other. */
export const WEEK: readonly string[] = [...numbers(DAYS), 1, 2].map((day) => `read week/day-${day}.md`);
