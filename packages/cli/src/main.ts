#!/usr/bin/env node
import { runProgram } from './program.ts';
import { flushOutput, processTerminal } from './terminal.ts';

/** The agent's terminal went away. */
const HUNG_UP = 129;

const exitCode = await runProgram(process.argv.slice(2), processTerminal());
// Zero says nothing against output that could not be written.
if (exitCode !== 0) process.exitCode = exitCode;
// With its terminal gone, Node would fall over while setting it right on the way out; all is saved by now.
if (exitCode === HUNG_UP) process.kill(process.pid, 'SIGHUP');
// A background draft of a summary may still be on its way: nobody waits for it. All that was printed goes out first, and
// what could not be written is told.
else flushOutput(() => setImmediate(() => process.exit()));
