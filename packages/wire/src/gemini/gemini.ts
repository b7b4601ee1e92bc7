import { readFailure } from '../failure/failure.ts';
import type { Wire } from '../wire.ts';
import { GEMINI, type GeminiBody } from './body.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { usage } from './usage.ts';
import { validate } from './validate.ts';

/** `models/…:generateContent` and its streaming twin. */
export const gemini: Wire<GeminiBody> = { name: GEMINI, decode, encode, usage, failure: readFailure, validate };

export type { GeminiBody };
