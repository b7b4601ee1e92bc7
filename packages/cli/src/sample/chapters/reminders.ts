import { edit, fetchPage, grep, list, read, shell, write } from '../actions.ts';
import { article, testRun } from '../outputs.ts';
import type { Tale } from '../tale.ts';

/** What must still be in view when everything around it has gone. */
export const RULE = 'never touch the migrations folder';

/** A bug is found in small steps: searches repeated, a file read again unchanged, a write that the host refuses. */
export function reminders(tale: Tale): void {
  tale.human(
    `Larder mails some people twice about the same jar. Please find out why and fix it. Two rules for this project: ${RULE}, and ask me before you add a dependency.`,
  );
  tale.round(
    {
      thought:
        'A duplicate mail: either the job runs twice or it does not know that it ran. I will look at how it is started first.',
      words: 'I will start with the layout and the reminder code.',
    },
    list('src'),
    read('README.md'),
    read('src/reminders/schedule.ts'),
    read('src/reminders/send.ts'),
  );
  tale.round({ words: 'Who starts it?' }, grep('remindAll'));
  tale.round({ words: 'And where is reminded_at looked at?' }, grep('reminded_at'));
  tale.round(
    {
      thought:
        'reminded_at is written and never read. A stocktake starts the job again on the same day, so everybody on the shelf gets a second mail. The query has to leave out what was reminded since the start of the day.',
    },
    shell('npm test', testRun(11, 'reminders'), true),
  );
  tale.round(
    { words: 'One test shows it. Once more the schedule, to change the query.' },
    read('src/reminders/schedule.ts'),
  );
  tale.round(
    {},
    edit(
      'src/reminders/schedule.ts',
      "'select * from items where expires between ? and ?', [from.toISOString(), to.toISOString()]",
      "'select * from items where expires between ? and ? and (reminded_at is null or reminded_at < ?)', [from.toISOString(), to.toISOString(), from.toISOString()]",
    ),
  );
  tale.round({}, shell('npm test', testRun(12)));
  tale.round({ words: 'Green. A last look at who reads the column now.' }, grep('reminded_at'));
  tale.say(
    'Fixed: the job wrote reminded_at but never asked for it, so a stocktake on the same day mailed everybody again. The query now leaves out items reminded since midnight. All 180 tests pass.',
  );

  tale.human('Good. Does the weekly digest have the same problem?');
  tale.round({ words: 'There should be a digest module; I will look.' }, grep('digest'), list('src'));
  tale.round(
    {
      thought:
        'There is no digest yet, only the tests of one. A column digest_at would be needed, and a column means a migration.',
    },
    write('migrations/003_digest.sql', 'alter table people add column digest_at text;\n'),
  );
  tale.say(
    `That write was refused, and rightly: you said to ${RULE}. The digest has no memory at all today; it needs a column, which you would have to add. I can keep it in a file beside the database instead.`,
  );

  tale.human('A file is fine: src/reminders/digest-memory.ts. No new dependency.');
  tale.round(
    {
      thought: 'A small module: load, has, mark. JSON, written whole and renamed, so that a crash leaves the old one.',
    },
    write('src/reminders/digest-memory.ts', DIGEST_MEMORY),
  );
  tale.round({}, shell('npm test -- digest', testRun(13, undefined, 60)));
  tale.round({}, read('src/reminders/digest-memory.ts'));
  tale.say('Done. The digest remembers in a file which week each person had, and asks it before it mails.');
}

/** A report in another language, and a page from the web that is far too long to be shown whole. */
export function dates(tale: Tale): void {
  tale.human(
    'ゆきさんから：「賞味期限の通知が前の日に届きました」 So for Yuki the mail comes a day early. 日付の扱いを確認してください。',
  );
  tale.round(
    { thought: 'A day early west of Greenwich, a day late east of it: parseDay reads a day as UTC midnight.' },
    read('src/dates.ts'),
    grep('parseDay'),
  );
  tale.round(
    { words: 'I want to be sure how a date without a time is read.' },
    fetchPage('https://example.org/on-dates', article(21, 26)),
  );
  tale.round(
    { words: 'The page has a second part about storing dates.' },
    fetchPage('https://example.org/on-dates/storing', article(22, 24)),
  );
  tale.round(
    { thought: 'As I thought. The fix is to build the date from its three numbers, which gives local midnight.' },
    edit('src/dates.ts', 'new Date(text)', "new Date(...(text.split('-').map(Number) as [number, number, number]))"),
  );
  tale.round({ words: 'The month counts from zero; I forgot that.' }, read('src/dates.ts'));
  tale.round({}, edit('src/dates.ts', 'new Date(...(text.split', 'localDay(...(text.split'));
  tale.round(
    {},
    edit(
      'src/dates.ts',
      'export const isoDay',
      'const localDay = (year: number, month: number, day: number): Date => new Date(year, month - 1, day);\n\nexport const isoDay',
    ),
  );
  tale.round(
    {},
    shell('TZ=Asia/Tokyo npm test', testRun(23)),
    shell('TZ=America/Lima npm test', testRun(24, 'dates'), true),
  );
  tale.round({ words: 'Lima still fails: isoDay goes through UTC.' }, read('src/dates.ts'));
  tale.round({}, edit('src/dates.ts', 'date.toISOString().slice(0, 10)', "date.toLocaleDateString('sv-SE')"));
  tale.round({}, shell('TZ=America/Lima npm test', testRun(25)));
  tale.say(
    'ゆきさんの問題を直しました。A day is now read as local midnight and written as the local day; the tests pass in Tokyo and in Lima.',
  );
}

const DIGEST_MEMORY = `import { readFile, rename, writeFile } from 'node:fs/promises';

const FILE = 'digest-memory.json';

/** Which week's digest each person had last. */
export type DigestMemory = Readonly<Record<string, string>>;

export async function load(): Promise<DigestMemory> {
  try {
    return JSON.parse(await readFile(FILE, 'utf8')) as DigestMemory;
  } catch {
    return {};
  }
}

export const has = (memory: DigestMemory, mail: string, week: string): boolean => memory[mail] === week;

export async function mark(memory: DigestMemory, mail: string, week: string): Promise<DigestMemory> {
  const next = { ...memory, [mail]: week };
  await writeFile(\`\${FILE}.new\`, JSON.stringify(next));
  await rename(\`\${FILE}.new\`, FILE);
  return next;
}
`;
