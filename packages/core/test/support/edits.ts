// The helpers for authors of layers, by the names that the tests use: a rename in the sources costs one line here.
export { newEditBatch, replaceResult, resultsBackwards } from '../../src/index.ts';
