import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AfternoonSeen, runAfternoon } from '@palimpsest/testing/afternoon';
import type { Bench } from '../bench.ts';
import { formatVerdict } from '../figures.ts';
import { readSizes } from '../read-sizes.ts';

const SIZES = { turns: 300, window: 24_000 };
const PROGRAM = fileURLToPath(new URL('../../../cli/bin/palimpsest.mjs', import.meta.url));

/** No keys and no settings of whoever runs it. */
const plainEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || /API_KEY|^PALIMPSEST_|^NODE_/.test(name) ? [] : [[name, value]],
    ),
  );

export const afternoonBench: Bench<AfternoonSeen> = {
  name: 'afternoon',
  takes: Object.keys(SIZES),
  async run(args, note) {
    const sizes = readSizes(args, SIZES);
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-afternoon-'));
    const [root, home] = [join(folder, 'work'), join(folder, 'home')];
    const program = [process.execPath, PROGRAM];
    try {
      return await runAfternoon({ ...sizes, program, environment: plainEnvironment(), root, home, note });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  print(seen, print) {
    const { turns, requests, summaries, compactions, undos, edits, subagents, mcpCalls, kills, seconds } = seen;
    print(
      `one session of ${turns} turns (${seen.said} with those around the kills), ${requests} requests, ${summaries} of them summaries, in ${seconds.toFixed(0)} s`,
    );
    print(
      `${compactions} compactions, ${undos} taken back, ${edits} edits, ${subagents} subagents, ${mcpCalls} MCP calls, killed ${kills} times`,
    );
    print('| preset | requests | rules in view |');
    print('|---|---|---|');
    for (const [preset, { requests: sent, rules, rulesInView }] of Object.entries(seen.byPreset))
      print(`| ${preset} | ${sent} | ${rulesInView} of ${rules} |`);
    for (const one of seen.missing) print(`missing: ${one}`);
    for (const one of seen.mended) print(`mended: ${one}`);
    const verdicts = [
      [`words, results, edits, todos, subagents, undos or references missing: ${seen.missing.length}`, seen.missing],
      [`requests refused: ${seen.refused.join(', ') || 'none'}`, seen.refused],
      [`processes left alive: ${seen.alive.length}`, seen.alive],
    ] as const;
    for (const [text, found] of verdicts) print(`${text}: ${formatVerdict(found.length === 0)}`);
    return verdicts.every(([, found]) => found.length === 0);
  },
};
