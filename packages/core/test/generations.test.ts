import { describe, expect, it } from 'vitest';
import { assistant, call, createSession, result, results, type Session, user } from '../src/index.ts';
import { bad, good } from './summarizers.ts';
import { long, textOf } from './texts.ts';

const GENERATIONS = 50;

/** Said once, early, and never again: all must be there at the end, word for word. */
const CONSTRAINTS = [
  'Never write to the vault/ directory.',
  'Do not push to main without asking me.',
  'You must keep the public API of billing.ts unchanged.',
  'Only use the staging database.',
];

function plant(session: Session): void {
  for (const words of CONSTRAINTS) {
    session.append(user(words));
    session.append(assistant('Understood.'));
  }
  session.append(user('The retry limit shall be 5 attempts.'));
  session.append(assistant('Set to 5.'));
  session.append(user('No, I meant 7 attempts, not 5.'));
  session.append(assistant('Changed to 7.'));
}

/** One generation of work: a task asked for, done, and ticked off; files, commands and numbers on the way. */
function generation(session: Session, n: number): void {
  const task = `task-${n}: tidy module_${n}`;
  session.append(user(`Please do ${task}`));
  const todo = (status: string) => [{ content: task, status }];
  session.append(assistant([call(`t${n}`, 'todo_write', { todos: todo('in_progress') })]));
  session.append(results([result(`t${n}`, 'ok')]));
  for (let i = 0; i < 4; i++) {
    session.append(assistant([call(`r${n}-${i}`, 'read_file', { path: `src/module_${n}/part_${i}.ts` })]));
    session.append(
      results([
        result(`r${n}-${i}`, `export const limit_${n}_${i} = ${4_000 + n * 10 + i};\n${long('// filler line', 60)}`),
      ]),
    );
    session.append(assistant([call(`b${n}-${i}`, 'bash', { command: `npm test -- module_${n} --shard ${i}` })]));
    session.append(results([result(`b${n}-${i}`, `42 passed in module_${n}\n${long('ok', 80)}`)]));
  }
  session.append(assistant([call(`d${n}`, 'todo_write', { todos: todo('completed') })]));
  session.append(results([result(`d${n}`, 'ok')]));
  session.append(assistant(`${task} is done.`));
}

const summarizers = { none: undefined, good: () => good(), fabricating: () => bad['makes up quotes']!() } as const;

describe('fifty compactions in a row', () => {
  it.each(Object.entries(summarizers))(
    'C3 C5 constraints survive verbatim, corrections win, finished tasks are not open, one summary, bounded (%s summarizer)',
    async (name, make) => {
      const session = createSession({
        window: 24_000,
        maxOutput: 500,
        drafts: false,
        ports: make === undefined ? {} : { summarizer: make() },
      });
      plant(session);
      const rows: string[] = [];
      const sizes: number[] = [];
      for (let n = 1; n <= GENERATIONS; n++) {
        generation(session, n);
        await session.compact({ form: 'up-to' });
        const { messages, tokens } = await session.view();
        const summary = messages.filter(
          (message) => message.origin === 'palimpsest' && textOf([message]).includes('[Summary of'),
        );
        const body = textOf(summary);
        const seen = textOf(messages);
        expect(summary).toHaveLength(1);
        const kept = CONSTRAINTS.filter((words) => seen.includes(words)).length;
        expect(kept).toBe(CONSTRAINTS.length);
        expect(seen).toContain('No, I meant 7 attempts, not 5.');
        // What was corrected may stand only in front of its correction, newest first or in order; never alone.
        if (seen.includes('The retry limit shall be 5 attempts.')) expect(seen).toContain('No, I meant 7');
        const open = body
          .split('\n')
          .filter(
            (line) => /in.progress|pending|open/i.test(line) && /task-\d+/.test(line) && !line.startsWith('names:'),
          );
        expect(open).toEqual([]);
        sizes.push(body.length);
        if (n % 10 === 0 || n === 1) {
          const recent = [0, 1, 2]
            .map((back) => `module_${Math.max(1, n - back)}`)
            .filter((path) => seen.includes(path)).length;
          rows.push(
            `${String(n).padStart(3)}  ${String(tokens).padStart(6)}  ${String(body.length).padStart(6)}  ${kept}/${CONSTRAINTS.length}  ${recent}/3`,
          );
        }
      }
      console.log(
        `generations (${name} summarizer)\ngen  tokens   chars  constraints  recent files\n${rows.join('\n')}`,
      );
      expect(Math.max(...sizes.slice(10))).toBeLessThan(Math.max(...sizes.slice(0, 10)) * 2);
    },
  );
});

describe('small windows', () => {
  it.each([4_000, 6_000, 8_000, 12_000])(
    'C5 a rule said once is in every view after it, without a model, in a window of %d tokens',
    async (window) => {
      const session = createSession({ window, system: long('be careful', 100) });
      const rule =
        'Two rules for this project: never touch the migrations folder, and ask me before you add a dependency.';
      session.append(user(`Larder mails some people twice about the same jar. Please find out why. ${rule}`));
      for (let n = 1; n <= 12; n++) {
        if (n === 4) session.append(user('No new dependency. 日付の扱いを確認してください。'));
        generation(session, n);
        const { messages, fits } = await session.view();
        expect(fits).toBe(true);
        expect(textOf(messages)).toContain('never touch the migrations folder');
      }
      expect(session.receipts().length).toBeGreaterThan(1);
    },
  );
});
