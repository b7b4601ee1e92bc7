import { edit, grep, read, shell } from '../actions.ts';
import { ROUTES } from '../larder.ts';
import { requestLog, testRun } from '../outputs.ts';
import type { Tale } from '../tale.ts';

export const PINNED = 'A quantity is a whole number of grams or pieces, never a fraction.';

/** One change in twenty files: many short messages, most of them soon out of date. */
export function quantities(tale: Tale): void {
  tale.human(
    `Please rename qty to quantity in all route modules, one by one, and check each before you go on. Mind: ${PINNED}`,
  );
  tale.happens('pinned');
  tale.round({ words: 'Where does it stand?' }, grep('qty'));
  for (const [n, path] of ROUTES.entries()) {
    tale.round(
      n % 4 === 0 ? { thought: `Next is ${path}: the field, the column list and the check for missing fields.` } : {},
      read(path),
    );
    const holds = !['people', 'recipes'].some((thing) => path.endsWith(`/${thing}.ts`));
    if (holds) tale.round({}, edit(path, 'qty', 'quantity'));
    else tale.round({ words: 'No quantity here.' }, edit(path, 'qty: number', 'quantity: number'));
    if (n % 5 === 4) tale.round({ words: `${n + 1} of ${ROUTES.length}; what is left?` }, grep('qty'));
  }
  tale.round({}, shell('npm test', testRun(31, 'export')), shell('npm run lint', 'no complaints'));
  tale.round({ words: 'One place was missed.' }, grep('qty'));
  tale.say(
    `All route modules say quantity now. The column in the database is still called qty, since it comes from a migration; the modules select it by that name. ${PINNED}`,
  );
}

/** A pause is coming: small things, each with an answer of a few lines. */
export function smallCommits(tale: Tale): void {
  tale.human('Nice. Commit what we have in small commits, please, I am off to lunch.');
  tale.round({}, shell('git status --short', ROUTES.map((path) => ` M ${path}`).join('\n')));
  for (const [n, path] of ROUTES.slice(0, 9).entries())
    tale.round(
      {},
      shell(
        `git commit -m "Say quantity, ${n + 1}" ${path}`,
        `[main ${(0x3fa910 + n * 7919).toString(16)}] Say quantity, ${n + 1}\n 1 file changed, 6 insertions(+), 6 deletions(-)\n nothing was left behind by this commit, the work tree is clean for ${path}`,
      ),
    );
  tale.say('Committed in nine steps.');
}

/** A crash log, pasted whole: one message that is larger than the window. */
export function crash(tale: Tale): void {
  tale.human(
    `The kitchen's server fell over last night. This is its log, what happened?\n\n${requestLog(81, 1_100)}\n04:12:09 out of disk: /var/larder 100 % full`,
  );
  tale.round(
    { thought: 'The end of the log says it: the disk was full.' },
    shell('df -h /var/larder', '/dev/sda2  20G  20G  0  100%  /var/larder'),
    shell('du -sh /var/larder/*', '19G  /var/larder/backups\n41M  /var/larder/larder.sqlite'),
  );
  tale.say('The disk was full: nineteen of twenty gigabytes are old backups. Nothing is wrong with Larder itself.');
}

/** A slow page: long logs, several files side by side, and much thinking. */
export function slowness(tale: Tale): void {
  tale.human(`The list of shelves takes almost a second. Why? These were slow today:\n\n${requestLog(43, 80)}`);
  tale.round({ words: 'First what the server says.' }, shell('tail -n 600 larder.log', requestLog(41, 600)));
  for (const [n, group] of [0, 4, 8, 12].entries()) {
    tale.round(
      { thought: `${PONDERING} This is the look number ${n + 1} at the modules, four at a time.` },
      ...ROUTES.slice(group, group + 4).map(read),
    );
    tale.round({ thought: PONDERING }, grep(`select id`), shell(`grep -c GET larder.log.${n}`, String(480 + n)));
  }
  tale.round({ thought: PONDERING }, read('src/routes/shelves.ts'));
  tale.round({}, edit('src/routes/shelves.ts', 'order by id limit ?', 'order by label limit ?'));
  tale.round({}, shell('npm test', testRun(42)));
  tale.say(
    'The list asked for its order by id and then sorted two hundred labels in the page. It is ordered by the database now: 40 ms.',
  );
}

const PONDERING =
  'Every list has the same form: one query, at most two hundred rows, read in the order of their ids. If one of them is slow and the others are not, the difference must be in the table, in the number of rows or in what the page does with them afterwards. The log has the time until the answer was sent, so the page is out of it for that number. I should compare the slow requests with the size of their answers before I change anything, because an index would be a migration and those are not mine to make.';
