/** One server-sent event; without a name only its data are written. */
export interface SseEvent {
  readonly name?: string;
  readonly data: string;
}

/** An answer in the vendor's format, ready to be written to a socket. */
export interface Sending {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body:
    | { readonly type: 'json'; readonly value: unknown }
    | { readonly type: 'events'; readonly events: readonly SseEvent[] };
}

export const sseEvent = (data: unknown, name?: string): SseEvent =>
  name === undefined ? { data: JSON.stringify(data) } : { name, data: JSON.stringify(data) };
