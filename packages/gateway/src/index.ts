export type { RequestLine } from './account/request-line.ts';
export type { TraceOptions } from './account/traces.ts';
export type { UsageSink } from './account/usage-log.ts';
export type { UsageRow } from './account/usage-row.ts';
export { type Gateway, startGateway } from './gateway.ts';
export type { GatewayOptions } from './gateway-options.ts';
export type { OpenedStore, OpenStore, StoreModule } from './keep/store-module.ts';
export type { UpstreamOptions } from './upstreams/upstreams.ts';
