#!/usr/bin/env node
import { runAgent } from './run-agent.ts';

const exitCode = await runAgent(process.argv.slice(2));
// A background draft of a summary may still be on its way; nobody waits for it, but all that was printed goes out.
process.stdout.write('', () => process.exit(exitCode));
