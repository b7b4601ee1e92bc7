import { asFields, type Fields, isFields } from '../json.ts';
import type { Part } from './message.ts';

/** What a field must be. `data`: anything that is there. */
type FieldKind = 'string' | 'number' | 'boolean' | 'list' | 'data';

type FieldKinds = Readonly<Record<string, FieldKind>>;

interface PartShape {
  /** Without these a part says nothing. */
  readonly needs: FieldKinds;
  /** These may be missing. */
  readonly takes: FieldKinds;
}

export const PART_SHAPES: Readonly<Record<Part['type'], PartShape>> = {
  text: { needs: { text: 'string' }, takes: {} },
  reasoning: { needs: { text: 'string' }, takes: { signature: 'string' } },
  call: { needs: { callId: 'string', tool: 'string', input: 'data' }, takes: { signature: 'string' } },
  result: { needs: { callId: 'string', content: 'list' }, takes: { isError: 'boolean' } },
  media: {
    needs: { kind: 'string', mediaType: 'string' },
    takes: { data: 'string', url: 'string', name: 'string', width: 'number', height: 'number', pages: 'number' },
  },
  native: { needs: { wire: 'string', block: 'data' }, takes: {} },
};

const WORDS: Readonly<Record<FieldKind, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list',
  data: 'there',
};

/** Whether a field is missing or not what it must be. */
const isWrong = (value: unknown, kind: FieldKind): boolean =>
  kind === 'data' ? value === undefined : kind === 'list' ? !Array.isArray(value) : typeof value !== kind;

/** The shape that a part must have, by the type that it says it is of. */
export const shapeOf = (part: unknown): PartShape | undefined => {
  const { type } = asFields(part);
  return typeof type === 'string' && Object.hasOwn(PART_SHAPES, type) ? PART_SHAPES[type as Part['type']] : undefined;
};

/** What a part lacks to be one of its kind, in words; undefined where it lacks nothing. */
export function findLack(part: unknown): string | undefined {
  const shape = shapeOf(part);
  if (!isFields(part)) return 'is no object';
  if (shape === undefined) return `is of no known type: ${JSON.stringify(part.type)}`;
  for (const [key, kind] of Object.entries(shape.needs))
    if (isWrong(part[key], kind)) return `needs "${key}" to be ${WORDS[kind]}`;
  return undefined;
}

/** The fields of a part that are there and not what they may be. */
export const findWrongFields = (part: Fields): readonly string[] =>
  Object.entries(shapeOf(part)?.takes ?? {}).flatMap(([key, kind]) =>
    part[key] !== undefined && isWrong(part[key], kind) ? [key] : [],
  );
