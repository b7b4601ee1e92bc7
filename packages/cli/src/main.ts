#!/usr/bin/env node
import { runProgram } from './program.ts';
import { processTerminal } from './terminal.ts';

const exitCode = await runProgram(process.argv.slice(2), processTerminal());
// Zero says nothing against output that could not be written.
if (exitCode !== 0) process.exitCode = exitCode;
