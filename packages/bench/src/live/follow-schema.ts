import type { Json } from '@palimpsest/core';
import { asFields, asList, asNumber, asString, type Fields, isFields } from '@palimpsest/core/json';

/** The schema that an answer is to follow, as Gemini is told it: what the other clients' requests ask for has none. */
export function findSchema(body: Fields): Fields | undefined {
  const { responseJsonSchema, responseSchema } = asFields(body.generationConfig);
  return [responseJsonSchema, responseSchema].find(isFields);
}

/** An answer that follows the schema and says as little as it lets: `words` where words are asked for, else nothing, none and no. */
export function followSchema(schema: Fields, words: string): Json {
  const [first] = asList(schema.enum);
  if (first !== undefined) return first as Json;
  const [choice] = [...asList(schema.anyOf), ...asList(schema.oneOf)];
  if (choice !== undefined) return followSchema(asFields(choice), words);
  const properties = asFields(schema.properties);
  switch (asString(schema.type)?.toLowerCase()) {
    case 'object':
      return Object.fromEntries(
        asList(schema.required).map((name) => [String(name), followSchema(asFields(properties[String(name)]), words)]),
      );
    case 'array':
      return Array.from({ length: asNumber(schema.minItems) ?? 0 }, () => followSchema(asFields(schema.items), words));
    case 'number':
    case 'integer':
      return asNumber(schema.minimum) ?? 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return words;
  }
}
