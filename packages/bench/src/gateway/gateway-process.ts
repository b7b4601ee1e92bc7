import { type GatewayOptions, startGateway } from '@palimpsest/gateway';
import { startBlockMeter } from './block-meter.ts';
import type { Took } from './child.ts';

/** A gateway in a process of its own, which tells what it took whenever it is asked. */
const options = JSON.parse(process.argv[2] ?? '{}') as GatewayOptions;
const gateway = await startGateway(options);
const meter = startBlockMeter();
process.on('message', () => {
  const blocks = meter.take();
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const took: Took = { cpuMs: (user + system) / 1_000, rss: process.memoryUsage().rss, ...blocks };
  process.send?.(took);
  // The collector was asked for here.
  meter.reset();
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: gateway.url });
