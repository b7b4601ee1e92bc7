import { pagePlugin } from './bundle-page.mjs';

export default {
  entry: 'src/index.ts',
  // Types of measure, which is private, are part of it: without `eager` they are not found.
  dts: { eager: true },
  format: 'esm',
  platform: 'node',
  plugins: [pagePlugin()],
};
