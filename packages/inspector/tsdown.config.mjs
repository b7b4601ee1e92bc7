import { pagePlugin } from './bundle-page.mjs';

export default {
  entry: 'src/index.ts',
  dts: true,
  format: 'esm',
  platform: 'node',
  plugins: [pagePlugin()],
};
