import type { Finding } from '../stores/examine-store.ts';
import type { Terminal } from '../terminal.ts';
import { GATEWAY_PORT } from './gateway-port.ts';

const PATIENCE_MS = 1_000;

/** Looks at a gateway: the one that is named, else where PALIMPSEST_GATEWAY says, else on the usual port, where none is no fault. */
export async function examineGateway(
  environment: Terminal['environment'],
  named: string | undefined,
): Promise<readonly Finding[]> {
  const what = 'gateway';
  const stated = named ?? environment.PALIMPSEST_GATEWAY;
  const url = stated === undefined || stated === '' ? `http://127.0.0.1:${GATEWAY_PORT}` : stated.replace(/\/+$/, '');
  const ask = async (path: string): Promise<string> => {
    const answer = await fetch(url + path, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}`);
    return answer.text();
  };
  try {
    if (!(await ask('/')).startsWith('Palimpsest gateway'))
      return [{ what, state: 'note', detail: `something else listens at ${url}` }];
    await ask('/readyz');
    const metrics = await ask('/metrics');
    return [{ what, state: 'good', detail: `runs at ${url}: ${sumUp(metrics)}` }];
  } catch (error) {
    if (stated === undefined || stated === '') return [{ what, state: 'good', detail: `none runs at ${url}` }];
    return [
      { what, state: 'bad', detail: `${url} does not answer (${error instanceof Error ? error.message : error})` },
    ];
  }
}

function sumUp(metrics: string): string {
  const sumOf = (name: string): number =>
    metrics
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
  const passed = sumOf('palimpsest_passed_total');
  const told = `${sumOf('palimpsest_requests_total')} requests, ${sumOf('palimpsest_compactions_total')} compactions`;
  return passed === 0 ? told : `${told}, ${passed} passed as they came`;
}
