import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type GatewayOptions, startGateway } from '@palimpsest/gateway';

/** A gateway in a process of its own, which tells what it took whenever it is asked. */
const options = JSON.parse(process.argv[2] ?? '{}') as GatewayOptions;
const gateway = await startGateway(options);
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('message', () => {
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1_000, rss: process.memoryUsage().rss, blockMs: delay.max / 1e6 });
  delay.reset();
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: gateway.url });
