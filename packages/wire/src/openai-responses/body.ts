import { asFields } from '@palimpsest/core/json';

export const RESPONSES = 'openai-responses';

/** The body of `POST /responses`, as far as this wire looks at it. */
export interface ResponsesBody {
  readonly input?: unknown;
  readonly instructions?: unknown;
  readonly model?: unknown;
  readonly tools?: unknown;
  readonly previous_response_id?: unknown;
  readonly conversation?: unknown;
  readonly prompt?: unknown;
}

/** How a piece of content of an unknown kind rides: apart from whole items, which ride as they are. */
export const PIECE = 'unread-piece';

/** The server knows more of the conversation than the body shows. */
export const isPartial = (body: ResponsesBody): boolean =>
  (body.previous_response_id ?? null) !== null ||
  (body.conversation ?? null) !== null ||
  (Array.isArray(body.input) && body.input.some(isReference));

function isReference(item: unknown): boolean {
  const { type, role } = asFields(item);
  return type === 'item_reference' || ((type ?? null) === null && role === undefined);
}
