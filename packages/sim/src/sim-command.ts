import { parseArgs } from 'node:util';
import { explorer } from './script/explorer.ts';
import { startSim } from './sim.ts';

const USAGE = `palimpsest sim: a provider to test against, on this machine only

  --port <n>     port to listen on; any free one without it
  --window <n>   context window of all models, in tokens
  --faults <r>   share of requests that fail, 0 to 1
  --seed <n>     the same seed gives the same answers, ids and faults
  --turns <n>    model calls until the model says that it is done (default 300)
  --dir <path>   a folder for the model to work in; it may ask for edits there. A made-up one without it`;

/** Numbers as they are typed; a wrong one is told, not guessed. */
function numberOf(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number) || number < 0)
    throw new TypeError(`--${name} takes a number, not "${value}"`);
  return number;
}

/** `palimpsest sim …`: runs until it is interrupted. */
export async function simCommand(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      window: { type: 'string' },
      faults: { type: 'string' },
      seed: { type: 'string' },
      turns: { type: 'string' },
      dir: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return console.log(USAGE);
  const seed = numberOf('seed', values.seed) ?? 1;
  const window = numberOf('window', values.window);
  const rate = numberOf('faults', values.faults);
  const port = numberOf('port', values.port);
  const turns = numberOf('turns', values.turns) ?? 300;
  const sim = await startSim({
    seed,
    model: explorer({ seed, turns, ...(values.dir === undefined ? {} : { dir: values.dir }) }),
    ...(window === undefined ? {} : { window }),
    ...(port === undefined ? {} : { port }),
    ...(rate === undefined ? {} : { faults: { rate, seed } }),
  });
  console.log(`${sim.url}

Anthropic   new Anthropic({ baseURL: '${sim.url}', apiKey: 'any' })
OpenAI      new OpenAI({ baseURL: '${sim.url}/v1', apiKey: 'any' })
Gemini      new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: '${sim.url}' } })

The model calls the tools list, read, grep, edit and run, or whatever tools it is offered. Ctrl-C ends it and shows the bill.`);
  process.once('SIGINT', () => {
    const { requests, money, cacheReadShare } = sim.bill();
    console.log(
      `\n${requests} answers, ${money.toFixed(4)} in money, ${(cacheReadShare * 100).toFixed(1)} % of input from the cache`,
    );
    void sim.close();
  });
}
