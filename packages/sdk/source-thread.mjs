// Runs a worker thread from its TypeScript sources, in a clone where nothing is built.
import { argv } from 'node:process';
import { register } from 'tsx/esm/api';

register({ tsconfig: false });
await import(argv[2]);
