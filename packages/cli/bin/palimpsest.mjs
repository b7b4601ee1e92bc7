#!/usr/bin/env node
// As installed from a registry there is only the build. In a clone the sources run as they are, with nothing built.
import { existsSync } from 'node:fs';
import { register } from 'node:module';

const source = new URL('../src/main.ts', import.meta.url);
if (existsSync(source)) {
  const tsx = await import('tsx/esm/api');
  tsx.register({ tsconfig: false });
  const hooks = `export const resolve = (specifier, context, next) =>
    next(specifier, { ...context, conditions: [...context.conditions, 'palimpsest-source'] });`;
  register(`data:text/javascript,${encodeURIComponent(hooks)}`);
}
await import(existsSync(source) ? source.href : '../dist/main.mjs');
