import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** The page's own code, without data. */
export interface PageCode {
  readonly script: string;
  readonly style: string;
}

let known: Promise<PageCode> | undefined;

/** Beside a build lie the script and the style sheet; in a clone both are made from the sources, once in a process. */
export function readPage(): Promise<PageCode> {
  known ??= existsSync(new URL('./page.js', import.meta.url)) ? readBuilt() : bundleSources();
  return known;
}

async function readBuilt(): Promise<PageCode> {
  const [script, style] = await Promise.all(
    ['./page.js', './page.css'].map((file) => readFile(new URL(file, import.meta.url), 'utf8')),
  );
  return { script: script ?? '', style: style ?? '' };
}

async function bundleSources(): Promise<PageCode> {
  // Named at run time, so that no build takes it in.
  const file = new URL('../../bundle-page.mjs', import.meta.url).href;
  const { bundlePage } = (await import(file)) as { readonly bundlePage: () => Promise<PageCode> };
  return bundlePage();
}
