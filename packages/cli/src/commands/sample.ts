import { Command } from 'commander';
import { configOption } from '../options/settings.ts';
import { parseTokens, presetOption } from '../options/shared-options.ts';
import { playSample, type SampleOptions, WINDOW } from '../sample/play-sample.ts';
import type { Terminal } from '../terminal.ts';

export const sampleCommand = (terminal: Terminal): Command =>
  new Command('sample')
    .summary('watch every layer work on a sample session')
    .description('walk a sample session through a preset and show what each layer does')
    .option('--window <tokens>', `the model's context window (default: ${WINDOW})`, parseTokens)
    .addOption(presetOption())
    .addOption(configOption())
    .option('--keep <folder>', 'keep the session and its stash there')
    .option('--json', 'print the data instead')
    .addHelpText('after', '\nExample:\n  palimpsest sample --preset claude-code --window 24000')
    .action((options: SampleOptions) => playSample(terminal, options));
