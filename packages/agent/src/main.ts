#!/usr/bin/env node
import { EXIT } from './agent-error.ts';
import { runAgent } from './program/run-agent.ts';

const exitCode = await runAgent(process.argv.slice(2));
// With its terminal gone, Node would fall over while setting it right on the way out; all is saved by now.
if (exitCode === EXIT.hungUp) process.kill(process.pid, 'SIGHUP');
// A background draft of a summary may still be on its way; nobody waits for it, but all that was printed goes out.
else process.stdout.write('', () => process.exit(exitCode));
