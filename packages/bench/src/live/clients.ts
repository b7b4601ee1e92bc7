import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** How one agent is started without a person in front of it, with a home of its own that holds its settings. */
export interface LiveClient {
  /** As npm knows it. */
  readonly npm: string;
  readonly program: string;
  readonly model: string;
  start(at: Start): { readonly words: readonly string[]; readonly env: Readonly<Record<string, string>> };
}

export interface Start {
  readonly url: string;
  readonly home: string;
  readonly project: string;
  readonly prompt: string;
  /** What the agent takes its model's window for. */
  readonly window: number;
}

const KEY = 'no-real-key-00000000';

function writeSettings(home: string, path: string, value: unknown): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
}

export const LIVE_CLIENTS: Readonly<Record<string, LiveClient>> = {
  codex: {
    npm: '@openai/codex',
    program: 'codex',
    model: 'gpt-5.5',
    start({ url, home, project, prompt, window }) {
      const lines = [
        'model = "gpt-5.5"',
        'model_provider = "live"',
        `model_context_window = ${window}`,
        'approval_policy = "never"',
        'sandbox_mode = "danger-full-access"',
        '[model_providers.live]',
        'name = "live"',
        `base_url = "${url}/v1"`,
        'wire_api = "responses"',
        'env_key = "LIVE_KEY"',
        `[projects."${project}"]`,
        'trust_level = "trusted"',
      ];
      writeSettings(home, '.codex/config.toml', `${lines.join('\n')}\n`);
      const words = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt];
      return { words, env: { LIVE_KEY: KEY, CODEX_HOME: join(home, '.codex') } };
    },
  },
  opencode: {
    npm: 'opencode-ai',
    program: 'opencode',
    model: 'claude-sonnet-5',
    start({ url, home, prompt, window }) {
      const models = {
        'claude-sonnet-5': { name: 'live', tool_call: true, limit: { context: window, output: 8_000 } },
      };
      writeSettings(home, '.config/opencode/opencode.json', {
        autoupdate: false,
        share: 'disabled',
        model: 'live/claude-sonnet-5',
        permission: { '*': 'allow' },
        provider: { live: { npm: '@ai-sdk/anthropic', options: { baseURL: `${url}/v1`, apiKey: KEY }, models } },
      });
      const env = { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' };
      return { words: ['run', '--model', 'live/claude-sonnet-5', prompt], env };
    },
  },
  claude: {
    npm: '@anthropic-ai/claude-code',
    program: 'claude',
    model: 'claude-sonnet-4-5',
    start({ url, home, prompt, window }) {
      writeSettings(home, '.claude.json', { hasCompletedOnboarding: true, bypassPermissionsModeAccepted: true });
      const words = ['-p', '--model', 'claude-sonnet-4-5', '--permission-mode', 'bypassPermissions', prompt];
      const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_TELEMETRY: '1', DISABLE_AUTOUPDATER: '1' };
      const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY, IS_SANDBOX: '1', ...quiet };
      return { words, env: { ...env, CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(window) } };
    },
  },
  qwen: {
    npm: '@qwen-code/qwen-code',
    program: 'qwen',
    model: 'gpt-5.5',
    start({ url, home, prompt }) {
      const security = { auth: { selectedType: 'openai' } };
      writeSettings(home, '.qwen/settings.json', {
        telemetry: { enabled: false },
        security,
        model: { name: 'gpt-5.5' },
      });
      const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'gpt-5.5' };
      return { words: ['-y', '-p', prompt], env };
    },
  },
  pi: {
    npm: '@earendil-works/pi-coding-agent',
    program: 'pi',
    model: 'claude-sonnet-5',
    start({ url, home, prompt, window }) {
      const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
      const model = { id: 'claude-sonnet-5', name: 'live', reasoning: false, input: ['text'], maxTokens: 8_000, cost };
      writeSettings(home, '.pi/agent/models.json', {
        providers: {
          live: { baseUrl: url, api: 'anthropic-messages', apiKey: KEY, models: [{ ...model, contextWindow: window }] },
        },
      });
      const words = ['--offline', '--provider', 'live', '--model', 'claude-sonnet-5', '-p', prompt];
      return { words, env: { PI_OFFLINE: '1', PI_TELEMETRY: '0' } };
    },
  },
  gemini: {
    npm: '@google/gemini-cli',
    program: 'gemini',
    model: 'gemini-2.5-pro',
    start({ url, home, prompt }) {
      const security = { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } };
      writeSettings(home, '.gemini/settings.json', { telemetry: { enabled: false }, security });
      const env = { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url };
      return { words: ['-y', '-m', 'gemini-2.5-pro', '-p', prompt], env };
    },
  },
};
