import { register } from 'node:module';

/**
 * Tests resolve our own packages by the condition `source`, and vitest hands it on to node for all others. One that the
 * AI SDK stands on has TypeScript under that name, which node does not read: there its build is taken.
 */
const hooks = `export const resolve = (specifier, context, next) =>
  next(specifier, { ...context, conditions: context.conditions.filter((one) => one !== 'source') });`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
