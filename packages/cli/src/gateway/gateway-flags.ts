import { readFile } from 'node:fs/promises';
import type { PresetName } from '@palimpsest/core';
import { asFields, asNumber, asString, isFields, parseJson } from '@palimpsest/core/json';
import type { GatewayOptions } from '@palimpsest/gateway';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { systemFailure } from '../files/system-failure.ts';
import { PRESETS, parseAtLeast, parseTokens, parseWholeNumber } from '../options/shared-options.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** What a gateway is told on the command line. */
export interface GatewayFlags {
  readonly upstream?: readonly string[];
  readonly window?: number;
  readonly preset?: PresetName;
  readonly recall?: true;
  readonly store?: string | true;
  readonly keepDays?: number;
  readonly workers?: number;
  readonly config?: string;
}

/** The options that `gateway` and `run` have in common. */
export const addGatewayOptions = (command: Command): Command =>
  command
    .option(
      '--upstream <url>',
      'where requests go on to (default: each vendor); NAME=URL for one of anthropic, openai, gemini, or a name of your own; can be given several times',
      (text, all: readonly string[] = []) => [...all, readPair(text)],
    )
    .addOption(
      new Option(
        '--window <tokens>',
        "one context window for all models (default: what the vendors state; others' requests pass as they are)",
      ).argParser(parseTokens),
    )
    .addOption(new Option('--preset <name>', 'how conversations are kept (default: default)').choices([...PRESETS]))
    .option('--recall', 'give the model a tool to look up what was hidden from it; it is answered inside')
    .option(
      '--store [place]',
      'keep conversations beyond the process: in a folder (~/.palimpsest/gateway), or on a postgres:// address',
    )
    .addOption(
      new Option(
        '--keep-days <days>',
        'with --store: delete what nobody went on with for so long, and months of usage that are over for so long (default: 30)',
      ).argParser(parseWholeNumber),
    )
    .addOption(
      new Option(
        '--workers <count>',
        'keep conversations in so many worker threads (default: one less than there are cores, at least one); 0: in the process itself',
      ).argParser(parseAtLeast(0)),
    )
    .option('--config <file>', 'the same and more, as JSON: upstreams, keys, windows, …');

/** `URL`, or `NAME=URL`. */
function readPair(text: string): string {
  const url = /^([\w-]+)=(.+)$/.exec(text)?.[2] ?? text;
  if (URL.canParse(url) && /^https?:/.test(url)) return text;
  throw new InvalidArgumentError('It is an address such as http://127.0.0.1:8080, or NAME=ADDRESS.');
}

/** Environment, then file, then flags: the later one counts. */
export async function readGatewayOptions(
  { environment }: Terminal,
  flags: GatewayFlags,
): Promise<Omit<GatewayOptions, 'onRequest'>> {
  const file = flags.config === undefined ? {} : await readConfig(flags.config, environment);
  const stated = (flags.upstream ?? []).map((text) => {
    const [, name = '*', url = text] = /^([\w-]+)=(.+)$/.exec(text) ?? [];
    return [name, url] as const;
  });
  const everything = environment.PALIMPSEST_UPSTREAM;
  const upstreams = {
    ...(everything === undefined || everything === '' ? {} : { '*': everything }),
    ...file.upstreams,
    ...Object.fromEntries(stated),
  };
  const key = environment.PALIMPSEST_GATEWAY_KEY;
  const secret = environment.PALIMPSEST_GATEWAY_SECRET;
  const { window, preset, recall } = flags;
  return {
    ...file,
    upstreams,
    ...(window === undefined ? {} : { window }),
    ...(preset === undefined ? {} : { preset }),
    ...(recall === undefined ? {} : { recall }),
    ...(key === undefined || key === '' ? {} : { keys: { ...file.keys, environment: key } }),
    ...(secret === undefined || secret === '' ? {} : { secret }),
    ...readTraces(environment),
  };
}

