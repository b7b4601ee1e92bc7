import { join } from 'node:path';
import { type Fields, isFields, parseJson } from '@palimpsest/core/json';
import { UsageError } from '../usage-error.ts';

/** What an agent is started with. */
export interface ClientRun {
  readonly url: string;
  /** A folder of this run alone, which goes with it. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** How an agent is pointed at a gateway for one run: by its environment and flags, never by its files. */
export interface Client {
  /** As it is installed. */
  readonly program: string;
  readonly name: string;
  readonly environment: (run: ClientRun) => Readonly<Record<string, string>>;
  /** Before its own arguments. */
  readonly words?: (run: ClientRun) => readonly string[];
  /** Files that its environment or words name, by their names in the run's folder. */
  readonly files?: (run: ClientRun) => Readonly<Record<string, string>>;
}

const openai = ({ url }: ClientRun): Readonly<Record<string, string>> => ({ OPENAI_BASE_URL: `${url}/v1` });

/** A provider under a name of ours, which takes the key from where codex's own does. */
const codexProvider = ({ url }: ClientRun): readonly string[] =>
  [
    'model_provider="palimpsest"',
    'model_providers.palimpsest.name="OpenAI through Palimpsest"',
    `model_providers.palimpsest.base_url="${url}/v1"`,
    'model_providers.palimpsest.wire_api="responses"',
    'model_providers.palimpsest.env_key="OPENAI_API_KEY"',
  ].flatMap((setting) => ['-c', setting]);

/** opencode reads settings from the environment, and lays them over those in its files. What stands there already stays. */
function opencodeSettings({ url, environment }: ClientRun): string {
  const given = readSettings(environment.OPENCODE_CONFIG_CONTENT ?? '');
  const bases = { anthropic: '/v1', openai: '/v1', google: '/v1beta' };
  const provider = Object.fromEntries(
    Object.entries(bases).map(([name, path]) => [name, { options: { baseURL: url + path } }]),
  );
  return JSON.stringify(layOver(given, { provider }));
}

/** opencode takes comments in its settings, and a comma behind the last of a list. */
function readSettings(text: string): Fields {
  const plain = [/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, /("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g].reduce(
    (left, pattern) => left.replace(pattern, (_, quoted: string | undefined) => quoted ?? ''),
    text,
  );
  const settings = plain.trim() === '' ? {} : parseJson(plain);
  if (!isFields(settings))
    throw new UsageError('OPENCODE_CONFIG_CONTENT is no JSON object: opencode could not read it.');
  return settings;
}

const layOver = (under: Fields, over: Fields): Fields => ({
  ...under,
  ...Object.fromEntries(
    Object.entries(over).map(([key, value]) => {
      const before = under[key];
      return [key, isFields(before) && isFields(value) ? layOver(before, value) : value];
    }),
  ),
});

const PI_EXTENSION = 'palimpsest-base-urls.mjs';

/** pi takes base URLs from its settings or from an extension; one for a single run is named by a flag. */
const piExtension = ({ url }: ClientRun): string =>
  `export default function setBaseUrls(pi) {
  pi.registerProvider('anthropic', { baseUrl: '${url}' });
  pi.registerProvider('openai', { baseUrl: '${url}/v1' });
  pi.registerProvider('google', { baseUrl: '${url}/v1beta' });
}
`;

/** By the word that `palimpsest run` takes. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  claude: { program: 'claude', name: 'Claude Code', environment: ({ url }) => ({ ANTHROPIC_BASE_URL: url }) },
  codex: { program: 'codex', name: 'Codex', environment: openai, words: codexProvider },
  opencode: {
    program: 'opencode',
    name: 'opencode',
    environment: (run) => ({ OPENCODE_CONFIG_CONTENT: opencodeSettings(run) }),
  },
  pi: {
    program: 'pi',
    name: 'pi',
    environment: () => ({}),
    words: ({ folder }) => ['-e', join(folder, PI_EXTENSION)],
    files: (run) => ({ [PI_EXTENSION]: piExtension(run) }),
  },
  gemini: { program: 'gemini', name: 'Gemini CLI', environment: ({ url }) => ({ GOOGLE_GEMINI_BASE_URL: url }) },
  qwen: { program: 'qwen', name: 'Qwen Code', environment: openai },
};
