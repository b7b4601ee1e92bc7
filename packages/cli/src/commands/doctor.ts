import { switchesFrom } from '@palimpsest/core';
import { formatCount, jsonText, oneLine, padEnd, textWidth } from '@palimpsest/terminal';
import { Command, InvalidArgumentError } from 'commander';
import { examineGateway } from '../gateway/examine-gateway.ts';
import { jsonOption } from '../options/shared-options.ts';
import { findAgentSessions } from '../stores/agent-sessions.ts';
import { examineStore, type Finding } from '../stores/examine-store.ts';
import { dirOption, storeFolder } from '../stores/store-folder.ts';
import type { Terminal } from '../terminal.ts';

/** As `engines` states it. */
const LEAST_NODE = [20, 19] as const;

const KNOWN = [
  'PALIMPSEST_DISABLE',
  'PALIMPSEST_DISABLE_AUTO',
  'PALIMPSEST_REACTIVE_ONLY',
  'PALIMPSEST_WINDOW',
  'PALIMPSEST_TRIGGER_PERCENT',
  'PALIMPSEST_BLOCKING_LIMIT',
  'PALIMPSEST_HOME',
  'PALIMPSEST_UPSTREAM',
];

/** Never printed. */
const SECRET = ['PALIMPSEST_GATEWAY_KEY', 'PALIMPSEST_GATEWAY_SECRET', 'PALIMPSEST_GATEWAY'];

export const doctorCommand = (terminal: Terminal): Command =>
  new Command('doctor')
    .summary('check what Palimpsest needs on this machine')
    .description('check what Palimpsest needs on this machine; changes nothing')
    .argument('[gateway]', 'the address of a gateway that runs (default: the usual port)', parseAddress)
    .addOption(dirOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nEnds with code 1 where something does not work.\n\nExample:\n  palimpsest doctor\n  palimpsest doctor http://127.0.0.1:7900',
    )
    .action((gateway: string | undefined, flags: DoctorFlags) => run(terminal, gateway, flags));

interface DoctorFlags {
  readonly dir?: string;
  readonly json?: true;
}

function parseAddress(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text;
  throw new InvalidArgumentError('It is an address such as http://127.0.0.1:7473.');
}

async function run(terminal: Terminal, gateway: string | undefined, flags: DoctorFlags): Promise<void> {
  const { print, paint, environment } = terminal;
  const findings: readonly Finding[] = [
    examineNode(process.versions.node),
    ...examineSwitches(environment),
    ...(await examineStore(storeFolder(environment, flags.dir))),
    ...(await examineAgents(environment)),
    ...(await examineGateway(environment, gateway)),
  ];
  const bad = findings.filter(({ state }) => state === 'bad');
  if (flags.json) print(jsonText({ well: bad.length === 0, findings }, 2));
  else {
    const mark = { good: paint.green('✓'), note: paint.yellow('!'), bad: paint.red('✗') };
    const width = Math.max(...findings.map(({ what }) => textWidth(oneLine(what)))) + 2;
    for (const { what, state, detail } of findings)
      print(`${mark[state]} ${padEnd(oneLine(what), width)}${oneLine(detail)}`);
  }
  if (bad.length > 0)
    throw new Error(`${formatCount(bad.length, 'thing')} ${bad.length === 1 ? 'does' : 'do'} not work.`);
}

export function examineNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = LEAST_NODE;
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
    ? { what: 'Node', state: 'good', detail: version }
    : { what: 'Node', state: 'bad', detail: `${version} is too old: ${LEAST_NODE.join('.')} or newer is needed` };
}

function examineSwitches(environment: Terminal['environment']): readonly Finding[] {
  const what = 'environment';
  const set = Object.keys(environment).filter((name) => name.startsWith('PALIMPSEST_'));
  const unknown = set.filter((name) => !KNOWN.includes(name) && !SECRET.includes(name));
  const strange: readonly Finding[] = unknown.map((name) => ({
    what,
    state: 'note',
    detail: `${name} is no switch of ours`,
  }));
  const { ignored = [] } = switchesFrom(environment);
  const wrong: readonly Finding[] = ignored.map(({ why }) => ({ what, state: 'bad', detail: why }));
  if (wrong.length > 0) return [...wrong, ...strange];
  const shown = set.filter((name) => KNOWN.includes(name)).map((name) => `${name}=${environment[name]}`);
  return [{ what, state: 'good', detail: shown.length === 0 ? 'no switches are set' : shown.join(' ') }, ...strange];
}

async function examineAgents(environment: Terminal['environment']): Promise<readonly Finding[]> {
  const agents = await findAgentSessions(environment);
  if (agents.length === 0) return [{ what: 'other agents', state: 'good', detail: 'no sessions of theirs were found' }];
  return agents.map(({ agent, root, sessions }) => ({
    what: agent,
    state: 'good',
    detail: `${formatCount(sessions.length, 'session')} in ${root}`,
  }));
}