/** As OpenTelemetry's own variables say. */
function readTraces(environment: Terminal['environment']): Pick<GatewayOptions, 'traces'> {
  const base = environment.OTEL_EXPORTER_OTLP_ENDPOINT ?? '';
  const url =
    environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base === '' ? '' : `${base.replace(/\/$/, '')}/v1/traces`);
  if (url === '') return {};
  if (!URL.canParse(url)) throw new UsageError(`OTEL_EXPORTER_OTLP_ENDPOINT is no address: ${url}`);
  const pairs = (environment.OTEL_EXPORTER_OTLP_HEADERS ?? '').split(',').map((pair) => pair.split('='));
  const headers = Object.fromEntries(
    pairs.flatMap(([name = '', ...value]) => (name.trim() === '' ? [] : [[name.trim(), value.join('=').trim()]])),
  );
  const service = environment.OTEL_SERVICE_NAME;
  return { traces: { url, headers, ...(service === undefined ? {} : { service }) } };
}

const isTable = (value: unknown, isOne: (one: unknown) => boolean): boolean =>
  isFields(value) && !Array.isArray(value) && Object.values(value).every(isOne);
const isText = (value: unknown): boolean => typeof value === 'string';
const isTokens = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;
/** A key that stands in the file itself, or a misspelt `keyFrom`, must not be taken for none. */
const isUpstream = (value: unknown): boolean =>
  isText(value) ||
  (isTable(value, isText) &&
    isText(asFields(value).url) &&
    Object.keys(asFields(value)).every((name) => name === 'url' || name === 'keyFrom'));

/** What each setting is: one that is something else must not be taken for none, least of all keys. */
const KNOWN: Readonly<Record<string, readonly [isOne: (value: unknown) => boolean, what: string]>> = {
  upstreams: [(value) => isTable(value, isUpstream), 'names, each with an address or { "url", "keyFrom" }'],
  windows: [(value) => isTable(value, isTokens), 'models, each with a whole number of tokens'],
  preset: [(value) => PRESETS.some((name) => name === value), `one of ${PRESETS.join(', ')}`],
  recall: [(value) => typeof value === 'boolean', 'true or false'],
  summaries: [(value) => value === 'upstream', '"upstream"'],
  keys: [(value) => isTable(value, isText), 'names, each with the variable that has the key'],
  port: [(value) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 65_536, 'a port'],
  host: [isText, 'an address'],
};

/** Keys stand in the environment; the file names the variable. */
async function readConfig(
  file: string,
  environment: Terminal['environment'],
): Promise<Omit<GatewayOptions, 'onRequest'>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw systemFailure(error, 'read', file);
  });
  const value = parseJson(text);
  if (!isFields(value)) throw new UsageError(`${file} holds no settings: it must be a JSON object.`);
  for (const [name, stated] of Object.entries(value)) {
    const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
    if (known === undefined)
      throw new UsageError(`${file}: there is no setting ${name}; there are ${Object.keys(KNOWN).join(', ')}.`);
    const [isOne, what] = known;
    if (!isOne(stated)) throw new UsageError(`${file}: ${name} must be ${what}.`);
  }
  const readVariable = (name: string, what: string): string => {
    const found = environment[name];
    if (found === undefined || found === '') throw new UsageError(`${file}: ${what} is in ${name}, which is not set.`);
    return found;
  };
  const upstreams = Object.entries(asFields(value.upstreams));
  const port = asNumber(value.port);
  const host = asString(value.host);
  return {
    upstreams: Object.fromEntries(
      upstreams.flatMap(([name, one]) => {
        const url = asString(one) ?? asString(asFields(one).url);
        return url === undefined ? [] : [[name, url]];
      }),
    ),
    upstreamKeys: Object.fromEntries(
      upstreams.flatMap(([name, one]) => {
        const variable = asString(asFields(one).keyFrom);
        return variable === undefined ? [] : [[name, readVariable(variable, `the key of ${name}`)]];
      }),
    ),
    keys: Object.fromEntries(
      Object.entries(asFields(value.keys)).flatMap(([name, variable]) =>
        typeof variable === 'string' ? [[name, readVariable(variable, `${name}'s key`)]] : [],
      ),
    ),
    ...(value.windows === undefined ? {} : { window: value.windows as Readonly<Record<string, number>> }),
    ...(value.preset === undefined ? {} : { preset: value.preset as PresetName }),
    ...(value.recall === true ? { recall: true } : {}),
    ...(value.summaries === 'upstream' ? { summaries: 'upstream' } : {}),
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
  };
}
