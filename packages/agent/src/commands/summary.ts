import { resolve } from 'node:path';
import { CompactionError, type LiveSummary } from '@palimpsest/core';
import { formatCount, oneLine, receiptLines, toScreenText, wrap } from '@palimpsest/terminal';
import type { Command, CommandDesk } from './command.ts';
import { writeText } from './sessions.ts';

export const summary: Command = {
  name: 'summary',
  usage: '/summary [edit | copy]',
  help: 'shows the summary; edit puts your words in the place of its statements (in $EDITOR, or the words behind it); copy takes it to the clipboard, or into the file behind it',
  waits: true,
  async run(argument, desk) {
    const live = desk.agent.session.summary();
    if (live === undefined)
      return desk.print(['There is no summary yet: nothing has been summarized, or it was taken back.']);
    const [, verb = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(argument) ?? [];
    if (verb === '') return show(live, desk);
    if (verb === 'edit') return edit(live, rest.trim(), desk);
    if (verb === 'copy') return copy(live, rest.trim(), desk);
    desk.print(['Say /summary to see it, /summary edit to change it, /summary copy to take it along.']);
  },
};

const WRITERS: Readonly<Record<LiveSummary['by'], string>> = {
  model: 'a model wrote it',
  draft: 'a model wrote it ahead of time',
  digest: 'code wrote it',
  user: 'you have edited it',
};

const SHOWN_LINES = 60;

function show({ text, by, ref, flagged }: LiveSummary, { print, paint, columns }: CommandDesk): void {
  const lines = wrap(toScreenText(text).trimEnd(), columns - 2);
  print([paint.bold(`The summary in view: ${WRITERS[by]}; recall ${oneLine(ref)} reads what it stands for`)]);
  print(lines.slice(0, SHOWN_LINES).map((line) => `  ${line}`));
  if (lines.length > SHOWN_LINES)
    print([paint.dim(`  … ${formatCount(lines.length - SHOWN_LINES, 'more line')}; /summary copy FILE writes all`)]);
  if (flagged.length > 0) print(wrap(oneLine(`Not verified: ${flagged.join(', ')}`), columns).map(paint.yellow));
}

/** Below this line stands what is not for editing. */
const SCISSORS = '# ---- what stands below this line is by code, from the transcript: it is shown, and not edited ----';

async function edit({ narrative = '', text }: LiveSummary, words: string, desk: CommandDesk): Promise<void> {
  const { agent, print, paint, columns } = desk;
  if (words === '' && desk.edit === undefined)
    return print(['There is no terminal for an editor here: say /summary edit WORDS.']);
  const evidence = narrative === '' ? text : text.replace(narrative, '');
  const edited = words !== '' ? words : await desk.edit?.(`${narrative}\n\n${SCISSORS}\n\n${evidence.trim()}\n`);
  const own = (edited ?? '').split(SCISSORS)[0]?.trim() ?? '';
  if (own === narrative.trim()) return print(['Nothing was changed.']);
  try {
    const receipt = await agent.editSummary(own);
    // Told here and not as it happens: the user's words are told when they are on the disk.
    print([
      ...receiptLines(receipt, paint, columns),
      paint.dim('  It stands there until you change it; /undo takes it back.'),
    ]);
  } catch (error) {
    if (!(error instanceof CompactionError)) throw error;
    print([paint.yellow(oneLine(error.message))]);
  }
}

/** Terminals take no more than this at once. */
const MOST_COPIED = 70_000;

async function copy({ text }: LiveSummary, named: string, desk: CommandDesk): Promise<void> {
  const { agent, print } = desk;
  if (named === '' && desk.copy !== undefined && Buffer.byteLength(text) <= MOST_COPIED) {
    desk.copy(text);
    return print([
      `${formatCount(text.length, 'character')} handed to the terminal's clipboard (OSC 52). Where it takes none: /summary copy FILE.`,
    ]);
  }
  const file = resolve(agent.root, named === '' ? `palimpsest-summary-${agent.id}.md` : named);
  await writeText(file, `${text}\n`);
  print([`${formatCount(text.length, 'character')} written to ${oneLine(file)}`]);
}
