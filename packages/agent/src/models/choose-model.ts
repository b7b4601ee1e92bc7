import type { Clock, Prices } from '@palimpsest/core';
import {
  defaultModelOf,
  type KnownModel,
  knownModel,
  knownPrices,
  type ApiName as ProviderName,
} from '@palimpsest/wire';
import { AgentError } from '../agent-error.ts';
import { httpModel } from './http-model.ts';
import type { Model } from './model.ts';
import { offlineModel } from './offline/offline-model.ts';
import { PROVIDERS } from './providers/providers.ts';

export { PROVIDERS };

/** What `--provider` takes. */
export const PROVIDER_NAMES = ['offline', ...Object.keys(PROVIDERS)] as const;

/** What the command line says about the model; all may be left away. */
export interface ModelChoice {
  /** One of `PROVIDER_NAMES`; else told by the key at hand. */
  readonly provider?: string;
  readonly model?: string;
  /** A server that speaks the provider's API; `model` is needed then, and `window` where the model is not known. */
  readonly baseUrl?: string;
  /** In tokens; needed for models that `KNOWN_MODELS` does not hold. */
  readonly window?: number;
}

/** What the choice depends on besides: keys are looked for in `environment`. */
export interface ModelWorld {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** What the user says that tokens cost, before what is known. */
  readonly prices?: Prices | undefined;
  /** How long the offline model rests after a word, so that a person can watch. */
  readonly paceMs?: number;
}

/** An answer longer than this is rare in an agent's work, and what it may take is lost to the conversation. */
const MOST_OUTPUT = 16_000;
const OFFLINE_WINDOW = 16_000;

/** By flag where there is one, else by the key at hand; with no key, the embedded offline model. */
export function chooseModel(choice: ModelChoice, world: ModelWorld): Model {
  const provider = providerFor(choice, world);
  if (provider === 'offline')
    return offlineModel({
      window: choice.window ?? OFFLINE_WINDOW,
      ...(world.paceMs === undefined ? {} : { paceMs: world.paceMs, clock: world.clock }),
    });
  const { baseUrl: vendorUrl, keyName } = PROVIDERS[provider];
  const key = keyIn(world, keyName);
  const isVendor = choice.baseUrl === undefined;
  if (key === undefined && isVendor)
    throw new AgentError(
      'no-key',
      `${provider} needs a key: set ${keyName} and start again, or stay with the offline model, which needs none.`,
    );
  if (!isVendor) checkUrl(choice.baseUrl!, keyName);
  const model = choice.model ?? modelName(provider, isVendor);
  const { window, maxOutput } = sizeOf(model, choice.window);
  return httpModel({
    name: `${provider}/${model}`,
    provider,
    baseUrl: choice.baseUrl ?? vendorUrl,
    model,
    key,
    window,
    maxOutput,
    isVendor,
    prices: world.prices ?? (isVendor ? knownPrices(model) : undefined),
    clock: world.clock,
  });
}

function providerFor(choice: ModelChoice, world: ModelWorld): ProviderName | 'offline' {
  const { provider, model, baseUrl } = choice;
  if (provider !== undefined) {
    if (provider === 'openai') return 'openai-responses';
    if (provider === 'offline' || provider in PROVIDERS) return provider as ProviderName | 'offline';
    throw new AgentError('bad-option', `there is no provider "${provider}": use one of ${PROVIDER_NAMES.join(', ')}.`);
  }
  if (model === 'offline') return 'offline';
  if (baseUrl !== undefined) return 'openai-chat';
  const known = model === undefined ? undefined : knownModel(model);
  if (known !== undefined) return known.provider;
  const names = Object.keys(PROVIDERS) as ProviderName[];
  const found = names.find((name) => keyIn(world, PROVIDERS[name].keyName) !== undefined);
  if (found === undefined && model !== undefined)
    throw new AgentError(
      'no-key',
      `"${model}" is no model known here: start with --provider or --base-url, and its key.`,
    );
  return found ?? 'offline';
}

const keyIn = ({ environment }: ModelWorld, name: string): string | undefined => {
  const key = environment[name]?.trim();
  return key === '' ? undefined : key;
};

function checkUrl(baseUrl: string, keyName: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new AgentError('bad-option', '--base-url is an address that begins with http:// or https://.');
  if (url.username !== '' || url.password !== '')
    throw new AgentError('bad-option', `--base-url holds no name and password: put the key into ${keyName}.`);
}

function modelName(provider: ProviderName, isVendor: boolean): string {
  if (isVendor) return defaultModelOf(provider);
  throw new AgentError('bad-option', 'with --base-url, name the model: --model NAME --window TOKENS.');
}

function sizeOf(model: string, stated: number | undefined): Pick<KnownModel, 'window' | 'maxOutput'> {
  const known = knownModel(model);
  const window = stated ?? known?.window;
  if (window === undefined)
    throw new AgentError(
      'window-unknown',
      `the context window of "${model}" is not known: pass it as --window TOKENS (its vendor's page states it).`,
    );
  return { window, maxOutput: Math.min(known?.maxOutput ?? MOST_OUTPUT, MOST_OUTPUT, Math.floor(window / 4)) };
}
