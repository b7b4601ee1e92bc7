import { readFailure } from '../failure/failure.ts';
import type { Wire } from '../wire.ts';
import { RESPONSES, type ResponsesBody } from './body.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { usage } from './usage.ts';
import { validate } from './validate.ts';

/** `POST /responses`. */
export const openaiResponses: Wire<ResponsesBody> = {
  name: RESPONSES,
  decode,
  encode,
  usage,
  failure: readFailure,
  validate,
};

export type { ResponsesBody };
