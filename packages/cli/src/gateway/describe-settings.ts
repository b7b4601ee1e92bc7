import { formatNumber, oneLine } from '@palimpsest/terminal';
import type { Terminal } from '../terminal.ts';
import type { GatewayFlags } from './gateway-flags.ts';

/** What a gateway goes by, as far as the command line says it. An address may have a password in it, which is not repeated. */
export function describeSettings(
  environment: Terminal['environment'],
  { upstream, window, store, config }: GatewayFlags,
): string {
  const place = (address: string): string => oneLine(omitSecrets(address));
  const stated = upstream ?? [environment.PALIMPSEST_UPSTREAM ?? ''].filter((one) => one !== '');
  const windowText = window === undefined ? 'windows as the vendors state them' : `window ${formatNumber(window)}`;
  return [
    `to ${stated.length === 0 ? 'each vendor' : stated.map(place).join(', ')}`,
    windowText,
    store === undefined ? 'nothing is written down' : `kept ${store === true ? 'in its folder' : `at ${place(store)}`}`,
    ...(config === undefined ? [] : [`and what ${oneLine(config)} says`]),
  ].join(' · ');
}

/** Who is let in, and all that is said behind a question mark, stays out. */
const omitSecrets = (address: string): string =>
  /^[\w=-]+:\/\//.test(address) ? address.replace(/[?#].*$/s, '').replace(/\/\/.*@/s, '//') : address;
