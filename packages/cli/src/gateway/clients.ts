/** How an agent is pointed at a gateway for one run: by its environment and flags, never by its files. */
export interface Client {
  /** As it is installed. */
  readonly program: string;
  readonly name: string;
  readonly environment: (url: string) => Readonly<Record<string, string>>;
  /** Before its own arguments. */
  readonly words?: (url: string) => readonly string[];
}

const openai = (url: string): Readonly<Record<string, string>> => ({ OPENAI_BASE_URL: `${url}/v1` });

/** A provider under a name of ours, which takes the key from where codex's own does. */
const codexProvider = (url: string): readonly string[] =>
  [
    'model_provider="palimpsest"',
    'model_providers.palimpsest.name="OpenAI through Palimpsest"',
    `model_providers.palimpsest.base_url="${url}/v1"`,
    'model_providers.palimpsest.wire_api="responses"',
    'model_providers.palimpsest.env_key="OPENAI_API_KEY"',
  ].flatMap((setting) => ['-c', setting]);

/** opencode reads settings from the environment, and lays them over those in its files. */
const opencodeSettings = (url: string): string =>
  JSON.stringify({
    provider: {
      anthropic: { options: { baseURL: `${url}/v1` } },
      openai: { options: { baseURL: `${url}/v1` } },
      google: { options: { baseURL: `${url}/v1beta` } },
    },
  });

/** By the word that `palimpsest run` takes. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  claude: { program: 'claude', name: 'Claude Code', environment: (url) => ({ ANTHROPIC_BASE_URL: url }) },
  codex: { program: 'codex', name: 'Codex', environment: openai, words: codexProvider },
  opencode: {
    program: 'opencode',
    name: 'opencode',
    environment: (url) => ({ OPENCODE_CONFIG_CONTENT: opencodeSettings(url) }),
  },
  pi: {
    program: 'pi',
    name: 'pi',
    environment: (url) => ({ ANTHROPIC_BASE_URL: url, ...openai(url), GOOGLE_GEMINI_BASE_URL: url }),
  },
  gemini: { program: 'gemini', name: 'Gemini CLI', environment: (url) => ({ GOOGLE_GEMINI_BASE_URL: url }) },
  qwen: { program: 'qwen', name: 'Qwen Code', environment: openai },
};
