import { createSession } from '@palimpsest/core';
import { formatCount, formatNumber, jsonText, oneLine } from '@palimpsest/terminal';
import { systemClock } from '@palimpsest/wire';
import { Command } from 'commander';
import { jsonOption } from '../options/shared-options.ts';
import { printReceipt } from '../printing/print-receipt.ts';
import { ANY_WINDOW, dirOption, findSessionId, openStore, storeFolder } from '../stores/store-folder.ts';
import type { Terminal } from '../terminal.ts';

export const undoCommand = (terminal: Terminal): Command =>
  new Command('undo')
    .summary('take back the newest compaction')
    .description('take back the newest compaction of a session of ours')
    .argument('[session]', 'its id, or the beginning of it (default: the newest)')
    .addOption(dirOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  palimpsest undo 20261115-0312')
    .action(async (named: string | undefined, flags: { readonly dir?: string; readonly json?: true }) => {
      const folder = storeFolder(terminal.environment, flags.dir);
      const store = openStore(folder);
      const id = await findSessionId(store, folder, named);
      const stored = await store.open(id, { signal: terminal.signal });
      try {
        const session = createSession({
          window: ANY_WINDOW,
          records: stored.records,
          journal: stored.journal,
          ports: { clock: systemClock },
        });
        const receipt = session.undo();
        await session.saved();
        const { messages, tokens } = session.status();
        if (flags.json) terminal.print(jsonText({ session: id, undone: receipt, view: { messages, tokens } }, 2));
        else {
          terminal.print(
            `${terminal.paint.green('Taken back')} in ${terminal.paint.bold(oneLine(id))}: what this walk had hidden is in view again.`,
          );
          printReceipt(terminal, receipt);
          terminal.print(`The view: ${formatCount(messages, 'message')}, about ${formatNumber(tokens)} tokens.`);
        }
      } finally {
        await stored.journal.close();
      }
    });
