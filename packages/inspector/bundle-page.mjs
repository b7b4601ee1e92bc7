// The page as one script and one style sheet. Builds put them beside the package; a clone makes them when they are asked for.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const toPath = (path) => fileURLToPath(new URL(path, import.meta.url));

/** @returns {Promise<{ script: string, style: string }>} */
export async function bundlePage() {
  const bundle = await rolldown({
    input: toPath('src/page/main.tsx'),
    platform: 'browser',
    logLevel: 'silent',
    resolve: { conditionNames: ['palimpsest-source', 'browser', 'import', 'module', 'default'] },
    transform: { target: 'es2022' },
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true, codeSplitting: false });
  await bundle.close();
  const plot = createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css');
  const style = await Promise.all([plot, toPath('src/page/page.css')].map((file) => readFile(file, 'utf8')));
  return { script: output[0].code, style: style.join('\n') };
}

/** For tsdown: puts the page beside what is built. */
export const pagePlugin = () => ({
  name: 'palimpsest-page',
  async generateBundle() {
    const { script, style } = await bundlePage();
    this.emitFile({ type: 'asset', fileName: 'page.js', source: script });
    this.emitFile({ type: 'asset', fileName: 'page.css', source: style });
  },
});
