import type { Violation } from '../wire.ts';

/** What a check finds, one by one. */
export type Finds = Generator<Violation, void>;

export const violation = (path: string, rule: string, message: string): Violation => ({ path, rule, message });

/** Bytes of the body as it goes over the wire. */
export const bytesOf = (body: unknown): number => Buffer.byteLength(JSON.stringify(body) ?? '', 'utf8');
