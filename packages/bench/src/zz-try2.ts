import { sdkBench } from './sdk.ts';
await sdkBench(console.log, []);
