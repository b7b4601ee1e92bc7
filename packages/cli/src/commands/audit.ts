import { basename } from 'node:path';
import { jsonText } from '@palimpsest/terminal';
import { Command } from 'commander';
import { auditRecording } from '../audit/audit-recording.ts';
import { printAudit } from '../audit/print-audit.ts';
import { jsonOption } from '../options/shared-options.ts';
import { newProgress } from '../printing/progress.ts';
import { openRecording } from '../recordings/open-recording.ts';
import type { Terminal } from '../terminal.ts';

export const auditCommand = (terminal: Terminal): Command =>
  new Command('audit')
    .summary('why did my agent forget?')
    .description('why did my agent forget? what each recorded compaction lost, and what ours would have kept')
    .argument('<file>', 'a session of another agent; its format is told by its content')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Lost is what the agent used after a compaction and had in view before it, but no
longer had in the summary or the messages kept; of the user's rules and words,
all that were said before. Ours are given the same view and the same room.

Example:
  palimpsest audit ~/.claude/projects/my-project/0c1d….jsonl`,
    )
    .action(async (file: string, flags: { readonly json?: true }) => {
      const recording = await openRecording(file);
      const progress = newProgress();
      const report = await auditRecording(recording, { signal: terminal.signal, onStep: progress.show }).finally(
        progress.end,
      );
      if (flags.json) terminal.print(jsonText({ file, ...report }, 2));
      else printAudit(terminal, basename(file), report);
      for (const note of recording.notes) terminal.complain(`palimpsest: ${file}: ${note}`);
    });
